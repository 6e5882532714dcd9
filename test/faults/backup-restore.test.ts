import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Kept } from '../../src/platform/backup/kept.ts';
import { verifyBackup } from '../../src/platform/backup/restore-backup.ts';
import {
  type BackupPlaces,
  blobOf,
  contents,
  ENGINES,
  KEY,
  leftIn,
  openBackupPlaces,
  PICTURE,
  restore,
  STRANGE,
  save,
  VIDEO,
  withDatabase,
} from '../support/backup-places.ts';

let places: BackupPlaces;
beforeAll(async () => {
  places = await openBackupPlaces();
});
afterAll(() => places.close());

describe.each(ENGINES)('a backup of a running server on %s', (engine) => {
  let source: Kept;
  let folder: string;
  let saved: string;
  beforeAll(async () => {
    source = await places.openSource(engine);
    folder = await places.newFolder();
    saved = join(folder, 'backup.tar.gz');
    await save(source, saved);
  });

  test.each(ENGINES)(
    'is restored on %s: the rows, the jobs that wait, the files and the key',
    async (target) => {
      const place = await places.newPlace(target);
      await restore(place, saved);
      expect(await contents(place)).toEqual({
        accounts: [
          { id: 'acc_1', name: STRANGE, at: '1767303245.678901' },
          { id: 'acc_2', name: '', at: 'Infinity' },
        ],
        events: { rows: 900, last: 900, size: 450_000, text: STRANGE },
        jobs: [
          { id: 'job_2', priority: 1, attempts: '1', state: 'created' },
          { id: 'job_3', priority: 0, attempts: '3', state: 'created' },
        ],
      });
      expect(await blobOf(place, 'assets/acc_1/picture')).toEqual(PICTURE);
      expect(await blobOf(place, 'videos/vid_1.mp4')).toEqual(VIDEO);
      expect(await blobOf(place, 'store-mark')).toBeUndefined();
      expect(await readFile(`${place.dataDir}.key`, 'utf8')).toBe(KEY);
      expect((await stat(`${place.dataDir}.key`)).mode & 0o777).toBe(0o600);
      expect(await leftIn(place)).toEqual(target === 'embedded' ? ['database', 'files'] : ['files']);
    },
  );

  test.each(ENGINES)(
    'has the rules of its tables on %s: numbers go on, triggers and foreign keys hold',
    async (target) => {
      const place = await places.newPlace(target);
      await restore(place, saved);
      await withDatabase(place, async ({ sql }) => {
        const [next] = await sql`insert into audit_events (id, account_id, actor, action, target, detail)
        values ('next', 'acc_1', '', '', '', '{}') returning seq`;
        expect(next).toEqual({ seq: 902 });
        await expect(sql`update audit_events set actor = 'x'`).rejects.toThrow();
        await sql`delete from accounts where id = 'acc_1'`;
        expect(await sql`select from audit_events`).toHaveLength(0);
      });
    },
  );

  test('is not restored over a database', async () => {
    const place = await places.newPlace(engine);
    await restore(place, saved);
    await expect(restore(place, saved)).rejects.toMatchObject({
      key: engine === 'embedded' ? 'conflict.database_exists' : 'conflict.database_used',
    });
  });

  test('of a release that is not this one yet is refused', async () => {
    const file = join(folder, 'newer.tar.gz');
    const { schema } = await verifyBackup(saved);
    await writeFile(
      file,
      withManifest(await readFile(saved), (text) => text.replace(`"schema":${schema}`, '"schema":99')),
    );
    await expect(restore(await places.newPlace(engine), file)).rejects.toMatchObject({
      key: 'internal.migration_unknown',
    });
  });

  test('of rows that are not what the manifest says restores nothing, and names the table', async () => {
    const file = join(folder, 'other-rows.tar.gz');
    await writeFile(
      file,
      withManifest(await readFile(saved), (text) => text.replace('"rows":900', '"rows":901')),
    );
    const place = await places.newPlace(engine);
    await expect(restore(place, file)).rejects.toMatchObject({
      key: 'internal.backup_unreadable',
      params: { reason: expect.stringContaining('audit_events') },
    });
    expect(await leftIn(place)).not.toContain('database');
    expect(await blobOf(place, 'videos/vid_1.mp4')).toBeUndefined();
    await expect(readFile(`${place.dataDir}.key`)).rejects.toThrow('ENOENT');
    await restore(place, saved);
  });

  test('can leave the key out', async () => {
    const file = join(folder, 'without-key.tar.gz');
    const { files, key } = await save(source, file, false);
    expect(files.map(({ path }) => path)).not.toContain('encryption.key');
    expect(key.kept).toBe('left out');
    const place = await places.newPlace(engine);
    await restore(place, file);
    await expect(readFile(`${place.dataDir}.key`)).rejects.toThrow('ENOENT');
  });

  test('does not overwrite a file', async () => {
    const place = await places.newPlace(engine);
    await place.blobs.put('assets/acc_1/picture', Buffer.from('newer'));
    await restore(place, saved);
    expect(await blobOf(place, 'assets/acc_1/picture')).toEqual(Buffer.from('newer'));
    expect(await blobOf(place, 'videos/vid_1.mp4')).toEqual(VIDEO);
  });

  test('that cannot place a file leaves neither the key, other files nor a database', async () => {
    const place = await places.newPlace(engine);
    const full: Kept = {
      ...place,
      blobs: {
        ...place.blobs,
        putFile: (key, path) =>
          key.startsWith('videos/') ? Promise.reject(new Error('disk full')) : place.blobs.putFile(key, path),
      },
    };
    await expect(restore(full, saved)).rejects.toThrow();
    expect(await Array.fromAsync(place.blobs.list())).toEqual([]);
    await expect(readFile(`${place.dataDir}.key`)).rejects.toThrow('ENOENT');
    expect(await leftIn(place)).not.toContain('database');
  });

  test('of a server that is stopped is the same', async () => {
    const place = await places.newPlace(engine);
    await restore(place, saved);
    const file = join(folder, 'stopped.tar.gz');
    const [again, first] = [await save(place, file), await verifyBackup(saved)];
    expect(again.tables).toEqual(first.tables);
  });
});

/** Changes the last file of the tar, to a text of the same length. */
function withManifest(content: Buffer, change: (text: string) => string): Buffer {
  const tar = gunzipSync(content);
  const start = tar.lastIndexOf('{"format":2');
  const end = tar.indexOf('\n', start);
  tar.write(change(tar.toString('utf8', start, end)), start);
  return gzipSync(tar);
}
