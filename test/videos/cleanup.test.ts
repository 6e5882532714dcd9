import { mkdtemp, readdir, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createFolderBlobs } from '../../src/platform/blobs/folder-blobs.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { ACCOUNT, ask, endOf, openAccount, openNode, stopNodes } from './render/workshop.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  await database.reset();
  await openAccount(database);
});
afterEach(stopNodes);
afterAll(() => database.close());

const keysOf = async (blobs: ReturnType<typeof createFolderBlobs>) =>
  (await Array.fromAsync(blobs.keys(new Date(Date.now() + 60_000)))).sort();

/** Makes everything in the folder two days old. */
async function age(folder: string): Promise<void> {
  const then = new Date(Date.now() - 2 * 86_400_000);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), then, then);
}

test('bytes that no video uses are deleted, and all others stay', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stallhand-videos-'));
  const blobs = createFolderBlobs(folder);
  const { videos } = await openNode(database, { blobs, folder });
  const { id } = await endOf(videos, (await ask(videos, { duration: 1 })).id);
  // The bytes of the chunk go once the video is complete.
  const kept = await vi.waitFor(async () => {
    const keys = await keysOf(blobs);
    expect(keys.length).toBe(3);
    return keys;
  });
  const lost = [
    `videos/${ACCOUNT}/${id}/vst_1-1-chunk`,
    'videos/acc_gone/vid_gone/composition/composition.json',
  ];
  const others = ['acc_test/0000', 'videos/acc_gone/vid_gone/young'];
  for (const key of [...lost, ...others.slice(0, 1)]) await blobs.put(key, Buffer.from('x'));
  await age(folder);
  await blobs.put(others[1] ?? '', Buffer.from('x'));
  await videos.sweep();
  expect(await keysOf(blobs)).toEqual([...kept, ...others].sort());
});
