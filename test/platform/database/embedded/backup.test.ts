import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/platform/database/database.ts';
import { backupDatabase, restoreDatabase } from '../../../../src/platform/database/embedded/backup.ts';
import { copyEmbedded } from '../../../support/database.ts';

let home: string;
let saved: string;
let source: Awaited<ReturnType<typeof copyEmbedded>>;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stallhand-backup-'));
  saved = join(home, 'saved.tar.gz');
  source = await copyEmbedded();
  const database = await openDatabase({ url: undefined, dataDir: source.dataDir });
  await database.sql`create table kept as select n, repeat('é', 1000) as body from generate_series(1, 3000) n`;
  await expect(backupDatabase(source.dataDir, saved)).rejects.toMatchObject({
    key: 'unavailable.database_locked',
    params: { pid: process.pid },
  });
  await database.close();
  await backupDatabase(source.dataDir, saved);
});
afterAll(async () => {
  await rm(home, { recursive: true });
  await source.drop();
});

const contents = async (dataDir: string) => {
  const database = await openDatabase({ url: undefined, dataDir });
  const [row] =
    await database.sql`select count(*)::int as rows, sum(n)::int as sum, sum(length(body))::int as size from kept`;
  await database.close();
  return row;
};

test('a backup is one private file, and the database is unharmed by it', async () => {
  expect(await readdir(home)).toEqual(['saved.tar.gz']);
  expect((await stat(saved)).mode & 0o777).toBe(0o600);
  expect(await contents(source.dataDir)).toEqual({ rows: 3000, sum: 4501500, size: 3000000 });
});

test('a restored database holds what the saved one held', async () => {
  const dataDir = join(home, 'restored');
  await restoreDatabase(dataDir, saved);
  expect(await contents(dataDir)).toEqual({ rows: 3000, sum: 4501500, size: 3000000 });
});

test('a restore does not overwrite a database', async () => {
  await expect(restoreDatabase(source.dataDir, saved)).rejects.toMatchObject({
    key: 'conflict.database_exists',
    params: { folder: join(source.dataDir, 'database') },
  });
});

test('a second backup replaces the first', async () => {
  const file = join(home, 'again.tar.gz');
  await writeFile(file, 'old');
  await backupDatabase(source.dataDir, file);
  expect((await readFile(file)).length).toBeGreaterThan(100_000);
});

test.each([
  ['no gzip', Buffer.from('hello')],
  ['a gzip that holds no tar', gzipSync('hello'.repeat(1000))],
  ['a backup cut short', 'half'],
  ['not there', undefined],
])('a file that is %s restores nothing and leaves nothing', async (_case, content) => {
  const dataDir = await mkdtemp(join(home, 'bad-'));
  const file = join(dataDir, 'file.tar.gz');
  if (content)
    await writeFile(file, content === 'half' ? (await readFile(saved)).subarray(0, 100_000) : content);
  await expect(restoreDatabase(dataDir, file)).rejects.toMatchObject({ key: 'internal.backup_unreadable' });
  expect((await readdir(dataDir)).filter((name) => name !== 'file.tar.gz')).toEqual(['database.lock.1']);
});

test('a backup of nothing is refused, and makes nothing', async () => {
  const dataDir = join(home, 'nowhere');
  await expect(backupDatabase(dataDir, join(home, 'nothing.tar.gz'))).rejects.toMatchObject({
    key: 'not_found.database',
  });
  expect(await readdir(home)).not.toContain('nothing.tar.gz');
});
