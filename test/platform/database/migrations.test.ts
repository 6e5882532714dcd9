import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import { migrate, requireMigrated } from '../../../src/platform/database/migrations.ts';
import { openTestDatabase, type TestDatabase, testServer } from '../../support/database.ts';

let empty: string;
let folder: string;
let database: TestDatabase;

beforeAll(async () => {
  empty = await mkdtemp(join(tmpdir(), 'stallhand-empty-'));
  database = await openTestDatabase({ migrations: empty });
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stallhand-migrations-'));
  await database.sql`drop schema public cascade; create schema public`.simple();
  await migrate(database.sql, empty);
});
afterEach(() => rm(folder, { recursive: true }));
afterAll(async () => {
  await database.close();
  await rm(empty, { recursive: true });
});

const write = (file: string, text: string) => writeFile(join(folder, file), text);
const tables = async () => {
  const rows = await database.sql<{ tablename: string }[]>`
    select tablename from pg_tables where schemaname = 'public' order by tablename`;
  return rows.map(({ tablename }) => tablename);
};

const keyOf = (error: unknown) => (error instanceof Fault ? error.key : String(error));

test('the files are applied in order, each once, and recorded', async () => {
  await write('0001_one.sql', 'create table one (id integer); insert into one values (1);');
  await write('0002_two.sql', '-- a comment\nalter table one rename to two;\n');
  expect(await migrate(database.sql, folder)).toEqual(['0001_one', '0002_two']);
  expect(await migrate(database.sql, folder)).toEqual([]);
  await write('0003_three.sql', 'create table three (id integer)');
  expect(await migrate(database.sql, folder)).toEqual(['0003_three']);

  expect(await database.sql`select * from two`).toEqual([{ id: 1 }]);
  const recorded =
    await database.sql`select version, sha256, applied_at from schema_migrations order by version`;
  expect(recorded).toEqual(
    [1, 2, 3].map((version) => ({ version, sha256: hash(), applied_at: expect.any(Date) })),
  );
});

test('a schema that is behind is told with both numbers, and nothing is applied', async () => {
  await write('0001_one.sql', 'create table one (id integer)');
  await migrate(database.sql, folder);
  await expect(requireMigrated(database.sql, folder)).resolves.toBeUndefined();
  await write('0002_two.sql', 'create table two (id integer)');

  await expect(requireMigrated(database.sql, folder)).rejects.toMatchObject({
    key: 'internal.migration_pending',
    params: { applied: 1, needed: 2 },
  });
  expect(await tables()).toEqual(['one', 'schema_migrations']);
});

test('a program works on the schema of a newer release whose migrations only add, and applies nothing', async () => {
  await write('0001_one.sql', 'create table one (id integer)');
  await write('0002_two.sql', 'create table two (id integer)');
  await migrate(database.sql, folder);
  await rm(join(folder, '0002_two.sql'));
  await expect(requireMigrated(database.sql, folder)).resolves.toBeUndefined();
  expect(await migrate(database.sql, folder)).toEqual([]);
  expect(await tables()).toEqual(['one', 'schema_migrations', 'two']);
});

test('records that were written before there was min_program are kept, and it is recorded from then on', async () => {
  await database.sql`alter table schema_migrations drop column min_program`;
  await write('0001_one.sql', 'create table one (id integer)');
  await migrate(database.sql, folder);
  await write('0002_two.sql', 'alter table schema_migrations add column min_program integer');
  await migrate(database.sql, folder);
  expect(await database.sql`select version, min_program from schema_migrations order by version`).toEqual([
    { version: 1, min_program: null },
    { version: 2, min_program: 0 },
  ]);
});

test('an empty database is at migration 0', async () => {
  await database.sql`drop table schema_migrations`;
  await write('0001_one.sql', 'create table one (id integer)');
  await expect(requireMigrated(database.sql, folder)).rejects.toMatchObject({
    params: { applied: 0, needed: 1 },
  });
});

test('line ends of Windows are the same file', async () => {
  await write('0001_one.sql', 'create table one (\n  id integer\n);\n');
  await migrate(database.sql, folder);
  await write('0001_one.sql', 'create table one (\r\n  id integer\r\n);\r\n');
  expect(await migrate(database.sql, folder)).toEqual([]);
});

describe('a file that fails', () => {
  test('leaves nothing of itself, keeps what came before, and is named with its line', async () => {
    await write('0001_one.sql', 'create table one (id integer);');
    await write('0002_two.sql', 'create table two (id integer);\ninsert into two\n  values (nonsense);');
    await expect(migrate(database.sql, folder)).rejects.toMatchObject({
      key: 'internal.migration_failed',
      params: { file: '0002_two.sql', reason: 'line 3: column "nonsense" does not exist' },
    });
    expect(await tables()).toEqual(['one', 'schema_migrations']);
    await write('0002_two.sql', 'create table two (id integer);');
    expect(await migrate(database.sql, folder)).toEqual(['0002_two']);
  });

  test('that would end its own transaction is not begun', async () => {
    await write('0001_one.sql', 'create table one (id integer); commit; create table two (id integer);');
    await expect(migrate(database.sql, folder)).rejects.toMatchObject({
      key: 'internal.migration_transaction',
      params: { file: '0001_one.sql', statement: 'commit' },
    });
    expect(await tables()).toEqual(['schema_migrations']);
  });
});

describe('refused before anything is applied', () => {
  test('a file that was changed after it was applied', async () => {
    await write('0001_one.sql', 'create table one (id integer)');
    await migrate(database.sql, folder);
    await write('0001_one.sql', 'create table one (id bigint)');
    await write('0002_two.sql', 'create table two (id integer)');
    await expect(migrate(database.sql, folder)).rejects.toMatchObject({
      key: 'internal.migration_changed',
      params: { file: '0001_one.sql' },
    });
    expect(await tables()).toEqual(['one', 'schema_migrations']);
  });

  test.each([
    [
      'a missing number',
      ['0001_one.sql', '0003_three.sql'],
      'migration_number',
      { file: '0003_three.sql', expected: 2 },
    ],
    [
      'a first number that is not one',
      ['0002_two.sql'],
      'migration_number',
      { file: '0002_two.sql', expected: 1 },
    ],
    [
      'a number used twice',
      ['0001_one.sql', '0002_a.sql', '0002_b.sql'],
      'migration_number',
      { file: '0002_b.sql', expected: 3 },
    ],
    ['a name without a number', ['0001_one.sql', 'extra.sql'], 'migration_name', { file: 'extra.sql' }],
    ['a number of three digits', ['001_one.sql'], 'migration_name', { file: '001_one.sql' }],
  ])('%s', async (_case, files, key, params) => {
    for (const file of files) await write(file, 'create table never (id integer)');
    await expect(migrate(database.sql, folder)).rejects.toMatchObject({ key: `internal.${key}`, params });
    expect(await tables()).toEqual(['schema_migrations']);
  });

  test('a database that is ahead of the program, and does not say for which programs', async () => {
    await write('0001_one.sql', 'create table one (id integer)');
    await write('0002_two.sql', 'create table two (id integer)');
    await migrate(database.sql, folder);
    await database.sql`update schema_migrations set min_program = null`;
    await rm(join(folder, '0002_two.sql'));
    await expect(migrate(database.sql, folder)).rejects.toMatchObject({
      key: 'internal.migration_unknown',
      params: { version: 2 },
    });
  });

  test('a database that is ahead of the program by a migration that needs a newer one', async () => {
    await write('0001_one.sql', 'create table one (id integer)');
    await write('0002_two.sql', 'alter table one add column name text');
    await write('0003_three.sql', '-- min_program: 2\nalter table one drop column id');
    await write('0004_four.sql', 'create table four (id integer)');
    await migrate(database.sql, folder);
    const later = ['0004_four.sql', '0003_three.sql', '0002_two.sql'];
    const starts: string[] = [];
    for (const file of later) {
      await rm(join(folder, file));
      starts.push(await requireMigrated(database.sql, folder).then(() => 'starts', keyOf));
    }
    expect(starts).toEqual(['starts', 'starts', 'internal.migration_unknown']);
  });

  test('a record with a gap', async () => {
    await write('0001_one.sql', 'create table one (id integer)');
    await write('0002_two.sql', 'create table two (id integer)');
    await migrate(database.sql, folder);
    await database.sql`delete from schema_migrations where version = 1`;
    await expect(migrate(database.sql, folder)).rejects.toMatchObject({
      key: 'internal.migration_unrecorded',
      params: { version: 1 },
    });
  });
});

test.runIf(testServer)(
  'a migration that waits for a lock lets others go first, and is applied once the lock is free',
  async () => {
    await write('0001_one.sql', 'create table one (id integer)');
    await migrate(database.sql, folder);
    await write('0002_two.sql', 'alter table one add column name text');
    const dump = await database.sql.reserve();
    await dump`begin`;
    await dump`lock table one in access share mode`;
    const migrated = migrate(database.sql, folder);
    const waits = async () =>
      (await database.sql`select from pg_locks where not granted and relation = 'one'::regclass`).length;
    await expect.poll(waits, { interval: 20, timeout: 20_000 }).toBe(1);
    // Behind a statement that waits without end, this one would end at its own limit of 5 seconds.
    expect(await database.sql`select * from one`).toEqual([]);
    await dump`commit`;
    dump.release();
    expect(await migrated).toEqual(['0002_two']);
  },
);

test.runIf(testServer)('of eight nodes that start together each file is applied by one', async () => {
  for (const n of [1, 2, 3, 4, 5])
    await write(`000${n}_t.sql`, `create table t${n} (id integer); select pg_sleep(0.05)`);
  const url = database.url;
  const nodes = await Promise.all(
    Array.from({ length: 8 }, (): Promise<Database> => openDatabase({ url, dataDir: '', connections: 2 })),
  );
  const applied = await Promise.all(nodes.map(({ sql }) => migrate(sql, folder)));
  await Promise.all(nodes.map((node) => node.close()));
  expect(applied.flat().sort()).toEqual(['0001_t', '0002_t', '0003_t', '0004_t', '0005_t']);
});

function hash() {
  return expect.stringMatching(/^[0-9a-f]{64}$/);
}
