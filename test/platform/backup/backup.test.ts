import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerCopy } from '../../../src/platform/backup/embedded-copy.ts';
import type { Kept } from '../../../src/platform/backup/kept.ts';
import { restoreBackup, verifyBackup } from '../../../src/platform/backup/restore-backup.ts';
import { saveBackup } from '../../../src/platform/backup/save-backup.ts';
import { createFolderBlobs } from '../../../src/platform/blobs/folder-blobs.ts';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import { lockFolder } from '../../../src/platform/database/embedded/folder-lock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { createQueue } from '../../../src/platform/queue/queue.ts';
import { writeLine } from '../../../src/platform/shared-folder/lines.ts';
import { offerFolder } from '../../../src/platform/shared-folder/offer-folder.ts';
import { copyEmbedded, createEmpty, openTestDatabase, testServer } from '../../support/database.ts';

const NOW = new Date('2026-11-23T10:00:00Z');
const KEY = `${Buffer.alloc(32, 7).toString('base64')}\n`;
const SETTING = 'an operator keeps this key apart from backups';
const PICTURE = Buffer.from('the bytes of a picture');
const VIDEO = Buffer.alloc(3_000_000, 9);
const STRANGE = 'a "quote", a \\ and a \t tab,\nñ 漢字 👩‍🍳 \u2028 {x,NULL}';
const log = createLog('silent');

type Engine = Database['engine'];
const ENGINES: Engine[] = testServer ? ['embedded', 'postgres'] : ['embedded'];

let home: string;
const closing: (() => Promise<void>)[] = [];

const keptOf = (dataDir: string, databaseUrl?: string): Kept => ({
  databaseUrl,
  dataDir,
  blobs: createFolderBlobs(join(dataDir, 'files')),
  encryptionKey: undefined,
});
const save = (kept: Kept, file: string, withKey = true) => saveBackup(kept, file, { withKey, now: NOW });
const restore = (kept: Kept, file: string) => restoreBackup(kept, file, { log });

/** A server with data, that runs. */
async function openSource(engine: Engine): Promise<Kept> {
  const kept = await (engine === 'embedded' ? openFolder() : openOnServer());
  await writeFile(`${kept.dataDir}.key`, KEY);
  await kept.blobs.put('assets/acc_1/picture', PICTURE);
  await kept.blobs.put('videos/vid_1.mp4', VIDEO);
  await kept.blobs.put('store-mark', Buffer.from('files_1'));
  await writeFile(join(kept.dataDir, 'files', 'ab~~draft'), 'what a killed process left');
  return kept;
}

async function openFolder(): Promise<Kept> {
  const { dataDir, drop } = await copyEmbedded();
  const database = await openDatabase({ url: undefined, dataDir });
  const offer = await offerFolder({
    ...{ dataDir, log },
    receive: async (socket) => writeLine(socket, await answerCopy(database, dataDir)),
  });
  closing.push(offer.close, database.close, drop, () => rm(`${dataDir}.key`));
  await fill(database);
  return keptOf(dataDir);
}

async function openOnServer(): Promise<Kept> {
  const database = await openTestDatabase();
  closing.push(database.close);
  await fill(database);
  const dataDir = join(await mkdtemp(join(home, 'source-')), 'data');
  await mkdir(dataDir);
  return keptOf(dataDir, database.url);
}

/** An empty place. */
async function newPlace(engine: Engine = 'embedded'): Promise<Kept> {
  const dataDir = join(await mkdtemp(join(home, 'place-')), 'data');
  if (engine === 'embedded') return keptOf(dataDir);
  const { url, drop } = await createEmpty(testServer ?? '');
  closing.push(drop);
  return keptOf(dataDir, url);
}

async function fill(database: Database): Promise<void> {
  const { sql } = database;
  await sql`insert into accounts (id, name, created_at) values
    ('acc_1', ${STRANGE}, '2026-01-02 03:04:05.678901+05:30'), ('acc_2', '', 'infinity')`;
  await sql`insert into audit_events (id, account_id, actor, action, target, detail)
    select 'evt_' || n, 'acc_1', 'user', 'made', repeat('é', 500), jsonb_build_object('n', n / 3.0, 'text', ${STRANGE}::text)
    from generate_series(1, 900) n`;
  // The number of a row that is gone is never given again.
  await sql`insert into audit_events (id, account_id, actor, action, target, detail) values ('gone', 'acc_1', '', '', '', '{}')`;
  await sql`delete from audit_events where id = 'gone'`;
  const queue = createQueue({ database, log });
  await queue.open('jobs');
  const job = (id: string) => ({ accountId: 'acc_1', id, priorAttempts: 1 });
  await sql.begin((tx) => queue.add(tx, 'jobs', [job('job_1')]));
  await sql.begin((tx) => queue.add(tx, 'jobs', [job('job_2')], { ahead: true }));
  await sql.begin((tx) => queue.add(tx, 'jobs', [job('job_3')]));
  await sql.begin((tx) => queue.add(tx, 'jobs', [job('day')], { onceInSeconds: 86_400 }));
  await sql.unsafe(`update pgboss.job set state = 'completed' where data->>'id' = 'job_1'`);
  await sql.unsafe(`update pgboss.job set state = 'active', retry_count = 1 where data->>'id' = 'job_3'`);
  await queue.close();
}

async function withDatabase<T>({ databaseUrl, dataDir }: Kept, work: (database: Database) => Promise<T>) {
  const database = await openDatabase({ url: databaseUrl, dataDir });
  return work(database).finally(database.close);
}

const contents = (kept: Kept) =>
  withDatabase(kept, async ({ sql }) => {
    const accounts =
      await sql`select id, name, extract(epoch from created_at)::text as at from accounts where id in ('acc_1', 'acc_2') order by id`;
    const [events] = await sql`
      select count(*)::int as rows, max(seq) as last, sum(length(target))::int as size, min(detail->>'text') as text
      from audit_events`;
    const jobs = await sql.unsafe(
      `select data->>'id' as id, priority, data->>'priorAttempts' as attempts, state from pgboss.job order by 1`,
    );
    return { accounts: [...accounts], events, jobs: [...jobs] };
  });

const blobOf = async ({ blobs }: Kept, key: string) => {
  const opened = await blobs.open(key);
  return opened && (await buffer(opened.stream));
};

const leftIn = async ({ dataDir }: Kept) =>
  (await readdir(dataDir)).filter((name) => !/\.lock\.\d+$/.test(name)).sort();

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stallhand-backup-'));
});
afterAll(async () => {
  for (const close of closing) await close();
  await rm(home, { recursive: true });
});

describe.each(ENGINES)('a backup of a running server on %s', (engine) => {
  let source: Kept;
  let folder: string;
  let saved: string;
  beforeAll(async () => {
    source = await openSource(engine);
    folder = await mkdtemp(join(home, 'saved-'));
    saved = join(folder, 'backup.tar.gz');
    await save(source, saved);
  });

  test('is one private file, and nothing is left beside the data', async () => {
    expect(await readdir(folder)).toEqual(['backup.tar.gz']);
    expect((await stat(saved)).mode & 0o777).toBe(0o600);
    expect(await leftIn(source)).not.toContain('backup');
  });

  test('can be verified, and says what it holds', async () => {
    const manifest = await verifyBackup(saved);
    expect(manifest).toMatchObject({ format: 2, created_at: NOW.toISOString(), engine, queues: ['jobs'] });
    expect(manifest.key).toEqual({ kept: 'here', name: expect.stringMatching(/^[0-9a-f]{8}$/) });
    expect(manifest.tables.find(({ name }) => name === 'audit_events')).toMatchObject({ rows: 900 });
    expect(manifest.tables.map(({ name }) => name)).not.toContain('nodes');
    const paths = manifest.files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['files/assets/acc_1/picture', 'files/videos/vid_1.mp4']));
    expect(paths).not.toContain('files/store-mark');
    expect(paths.filter((path) => path.startsWith('tables/audit_events/')).length).toBeGreaterThan(1);
  });

  test.each(ENGINES)(
    'is restored on %s: the rows, the jobs that wait, the files and the key',
    async (target) => {
      const place = await newPlace(target);
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
      const place = await newPlace(target);
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
    const place = await newPlace(engine);
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
    await expect(restore(await newPlace(engine), file)).rejects.toMatchObject({
      key: 'internal.migration_unknown',
    });
  });

  test('of rows that are not what the manifest says restores nothing, and names the table', async () => {
    const file = join(folder, 'other-rows.tar.gz');
    await writeFile(
      file,
      withManifest(await readFile(saved), (text) => text.replace('"rows":900', '"rows":901')),
    );
    const place = await newPlace(engine);
    await expect(restore(place, file)).rejects.toMatchObject({
      key: 'internal.backup_unreadable',
      params: { reason: expect.stringContaining('audit_events') },
    });
    expect(await leftIn(place)).not.toContain('database');
    expect(await blobOf(place, 'videos/vid_1.mp4')).toBeUndefined();
    await expect(readFile(`${place.dataDir}.key`)).rejects.toThrow('ENOENT');
    await restore(place, saved);
  });
});

describe('a backup', () => {
  let source: Kept;
  let saved: string;
  beforeAll(async () => {
    source = await openSource('embedded');
    saved = join(await mkdtemp(join(home, 'saved-')), 'backup.tar.gz');
    await save(source, saved);
  });

  test('can leave the key out', async () => {
    const file = join(dirname(saved), 'without-key.tar.gz');
    const { files, key } = await save(source, file, false);
    expect(files.map(({ path }) => path)).not.toContain('encryption.key');
    expect(key.kept).toBe('left out');
    const place = await newPlace();
    await restore(place, file);
    await expect(readFile(`${place.dataDir}.key`)).rejects.toThrow('ENOENT');
  });

  test('never has ENCRYPTION_KEY, and is restored only where it is set, or nothing else is', async () => {
    const file = join(dirname(saved), 'setting.tar.gz');
    const { files, key } = await save({ ...source, encryptionKey: SETTING }, file);
    expect(files.map(({ path }) => path)).not.toContain('encryption.key');
    expect(key.kept).toBe('setting');
    expect(gunzipSync(await readFile(file)).includes(SETTING)).toBe(false);
    const other = { ...(await newPlace()), encryptionKey: 'another key that is long enough, too' };
    await expect(restore(other, file)).rejects.toMatchObject({ key: 'conflict.backup_setting_key' });
    expect(await leftIn(other)).toEqual([]);
    await restore({ ...other, encryptionKey: SETTING }, file);
  });

  test('is not restored beside another key, and then leaves nothing', async () => {
    const place = await newPlace();
    const other = Buffer.alloc(32, 8).toString('base64');
    await writeFile(`${place.dataDir}.key`, other);
    await expect(restore(place, saved)).rejects.toMatchObject({
      key: 'conflict.backup_key',
      params: { file: `${place.dataDir}.key` },
    });
    expect(await readFile(`${place.dataDir}.key`, 'utf8')).toBe(other);
    expect(await leftIn(place)).toEqual([]);
  });

  test('does not overwrite a file', async () => {
    const place = await newPlace();
    await place.blobs.put('assets/acc_1/picture', Buffer.from('newer'));
    await restore(place, saved);
    expect(await blobOf(place, 'assets/acc_1/picture')).toEqual(Buffer.from('newer'));
    expect(await blobOf(place, 'videos/vid_1.mp4')).toEqual(VIDEO);
  });

  test('that cannot place a file leaves neither the key, other files nor a database', async () => {
    const place = await newPlace();
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

  test('follows and overwrites no draft that someone else has prepared', async () => {
    const folder = await mkdtemp(join(home, 'shared-'));
    await writeFile(join(folder, 'theirs'), 'theirs');
    await symlink(join(folder, 'theirs'), join(folder, 'backup.part'));
    await save(source, join(folder, 'backup'));
    expect(await readFile(join(folder, 'theirs'), 'utf8')).toBe('theirs');
    expect((await readdir(folder)).sort()).toEqual(['backup', 'backup.part', 'theirs']);
  });

  test('replaces the one before, and what a killed one left hours ago', async () => {
    const folder = await mkdtemp(join(home, 'again-'));
    const file = join(folder, 'backup');
    const draft = `${file}.6a3821a4-7c3a-4817-abc2-bf90a61b71fb.part`;
    await writeFile(file, 'old');
    await writeFile(draft, 'half');
    await utimes(draft, NOW, new Date('2026-01-01'));
    await save(source, file);
    expect((await readFile(file)).length).toBeGreaterThan(10_000);
    expect(await readdir(folder)).toEqual(['backup']);
  });

  test('waits for no other one of the same server', async () => {
    const lock = await lockFolder(join(source.dataDir, 'backup'));
    await expect(save(source, join(home, 'second.tar.gz'))).rejects.toMatchObject({
      key: 'conflict.backup_running',
      params: { pid: process.pid },
    });
    await lock.release();
  });

  test('of a server that is stopped is the same', async () => {
    const place = await newPlace();
    await restore(place, saved);
    const file = join(dirname(saved), 'stopped.tar.gz');
    const [again, first] = [await save(place, file), await verifyBackup(saved)];
    expect(again.tables).toEqual(first.tables);
  });

  test('of nothing is refused, and makes nothing', async () => {
    const place = await newPlace();
    const file = join(home, 'nothing.tar.gz');
    await expect(save(place, file)).rejects.toMatchObject({ key: 'not_found.database' });
    expect(await readdir(dirname(place.dataDir))).toEqual([]);
    expect(await readdir(home)).not.toContain('nothing.tar.gz');
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
    const place = await newPlace();
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

/** Changes the last file of the tar, to a text of the same length. */
function withManifest(content: Buffer, change: (text: string) => string): Buffer {
  const tar = gunzipSync(content);
  const start = tar.lastIndexOf('{"format":2');
  const end = tar.indexOf('\n', start);
  tar.write(change(tar.toString('utf8', start, end)), start);
  return gzipSync(tar);
}
