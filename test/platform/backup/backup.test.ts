import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { restoreBackup, saveBackup, verifyBackup } from '../../../src/platform/backup/backup.ts';
import { createFolderBlobs } from '../../../src/platform/blobs/folder-blobs.ts';
import { openDatabase } from '../../../src/platform/database/database.ts';
import { copyEmbedded } from '../../support/database.ts';

const NOW = new Date('2026-11-23T10:00:00Z');
const KEY = `${Buffer.alloc(32, 7).toString('base64')}\n`;
const PICTURE = Buffer.from('the bytes of a picture');

let home: string;
let saved: string;
let source: Awaited<ReturnType<typeof copyEmbedded>>;

const placesOf = (dataDir: string) => ({ dataDir, blobsDir: join(dataDir, 'files') });
const save = (file: string, withKey = true) =>
  saveBackup(placesOf(source.dataDir), file, { withKey, now: NOW });
const restore = (dataDir: string, file: string) => restoreBackup(placesOf(dataDir), file);

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stallhand-backup-'));
  saved = join(home, 'saved.tar.gz');
  source = await copyEmbedded();
  const database = await openDatabase({ url: undefined, dataDir: source.dataDir });
  await database.sql`create table kept as select n, repeat('é', 1000) as body from generate_series(1, 3000) n`;
  await expect(save(saved)).rejects.toMatchObject({
    key: 'unavailable.database_locked',
    params: { pid: process.pid },
  });
  await database.close();
  await writeFile(`${source.dataDir}.key`, KEY);
  const blobs = createFolderBlobs(placesOf(source.dataDir).blobsDir);
  await blobs.put('assets/acc_1/picture', PICTURE);
  await blobs.put('videos/vid_1.mp4', Buffer.alloc(3_000_000, 9));
  await writeFile(join(source.dataDir, 'files', 'ab~~draft'), 'what a killed process left');
  await save(saved);
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

const blobOf = async (dataDir: string, key: string) => {
  const opened = await createFolderBlobs(placesOf(dataDir).blobsDir).open(key);
  return opened && Buffer.concat(await Array.fromAsync(opened.stream));
};

test('a backup is one private file, and the database is unharmed by it', async () => {
  expect(await readdir(home)).toEqual(['saved.tar.gz']);
  expect((await stat(saved)).mode & 0o777).toBe(0o600);
  expect(await contents(source.dataDir)).toEqual({ rows: 3000, sum: 4501500, size: 3000000 });
});

test('a backup can be verified, and says what it holds', async () => {
  expect(await verifyBackup(saved)).toEqual({
    format: 1,
    created_at: NOW.toISOString(),
    files: [
      { path: 'database.tar.gz', bytes: expect.any(Number), sha256: expect.any(String) },
      { path: 'encryption.key', bytes: KEY.length, sha256: expect.any(String) },
      { path: expect.stringMatching(/^files\/../), bytes: expect.any(Number), sha256: expect.any(String) },
      { path: expect.stringMatching(/^files\/../), bytes: expect.any(Number), sha256: expect.any(String) },
    ],
  });
});

test('what is restored is what was saved: the database, the files and the key', async () => {
  const dataDir = join(home, 'restored', 'data');
  await restore(dataDir, saved);
  expect(await contents(dataDir)).toEqual({ rows: 3000, sum: 4501500, size: 3000000 });
  expect(await blobOf(dataDir, 'assets/acc_1/picture')).toEqual(PICTURE);
  expect(await blobOf(dataDir, 'videos/vid_1.mp4')).toEqual(Buffer.alloc(3_000_000, 9));
  expect(await readFile(`${dataDir}.key`, 'utf8')).toBe(KEY);
  expect((await stat(`${dataDir}.key`)).mode & 0o777).toBe(0o600);
  expect((await readdir(dataDir)).sort()).toEqual([
    'database',
    expect.stringMatching(/^database\.lock\./),
    'files',
  ]);
});

test('the key can be left out', async () => {
  const file = join(home, 'without-key.tar.gz');
  const { files } = await save(file, false);
  expect(files.map(({ path }) => path)).not.toContain('encryption.key');
  const dataDir = join(home, 'keyless', 'data');
  await restore(dataDir, file);
  await expect(readFile(`${dataDir}.key`)).rejects.toThrow('ENOENT');
});

test('a restore does not overwrite a database', async () => {
  await expect(restore(source.dataDir, saved)).rejects.toMatchObject({
    key: 'conflict.database_exists',
    params: { folder: join(source.dataDir, 'database') },
  });
});

test('a restore does not overwrite another key, and then leaves nothing', async () => {
  const dataDir = join(home, 'other-key', 'data');
  await mkdir(dirname(dataDir));
  await writeFile(`${dataDir}.key`, 'another');
  await expect(restore(dataDir, saved)).rejects.toMatchObject({
    key: 'conflict.backup_key',
    params: { file: `${dataDir}.key` },
  });
  expect(await readFile(`${dataDir}.key`, 'utf8')).toBe('another');
  expect(await readdir(dataDir)).toEqual(['database.lock.1']);
});

test('a restore does not overwrite a file', async () => {
  const dataDir = join(home, 'with-files', 'data');
  await createFolderBlobs(placesOf(dataDir).blobsDir).put('assets/acc_1/picture', Buffer.from('newer'));
  await restore(dataDir, saved);
  expect(await blobOf(dataDir, 'assets/acc_1/picture')).toEqual(Buffer.from('newer'));
  expect(await blobOf(dataDir, 'videos/vid_1.mp4')).toEqual(Buffer.alloc(3_000_000, 9));
});

test('a restore that cannot place a file leaves neither the key nor other files', async () => {
  const dataDir = join(home, 'no-place', 'data');
  const { files } = await verifyBackup(saved);
  const last = files.map(({ path }) => path).findLast((path) => path.startsWith('files/')) ?? '';
  const obstacle = join(dataDir, dirname(last));
  await mkdir(dirname(obstacle), { recursive: true });
  await writeFile(obstacle, 'a file where a folder is to be');
  await expect(restore(dataDir, saved)).rejects.toThrow(/EEXIST|ENOTDIR/);
  await expect(readFile(`${dataDir}.key`)).rejects.toThrow('ENOENT');
  const left = await readdir(dataDir, { recursive: true, withFileTypes: true });
  expect(
    left
      .filter((one) => one.isFile())
      .map(({ name }) => name)
      .sort(),
  ).toEqual([basename(obstacle), expect.stringMatching(/^database\.lock\./)].sort());
});

test('a draft that someone else has prepared is neither followed nor overwritten', async () => {
  const folder = await mkdtemp(join(home, 'shared-'));
  await writeFile(join(folder, 'theirs'), 'theirs');
  await symlink(join(folder, 'theirs'), join(folder, 'backup.part'));
  await save(join(folder, 'backup'));
  expect(await readFile(join(folder, 'theirs'), 'utf8')).toBe('theirs');
  expect((await readdir(folder)).sort()).toEqual(['backup', 'backup.part', 'theirs']);
});

test('a second backup replaces the first', async () => {
  const file = join(home, 'again.tar.gz');
  await writeFile(file, 'old');
  await save(file);
  expect((await readFile(file)).length).toBeGreaterThan(100_000);
});

const changed = (content: Buffer) => {
  const tar = gunzipSync(content);
  const at = tar.indexOf(PICTURE);
  tar.write('x', at);
  return gzipSync(tar);
};
const renamed = (name: string) => (content: Buffer) => {
  const tar = gunzipSync(content);
  const header = tar.subarray(tar.indexOf('encryption.key'));
  header.write(name, 'latin1');
  header.write('        ', 148, 'latin1');
  const sum = header.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return gzipSync(tar);
};

test.each([
  ['no gzip', () => Buffer.from('hello'), 'incorrect header check'],
  ['a gzip that holds no tar', () => gzipSync('hello'.repeat(1000)), 'Invalid tar header'],
  ['a backup cut short', (whole: Buffer) => whole.subarray(0, 100_000), 'unexpected end of file'],
  ['a tar cut short', (whole: Buffer) => gzipSync(gunzipSync(whole).subarray(0, 1024 * 600)), ''],
  ['a backup with one byte changed', changed, 'is not what was saved'],
  ['an archive of something else', renamed('../../../etc/a'), 'it holds "../../../etc/a"'],
  ['an archive with a file beside the others', renamed('ab/picture-here'), 'it holds "ab/picture-here"'],
])('a file that is %s restores nothing and leaves nothing', async (_case, contentOf, reason) => {
  const dataDir = join(await mkdtemp(join(home, 'bad-')), 'data');
  const file = join(dirname(dataDir), 'file.tar.gz');
  await writeFile(file, contentOf(await readFile(saved)));
  const unreadable = {
    key: 'internal.backup_unreadable',
    params: { file, reason: expect.stringContaining(reason) },
  };
  await expect(restore(dataDir, file)).rejects.toMatchObject(unreadable);
  expect(await readdir(dataDir)).toEqual(['database.lock.1']);
  expect(await readdir(dirname(dataDir))).toEqual(['data', 'file.tar.gz']);
});

test('a backup of nothing is refused, and makes nothing', async () => {
  const places = placesOf(join(home, 'nowhere'));
  const file = join(home, 'nothing.tar.gz');
  await expect(saveBackup(places, file, { withKey: true, now: NOW })).rejects.toMatchObject({
    key: 'not_found.database',
  });
  expect(await readdir(home)).not.toContain('nothing.tar.gz');
});
