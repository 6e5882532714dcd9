import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Blobs } from '../../../src/platform/blobs/blobs.ts';
import { createS3Blobs } from '../../../src/platform/blobs/s3-blobs.ts';
import { mapBounded } from '../../../src/platform/map-bounded.ts';
import { type BackupPlaces, blobOf, openBackupPlaces } from '../../support/backup-places.ts';
import { openS3Server } from '../../support/s3-server.ts';

/* `stallhand backup` as an operator runs it, beside a server that has the database open. */

const STALLHAND = fileURLToPath(new URL('../../../bin/stallhand.cjs', import.meta.url));

let places: BackupPlaces;
let file: string;

beforeAll(async () => {
  places = await openBackupPlaces();
  file = join(await places.newFolder(), 'backup.tar.gz');
});
afterAll(() => places.close());

type Settings = Readonly<Record<string, string>>;

function startStallhand(words: readonly string[], dataDir: string, settings: Settings = {}) {
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', DATA_DIR: dataDir, ...settings };
  return spawn(process.execPath, [STALLHAND, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function stallhand(words: readonly string[], dataDir: string, settings: Settings = {}) {
  const child = startStallhand(words, dataDir, settings);
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, 'exit');
  const [out, err] = await said;
  return { code, out, err };
}

test('saves, verifies and restores, and says what the restore has stopped and let in', async () => {
  const { dataDir } = await places.openSource('embedded');
  const saved = await stallhand(['backup', 'save', file], dataDir);
  expect(saved).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Saved .* rows and 2 files, with the key, /),
  });
  const verified = await stallhand(['backup', 'verify', file], dataDir);
  expect(verified.out).toMatch(/ is complete: \d+ rows and 2 files, with the key, /);

  const place = await places.newPlace();
  const { code, out } = await stallhand(['backup', 'restore', file], place.dataDir);
  expect(code).toBe(0);
  const [done, paused, quantities, access, beside] = out.split('\n\n');
  expect(done).toMatch(/^Restored the embedded database in /);
  expect(paused).toMatch(/^Automatic syncs are paused: 1\. .* stallhand admin syncs resume ID\n/);
  expect(paused?.split('\n')[1]).toBe('  cfg_1  acc_1  bakery.myshopify.com and Stock');
  expect(quantities).toMatch(/^Syncs no longer know the quantities on which store and sheet agreed\./);
  expect(access).toMatch(
    /^These work again: 0 API keys, 0 sessions and 0 connected apps, including those revoked/,
  );
  expect(beside).toMatch(/^If the original server still runs, do not start this copy/);
  expect(await readFile(`${place.dataDir}.key`, 'utf8')).toMatch(/=\n$/);
});

describe('of a server whose files are in a bucket', () => {
  type Bucket = Awaited<ReturnType<typeof openS3Server>>;
  let bucket: Bucket;
  let saved: string;
  const stored = new Map<string, Buffer>();
  beforeAll(async () => {
    bucket = await openS3Server();
    saved = join(await places.newFolder(), 'from-bucket.tar.gz');
    for (const size of [0, 1, 511, 512, 70_000, 9_000_000])
      stored.set(`videos/of_${size}.mp4`, randomBytes(size));
    // More than a page of a list.
    for (let nth = 0; nth < 1_010; nth++) stored.set(`assets/acc_1/${nth}`, Buffer.from(`picture ${nth}`));
    const blobs = createS3Blobs(bucket.place);
    await blobs.put('store-mark', Buffer.from('files_1'));
    await mapBounded([...stored], 20, ([key, bytes]) => blobs.put(key, bytes));
    const { dataDir } = await places.openSource('embedded');
    const { code, out } = await stallhand(['backup', 'save', saved], dataDir, bucket.env);
    expect([code, out]).toEqual([0, expect.stringContaining(`the files in s3://files/ to ${saved}: `)]);
    expect(out).toContain(` rows and ${stored.size} files, `);
  }, 120_000);
  afterAll(() => bucket.close());

  async function requireAll(blobs: Blobs): Promise<void> {
    const keys = (await Array.fromAsync(blobs.list())).sort();
    expect(keys).toEqual([...stored.keys()].sort());
    for (const key of keys)
      expect((await blobOf({ blobs }, key))?.equals(stored.get(key) ?? Buffer.of())).toBe(true);
  }

  test('every file comes back in a folder', async () => {
    const place = await places.newPlace();
    expect(await stallhand(['backup', 'restore', saved], place.dataDir)).toMatchObject({ code: 0 });
    await requireAll(place.blobs);
  });

  test('every file comes back in another bucket, below a prefix', async () => {
    const other = await openS3Server();
    const { dataDir } = await places.newPlace();
    const settings = { ...other.env, S3_PREFIX: 'shop/' };
    expect(await stallhand(['backup', 'restore', saved], dataDir, settings)).toMatchObject({ code: 0 });
    await requireAll(createS3Blobs({ ...other.place, prefix: 'shop/' }));
    await other.close();
  }, 120_000);

  test('a bucket that does not answer for a file ends the save, and leaves no file', async () => {
    const { dataDir } = await places.openSource('embedded');
    const folder = await places.newFolder();
    const nowhere = { ...bucket.env, S3_BUCKET: 'nowhere' };
    const { code, err } = await stallhand(['backup', 'save', join(folder, 'file')], dataDir, nowhere);
    expect([code, await readdir(folder)]).toEqual([1, []]);
    expect(err).toContain('The specified bucket does not exist');
  });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a save that is stopped by %s removes all that it has written', async (signal, code) => {
  const { dataDir } = await places.openSource('embedded');
  const folder = await places.newFolder();
  const child = startStallhand(['backup', 'save', join(folder, 'file')], dataDir);
  const exited = once(child, 'exit');
  const drafts = async () => (await readdir(folder)).length;
  await expect.poll(drafts, { interval: 5, timeout: 60_000 }).toBe(1);
  child.kill(signal);
  expect(await exited).toEqual([code, null]);
  expect(await readdir(folder)).toEqual([]);
  expect(await readdir(dataDir)).not.toContain('.backup-work');
});

test('says in a sentence what it cannot do, and how it is called', async () => {
  const { dataDir } = await places.newPlace();
  const fails = async (...words: string[]) => {
    const { code, out, err } = await stallhand(['backup', ...words], dataDir);
    expect([code, out]).toEqual([1, '']);
    return err;
  };
  expect(await fails()).toMatch(
    /^Choose save, verify or restore, and one file\.[\s\S]* stallhand backup save FILE/,
  );
  expect(await fails('keep', file)).toMatch(
    /^Unknown command 'keep'\. Valid commands: save, verify, restore\./,
  );
  expect(await fails('save', file)).toMatch(/^No database found in .*\. Check DATA_DIR\.\n$/);
  expect(await fails('verify', join(file, 'none'))).toMatch(
    /is not a complete backup: E.*Choose another file\.\n/,
  );
});
