import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../src/identity/caller.ts';
import { newBareCaller, openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stallhand-blobs-'));
  app = await openTestApp({ BLOBS_DIR: folder });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

async function savePicture({ accountId }: Caller, path: string, background: string) {
  const picture = sharp({ create: { width: 20, height: 20, channels: 3, background } });
  const saved = await app.assets.saveBytes({ accountId, actor: 'test' }, await picture.png().toBuffer(), {
    path,
  });
  const content = await app.assets.findPublic(saved.sha256);
  if (!content) throw new Error('the picture has no address');
  return content;
}

type Shown = Awaited<ReturnType<typeof savePicture>>;
const FORMATS = ['webp', 'png', 'jpeg'] as const;
/** Variants of a picture, each another one. @returns how many had to be made */
async function showVariants(content: Shown, sides: readonly number[]): Promise<number> {
  let made = 0;
  for (const w of sides)
    for (const format of FORMATS)
      await app.assets.variant(content, { w, h: undefined, fit: 'cover', format }, async () => {
        made += 1;
      });
  return made;
}

/** Keys of the blobs of an account, by the folder they are in. */
async function blobsOf({ accountId }: Caller, kind: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true });
  return files
    .filter((file) => file.includes(`${kind}~${accountId}~`))
    .map((file) => file.split('~').at(-1) ?? '')
    .sort();
}

test('a picture keeps its 64 latest variants; one that gave way is made again', async () => {
  const owner = await newBareCaller(app);
  const content = await savePicture(owner, 'many.png', '#c00');
  const sides = [16, 32, 48, 64, 96, 128, 160, 200, 256, 320, 400, 480, 600, 640, 750, 828, 960, 1080];
  const more = [1200, 1440, 1600, 1920, 2048, 2560];
  expect(await showVariants(content, [...sides, ...more])).toBe(72);
  const kept = await blobsOf(owner, 'asset-variants');
  expect(kept).toHaveLength(64);
  expect(kept).not.toContain('w16-webp');
  expect(kept).toContain('w2560-jpeg');
  expect(await showVariants(content, [2560])).toBe(0);
  expect(await showVariants(content, [16])).toBe(3);
  expect(await blobsOf(owner, 'asset-variants')).toHaveLength(64);
});

test('the variants of an account have 512 MB together; the oldest give way, of this account alone', async () => {
  const owner = await newBareCaller(app);
  const other = await newBareCaller(app);
  for (const { accountId, content } of [
    { ...owner, content: await savePicture(owner, 'old.png', '#0c0') },
    { ...other, content: await savePicture(other, 'old.png', '#0c1') },
  ]) {
    await showVariants(content, [16]);
    await app.database.sql`
      update asset_variants set bytes = ${512 * 1024 * 1024}, created_at = now() - interval '1 hour'
      where account_id = ${accountId} and spec = 'w16-webp'`;
  }
  await showVariants(await savePicture(owner, 'new.png', '#00c'), [32]);
  expect(await blobsOf(owner, 'asset-variants')).toEqual([
    ...['w16-jpeg', 'w16-png'],
    ...['w32-jpeg', 'w32-png', 'w32-webp'],
  ]);
  expect(await blobsOf(other, 'asset-variants')).toEqual(['w16-jpeg', 'w16-png', 'w16-webp']);
});

test('the sweep removes files, parts and variants without a row after a day, and nothing else', async () => {
  const owner = await newBareCaller(app);
  const { accountId } = owner;
  const { sql } = app.database;
  const orphan = await savePicture(owner, 'orphan.png', '#111');
  const kept = await savePicture(owner, 'kept.png', '#222');
  await showVariants(orphan, [16]);
  await showVariants(kept, [16]);
  const part = join(folder, 'part');
  await sharp({ create: { width: 2, height: 2, channels: 3, background: '#333' } })
    .png()
    .toFile(part);
  for (const path of ['lost.png', 'open.png']) {
    const { token } = await app.assets.uploads.create(owner, { path, bytes: 10_000, exact: true });
    await app.assets.uploads.take(token, 0, part);
  }
  await rm(part);
  await sql`delete from assets where account_id = ${accountId} and path = 'orphan.png'`;
  await sql`delete from asset_states where account_id = ${accountId} and sha256 = ${orphan.sha256}`;
  await sql`delete from asset_contents where account_id = ${accountId} and sha256 = ${orphan.sha256}`;
  await sql`delete from asset_uploads where account_id = ${accountId} and path = 'lost.png'`;
  const counts = async () => [
    await blobsOf(owner, 'assets'),
    (await blobsOf(owner, 'asset-uploads')).length,
    (await blobsOf(owner, 'asset-variants')).length,
  ];
  const before = [[orphan.sha256, kept.sha256].sort(), 2, 6];
  await app.assets.sweep();
  expect(await counts()).toEqual(before);
  await makeOld();
  await app.assets.sweep();
  expect(await counts()).toEqual([[kept.sha256], 1, 3]);
  expect((await kept.read())?.size).toBe(kept.bytes);
});

/** Every blob was stored two days ago. */
async function makeOld(): Promise<void> {
  const then = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), then, then);
}
