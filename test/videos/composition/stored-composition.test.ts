import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Blobs } from '../../../src/platform/blobs/blobs.ts';
import { createFolderBlobs } from '../../../src/platform/blobs/folder-blobs.ts';
import { type Composition, contentHash } from '../../../src/videos/composition/composition.ts';
import { createStoredCompositions } from '../../../src/videos/composition/stored-composition.ts';

const KEYS = ['a', 'b'].map((digit) => `assets/${digit.repeat(64)}`);
const COMPOSITION: Composition = {
  ...{ width: 640, height: 360, fps: 30, frames: 300, html: '<p id="stage">ñ', scripts: true },
  tracks: [{ source: KEYS[1] ?? '', start: 1, volume: 0.5, fadeIn: 0, fadeOut: 2, loop: true, duck: true }],
  captions: [{ start: 0, end: 1, text: 'hi' }],
  transparent: true,
  assets: new Map(KEYS.map((key, i) => [key, { bytes: Buffer.from([i, 255]), mediaType: 'image/png' }])),
};

let folder: string;
let blobs: Blobs;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compositions-'));
  blobs = createFolderBlobs(folder);
});
afterAll(() => rm(folder, { recursive: true }));

const keysNow = () => Array.fromAsync(blobs.keys(new Date(Date.now() + 60_000)));

test('a composition is loaded as stored, and leaves nothing when it is removed', async () => {
  const stored = createStoredCompositions(blobs);
  await stored.keep('videos/a', COMPOSITION);
  expect(await stored.load('videos/a')).toEqual(COMPOSITION);
  expect(await stored.load('videos/b')).toBeUndefined();
  await stored.remove('videos/a');
  await stored.remove('videos/a');
  expect(await keysNow()).toEqual([]);
});

test('a composition that lost an asset is not loaded', async () => {
  const stored = createStoredCompositions(blobs);
  await stored.keep('videos/c', COMPOSITION);
  await blobs.delete(`videos/c/${KEYS[0]}`);
  expect(await stored.load('videos/c')).toBeUndefined();
});

test('equal videos have equal hashes, and everything that makes another video changes it', () => {
  const how = { format: 'mp4', quality: 'standard', posterFrame: 5, fingerprint: 'e1' } as const;
  const { assets, ...page } = COMPOSITION;
  // The same fields in another order.
  const { tracks, captions, html, ...timing } = page;
  const same = { captions, html, tracks, assets: new Map([...assets].reverse()), ...timing };
  expect(contentHash(same, how)).toBe(contentHash(COMPOSITION, how));
  const others = [
    contentHash(COMPOSITION, how),
    contentHash(COMPOSITION, { ...how, format: 'webm' }),
    contentHash(COMPOSITION, { ...how, quality: 'draft' }),
    contentHash(COMPOSITION, { ...how, posterFrame: 6 }),
    contentHash(COMPOSITION, { ...how, fingerprint: 'e2' }),
    contentHash({ ...COMPOSITION, html: '' }, how),
    contentHash({ ...COMPOSITION, fps: 25 }, how),
    contentHash({ ...COMPOSITION, scripts: false }, how),
    contentHash({ ...COMPOSITION, transparent: undefined }, how),
    contentHash({ ...COMPOSITION, tracks: [] }, how),
    contentHash({ ...COMPOSITION, captions: [] }, how),
    contentHash({ ...COMPOSITION, assets: new Map() }, how),
  ];
  expect(new Set(others).size).toBe(others.length);
  expect(others[0]).toMatch(/^[0-9a-f]{64}$/);
});
