import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Kept } from '../../../src/platform/backup/kept.ts';
import { verifyBackup } from '../../../src/platform/backup/restore-backup.ts';
import { lockFolder } from '../../../src/platform/database/embedded/folder-lock.ts';
import { nameOfKey } from '../../../src/platform/secret-box.ts';
import {
  type BackupPlaces,
  KEY,
  leftIn,
  NOW,
  openBackupPlaces,
  PICTURE,
  restore,
  save,
} from '../../support/backup-places.ts';

/* What a backup holds and what is refused. test/faults/backup-restore.test.ts restores them, which takes longer. */

const SETTING = 'an operator keeps this key apart from backups';

let places: BackupPlaces;
let source: Kept;
let folder: string;
let saved: string;

beforeAll(async () => {
  places = await openBackupPlaces();
  source = await places.openSource('embedded');
  folder = await places.newFolder();
  saved = join(folder, 'backup.tar.gz');
  await save(source, saved);
});
afterAll(() => places.close());

describe('a backup of a running server', () => {
  test('is one private file, and nothing is left beside the data', async () => {
    expect(await readdir(folder)).toEqual(['backup.tar.gz']);
    expect((await stat(saved)).mode & 0o777).toBe(0o600);
    expect(await leftIn(source)).not.toContain('.backup-work');
  });

  test('can be verified, and says what it holds', async () => {
    const manifest = await verifyBackup(saved);
    expect(manifest).toMatchObject({
      format: 2,
      created_at: NOW.toISOString(),
      engine: 'embedded',
      queues: ['jobs'],
    });
    expect(manifest.key).toEqual({ kept: 'here', name: expect.stringMatching(/^[0-9a-f]{8}$/) });
    expect(manifest.tables.find(({ name }) => name === 'audit_events')).toMatchObject({ rows: 900 });
    expect(manifest.tables.map(({ name }) => name)).not.toContain('nodes');
    const paths = manifest.files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['files/assets/acc_1/picture', 'files/videos/vid_1.mp4']));
    expect(paths).not.toContain('files/store-mark');
    expect(paths.filter((path) => path.startsWith('tables/audit_events/')).length).toBeGreaterThan(1);
  });

  test('never has ENCRYPTION_KEY, and is not restored where another one is set', async () => {
    const file = join(dirname(saved), 'setting.tar.gz');
    const sealed = await places.openSource('embedded', { key: Buffer.from(SETTING) });
    const { files, key } = await save({ ...sealed, encryptionKey: SETTING }, file);
    expect(files.map(({ path }) => path)).not.toContain('encryption.key');
    expect(key.kept).toBe('setting');
    expect(gunzipSync(await readFile(file)).includes(SETTING)).toBe(false);
    const other = { ...(await places.newPlace()), encryptionKey: 'another key that is long enough, too' };
    await expect(restore(other, file)).rejects.toMatchObject({ key: 'conflict.backup_setting_key' });
    expect(await leftIn(other)).toEqual([]);
  });

  test('says that it is without the key that sealed the credentials where the command has another one, or none', async () => {
    const file = join(folder, 'elsewhere.tar.gz');
    const elsewhere = { kept: 'elsewhere', name: nameOfKey(Buffer.from(KEY, 'base64')) };
    expect((await save({ ...source, encryptionKey: SETTING }, file)).key).toEqual(elsewhere);
    await rm(`${source.dataDir}.key`);
    const { key } = await save(source, file).finally(() => writeFile(`${source.dataDir}.key`, KEY));
    expect(key).toEqual(elsewhere);
    const other = { ...(await places.newPlace()), encryptionKey: SETTING };
    await expect(restore(other, file)).rejects.toMatchObject({ key: 'conflict.backup_setting_key' });
  });

  test('never has a key in DATA_DIR.key that sealed nothing', async () => {
    const sealed = await places.openSource('embedded', { key: Buffer.from(SETTING) });
    const { files, key } = await save(sealed, join(folder, 'stale.tar.gz'));
    expect(files.map(({ path }) => path)).not.toContain('encryption.key');
    expect(key).toEqual({ kept: 'elsewhere', name: nameOfKey(Buffer.from(SETTING)) });
  });

  test('is not restored beside another key, and then leaves nothing', async () => {
    const place = await places.newPlace();
    const other = Buffer.alloc(32, 8).toString('base64');
    await writeFile(`${place.dataDir}.key`, other);
    await expect(restore(place, saved)).rejects.toMatchObject({
      key: 'conflict.backup_key',
      params: { file: `${place.dataDir}.key` },
    });
    expect(await readFile(`${place.dataDir}.key`, 'utf8')).toBe(other);
    expect(await leftIn(place)).toEqual([]);
  });

  test('follows and overwrites no draft that someone else has prepared', async () => {
    const folder = await places.newFolder();
    await writeFile(join(folder, 'theirs'), 'theirs');
    await symlink(join(folder, 'theirs'), join(folder, 'backup.part'));
    await save(source, join(folder, 'backup'));
    expect(await readFile(join(folder, 'theirs'), 'utf8')).toBe('theirs');
    expect((await readdir(folder)).sort()).toEqual(['backup', 'backup.part', 'theirs']);
  });

  test('replaces the one before, and removes what killed ones of any name left hours ago', async () => {
    const folder = await places.newFolder();
    const file = join(folder, 'tuesday');
    const id = '6a3821a4-7c3a-4817-abc2-bf90a61b71fb';
    await writeFile(file, 'old');
    for (const name of [`monday.${id}.backup-part`, `${id}.part`, 'download.backup-part']) {
      await writeFile(join(folder, name), 'half');
      await utimes(join(folder, name), NOW, new Date('2026-01-01'));
    }
    await writeFile(join(folder, `wednesday.${id}.backup-part`), 'is being written');
    await save(source, file);
    expect((await readFile(file)).length).toBeGreaterThan(10_000);
    expect((await readdir(folder)).sort()).toEqual([
      `${id}.part`,
      'download.backup-part',
      'tuesday',
      `wednesday.${id}.backup-part`,
    ]);
  });

  test('into a folder that is not there is refused in a sentence', async () => {
    const nowhere = join(folder, 'nowhere');
    await expect(save(source, join(nowhere, 'file'))).rejects.toMatchObject({
      key: 'not_found.backup_folder',
      params: { folder: nowhere },
    });
  });

  test('waits for no other one of the same server', async () => {
    const lock = await lockFolder(join(source.dataDir, '.backup-work'));
    await expect(save(source, join(folder, 'second.tar.gz'))).rejects.toMatchObject({
      key: 'conflict.backup_running',
      params: { pid: process.pid },
    });
    await lock.release();
  });

  test('may be kept in a folder of DATA_DIR, and is still there after the next save and after a restore', async () => {
    const kept = join(source.dataDir, 'backup');
    await mkdir(kept);
    for (const name of ['monday', 'tuesday']) await save(source, join(kept, name));
    expect((await readdir(kept)).sort()).toEqual(['monday', 'tuesday']);
    const place = await places.newPlace();
    await mkdir(join(place.dataDir, 'backup'), { recursive: true });
    await rename(join(kept, 'monday'), join(place.dataDir, 'backup', 'monday'));
    await restore(place, join(place.dataDir, 'backup', 'monday'));
    expect(await leftIn(place)).toEqual(['backup', 'database', 'files']);
    expect(await readdir(join(place.dataDir, 'backup'))).toEqual(['monday']);
  });

  test('is never read from or written to the folder in which backups work, by whatever path', async () => {
    const place = await places.newPlace();
    const work = join(place.dataDir, '.backup-work');
    await mkdir(work, { recursive: true });
    await copyFile(saved, join(work, 'monday'));
    await symlink(work, join(dirname(place.dataDir), 'link'));
    for (const file of [join(work, 'monday'), join(dirname(place.dataDir), 'link', 'monday')])
      await expect(restore(place, file)).rejects.toMatchObject({ key: 'conflict.backup_file_inside' });
    await expect(save(source, join(source.dataDir, '.backup-work', 'deeper', 'file'))).rejects.toMatchObject({
      key: 'conflict.backup_file_inside',
    });
    expect(await readdir(work)).toEqual(['monday']);
  });

  test('removes no folder that it did not make, but one that a killed backup left', async () => {
    const place = await places.newPlace();
    const work = join(place.dataDir, '.backup-work');
    await mkdir(work, { recursive: true });
    await writeFile(join(work, 'letter'), 'of someone');
    await expect(restore(place, saved)).rejects.toMatchObject({
      key: 'conflict.backup_folder',
      params: { folder: work },
    });
    expect(await readFile(join(work, 'letter'), 'utf8')).toBe('of someone');
    await writeFile(join(work, 'made-by-backup'), '');
    await restore(place, saved);
    expect(await leftIn(place)).toEqual(['database', 'files']);
  });

  test('of nothing is refused, and makes nothing', async () => {
    const place = await places.newPlace();
    const file = join(folder, 'nothing.tar.gz');
    await expect(save(place, file)).rejects.toMatchObject({ key: 'not_found.database' });
    expect(await readdir(dirname(place.dataDir))).toEqual([]);
    expect(await readdir(folder)).not.toContain('nothing.tar.gz');
  });

  test.each([
    ['no gzip', () => Buffer.from('hello'), 'incorrect header check'],
    ['a gzip that holds no tar', () => gzipSync('hello'.repeat(1000)), 'Invalid tar header'],
    ['cut short', (whole: Buffer) => whole.subarray(0, whole.length >> 1), 'unexpected end of file'],
    ['a tar cut short', (whole: Buffer) => gzipSync(gunzipSync(whole).subarray(0, 1024 * 600)), 'files/'],
    ['changed in one byte', changed, 'files/assets/acc_1/picture is not what was saved'],
    ['an archive of something else', renamed('../../../etc/a'), 'it holds "../../../etc/a"'],
    ['an archive with a file beside the others', renamed('ab/picture-here'), 'it holds "ab/picture-here"'],
  ])('that is %s restores nothing and leaves nothing', async (_case, contentOf, reason) => {
    const place = await places.newPlace();
    const file = join(dirname(place.dataDir), 'file.tar.gz');
    await writeFile(file, contentOf(await readFile(saved)));
    await expect(restore(place, file)).rejects.toMatchObject({
      key: 'internal.backup_unreadable',
      params: { file, reason: expect.stringContaining(reason) },
    });
    expect(await leftIn(place)).toEqual([]);
    expect(await readdir(dirname(place.dataDir))).toEqual(['data', 'file.tar.gz']);
  });
});

function changed(content: Buffer): Buffer {
  const tar = gunzipSync(content);
  tar.write('x', tar.indexOf(PICTURE));
  return gzipSync(tar);
}

function renamed(name: string) {
  return (content: Buffer): Buffer => {
    const tar = gunzipSync(content);
    const header = tar.subarray(tar.indexOf('encryption.key'));
    header.write(name.padEnd(14, '\0'), 'latin1');
    header.write('        ', 148, 'latin1');
    const sum = header.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    return gzipSync(tar);
  };
}
