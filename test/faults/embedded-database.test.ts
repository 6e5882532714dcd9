import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { databaseFault } from '../../src/platform/database/database-fault.ts';
import { copyEmbedded } from '../support/database.ts';
import { openTestEmbedded, type TestEmbedded } from '../support/embedded.ts';

describe('a first start', () => {
  let home: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'stallhand-first-'));
  });
  afterAll(() => rm(home, { recursive: true }));

  test('makes the folder, private to the user, and clears away what killed first starts have left', async () => {
    const dataDir = join(home, 'not', 'there', 'yet');
    await mkdir(join(dataDir, 'database.tmp-killed', 'base'), { recursive: true });
    await mkdir(join(dataDir, 'database'));
    const database = await openDatabase({ url: undefined, dataDir });
    expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }]);
    await database.close();
    expect(await readdir(dataDir)).toEqual(['database', 'database.lock.1']);
    expect((await stat(join(dataDir, 'database'))).mode & 0o777).toBe(0o700);
  });
});

describe('opening', () => {
  test('is refused while the database is open, and goes through afterwards with everything in it', async () => {
    const { dataDir, drop } = await copyEmbedded();
    const first = await openDatabase({ url: undefined, dataDir });
    await first.sql`create table kept as select 1 as one`;
    await expect(openDatabase({ url: undefined, dataDir })).rejects.toMatchObject({
      key: 'unavailable.database_locked',
      params: { pid: process.pid, folder: join(dataDir, 'database') },
    });
    expect(await first.sql`select * from kept`).toEqual([{ one: 1 }]);
    await first.close();
    const second = await openDatabase({ url: undefined, dataDir });
    expect(await second.sql`select * from kept`).toEqual([{ one: 1 }]);
    await second.close();
    await drop();
  });

  test.each([
    ['is none', async (folder: string) => writeFile(join(folder, 'a-file'), ''), 'it has no PG_VERSION'],
    ['is damaged', async (folder: string) => writeFile(join(folder, 'PG_VERSION'), '18\n'), /./],
  ])('a folder that %s fails with a sentence, and is not locked then', async (_case, fill, reason) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'stallhand-damaged-'));
    await mkdir(join(dataDir, 'database'));
    await fill(join(dataDir, 'database'));
    for (const _try of [1, 2]) {
      await expect(openDatabase({ url: undefined, dataDir })).rejects.toMatchObject({
        key: 'internal.database_unreadable',
        params: { folder: join(dataDir, 'database'), reason: expect.stringMatching(reason) },
      });
    }
    await rm(dataDir, { recursive: true });
  });
});

describe('a statement that takes too long', () => {
  const endless = 'select count(*) from generate_series(1, 100000) a, generate_series(1, 100000) b';
  let database: TestEmbedded;
  beforeAll(async () => {
    database = await openTestEmbedded({ statementTimeoutMs: 400 });
  });
  afterAll(() => database.close());

  test.each([
    ['in plain SQL', endless],
    ['in a loop of a function', 'do $$ begin loop null; end loop; end $$'],
  ])('%s is ended', async (_case, statement) => {
    await expect(database.sql.unsafe(statement)).rejects.toMatchObject({ code: '57014' });
    expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }]);
  });

  test('is ended after memory has grown, which moves all addresses', async () => {
    await database.sql.begin(async (tx) => {
      await tx`set local statement_timeout = 0`;
      await tx`select length(${'x'.repeat(40_000_000)})`;
    });
    await expect(database.sql.unsafe(endless)).rejects.toMatchObject({ code: '57014' });
  });

  test('may set another limit for its transaction', async () => {
    const slow = 'select count(*) from generate_series(1, 1500000)';
    const milliseconds = await database.sql.begin(async (tx) => {
      await tx`set local statement_timeout = 0`;
      const start = performance.now();
      await tx.unsafe(`${slow}; ${slow}; ${slow}; ${slow}`);
      return performance.now() - start;
    });
    // What was allowed is more than what is allowed without.
    expect(milliseconds).toBeGreaterThan(400);
    await expect(database.sql.unsafe(endless)).rejects.toMatchObject({ code: '57014' });
  });
});

describe('a crash of the engine', () => {
  // PGlite has no answer to a value nested deeper than the stack of JavaScript is.
  const deadly = '['.repeat(100_000) + ']'.repeat(100_000);

  test('fails the statement as unavailable, and the next one finds all that was committed and no more', async () => {
    const { dataDir, drop } = await copyEmbedded();
    const database = await openDatabase({ url: undefined, dataDir });
    const { sql } = database;
    await sql`create table kept as select 1 as one`;
    const open = Promise.withResolvers<void>();
    const crashed = Promise.withResolvers<void>();
    const transaction = sql.begin(async (tx) => {
      await tx`insert into kept values (2)`;
      open.resolve();
      await tx`select ${deadly}::text::json`.catch(() => {});
      crashed.resolve();
      await tx`select 1`;
    });
    await open.promise;
    const waiting = sql`select 3 as three`;
    await expect(transaction.catch(databaseFault)).resolves.toMatchObject({ key: 'unavailable.database' });
    await crashed.promise;
    await Promise.allSettled([waiting]);

    expect(await sql`select * from kept`).toEqual([{ one: 1 }]);
    await sql`insert into kept values (4)`;
    await database.close();

    const again = await openDatabase({ url: undefined, dataDir });
    expect(await again.sql`select * from kept`).toEqual([{ one: 1 }, { one: 4 }]);
    await again.close();
    await drop();
  });
});

test('the folder of a closed database is whole: a copy of it opens', async () => {
  const { dataDir, drop } = await copyEmbedded();
  const copy = await mkdtemp(join(tmpdir(), 'stallhand-copy-'));
  const database = await openDatabase({ url: undefined, dataDir });
  await database.sql`create table kept as select n from generate_series(1, 5000) n`;
  await database.close();
  await cp(join(dataDir, 'database'), join(copy, 'database'), { recursive: true });
  const copied = await openDatabase({ url: undefined, dataDir: copy });
  expect(await copied.sql`select count(*)::int as rows from kept`).toEqual([{ rows: 5000 }]);
  await copied.close();
  await Promise.all([drop(), rm(copy, { recursive: true })]);
});
