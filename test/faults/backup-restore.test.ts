import { copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Manifest } from '../../src/platform/backup/archive.ts';
import type { Kept } from '../../src/platform/backup/kept.ts';
import { verifyBackup } from '../../src/platform/backup/restore-backup.ts';
import { migrationState } from '../../src/platform/database/migrations.ts';
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

const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));

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
        // 901 was deleted, and 902 says that a sync was paused.
        expect(next).toEqual({ seq: 903 });
        await expect(sql`update audit_events set actor = 'x'`).rejects.toThrow();
        await sql`delete from accounts where id = 'acc_1'`;
        expect(await sql`select from audit_events`).toHaveLength(0);
      });
    },
  );

  test.each(ENGINES)(
    'starts no sync on %s, and remembers no quantity that store and sheet had',
    async (target) => {
      const place = await places.newPlace(target);
      await restore(place, saved);
      await withDatabase(place, async ({ sql }) => {
        expect(await sql`select enabled, realtime, next_at from sync_configs`).toMatchObject([
          { enabled: false, realtime: true, next_at: null },
        ]);
        expect(await sql`select to_jsonb(vals) as vals from sync_base`).toMatchObject([
          { vals: ['A', null, null] },
        ]);
        expect(await sql`select target from audit_events where action = 'sync_config.paused'`).toMatchObject([
          { target: 'cfg_1' },
        ]);
      });
    },
  );

  test('of an older release is brought up to date', async () => {
    const older = await newMigrations((names) => names.slice(0, -1));
    const [last = ''] = (await readdir(MIGRATIONS))
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .slice(-1);
    const old = await places.openSource(engine, { migrations: older });
    const file = join(folder, 'older.tar.gz');
    const { schema } = await save(old, file);
    expect(schema).toBe(Number(last.slice(0, 4)) - 1);
    const place = await places.newPlace(engine);
    await restore(place, file);
    await withDatabase(place, async ({ sql }) => {
      expect(await migrationState(sql)).toEqual({ applied: schema + 1, pending: [] });
      expect(await sql`select from audit_events where action = 'made'`).toHaveLength(900);
    });
  });

  test('whose later migration fails leaves nothing, and can be restored again', async () => {
    const migrations = await newMigrations((names) => names, ['_broken.sql', 'select 1 / 0;']);
    const place = await places.newPlace(engine);
    await expect(restore(place, saved, { migrations })).rejects.toMatchObject({
      key: 'internal.migration_failed',
      params: { reason: expect.stringContaining('division by zero') },
    });
    expect(await Array.fromAsync(place.blobs.list())).toEqual([]);
    await restore(place, saved);
    expect(await blobOf(place, 'videos/vid_1.mp4')).toEqual(VIDEO);
  });

  test.runIf(engine === 'postgres')(
    'whose connection is lost while it counts keeps its files, and can be restored again',
    async () => {
      const migrations = await newMigrations(
        (names) => names,
        [
          '_ends_the_connection.sql',
          `create table late (id int);
         create function end_connection() returns trigger language plpgsql as
           $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
         create constraint trigger ends after insert on late deferrable initially deferred
           for each row execute function end_connection();
         insert into late values (1);`,
        ],
      );
      const place = await places.newPlace(engine);
      await expect(restore(place, saved, { migrations })).rejects.toMatchObject({
        key: 'unavailable.backup_commit',
      });
      expect(await blobOf(place, 'videos/vid_1.mp4')).toEqual(VIDEO);
      expect(await readFile(`${place.dataDir}.key`, 'utf8')).toBe(KEY);
      await restore(place, saved);
      expect((await contents(place)).events).toMatchObject({ rows: 900 });
    },
  );

  test('is not restored over a database', async () => {
    const place = await places.newPlace(engine);
    await restore(place, saved);
    await expect(restore(place, saved)).rejects.toMatchObject({
      key: engine === 'embedded' ? 'conflict.database_exists' : 'conflict.database_used',
    });
  });

  test.runIf(engine === 'postgres')('is not restored beside the jobs that another server left', async () => {
    const place = await places.newPlace(engine);
    await restore(place, saved);
    await withDatabase(place, async ({ sql }) => {
      await sql.unsafe('drop schema public cascade');
      await sql.unsafe('create schema public');
    });
    await expect(restore(place, saved)).rejects.toMatchObject({ key: 'conflict.database_jobs' });
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
    // What the restore stopped.
    const changed = ['audit_events', 'sync_base', 'sync_configs'];
    const rest = ({ tables }: Manifest) => tables.filter(({ name }) => !changed.includes(name));
    expect(rest(again)).toEqual(rest(first));
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

/** A folder with some of the product's migrations, and one more, which gets the next number. */
async function newMigrations(
  choose: (names: string[]) => string[],
  more?: readonly [name: string, text: string],
): Promise<string> {
  const folder = await places.newFolder();
  const names = choose((await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort());
  for (const name of names) await copyFile(join(MIGRATIONS, name), join(folder, name));
  if (more) {
    const [name, text] = more;
    await writeFile(join(folder, `${String(names.length + 1).padStart(4, '0')}${name}`), text);
  }
  return folder;
}
