import type { Blobs } from '../platform/blobs/blobs.ts';
import type { Sql } from '../platform/database.ts';
import { deleteBlobs, ownerOf } from './render/blob-cache.ts';
import { createVideoStore } from './store.ts';

type SweepDeps = {
  readonly sql: Sql;
  readonly blobs: Blobs;
};

const KEYS_PER_BATCH = 500;
const DAY_MS = 86_400_000;

/** Removes bytes that no video has. */
export async function sweepVideos({ sql, blobs }: SweepDeps): Promise<void> {
  let keys: string[] = [];
  // Younger ones may be of an attempt that runs.
  for await (const key of blobs.keys(new Date(Date.now() - DAY_MS))) {
    if (ownerOf(key)) keys.push(key);
    if (keys.length < KEYS_PER_BATCH) continue;
    await deleteBlobs(blobs, await leftOf(sql, keys));
    keys = [];
  }
  await deleteBlobs(blobs, await leftOf(sql, keys));
}

/** Those keys that belong to nothing any more. */
async function leftOf(sql: Sql, keys: readonly string[]): Promise<string[]> {
  const videos = createVideoStore(sql);
  const owned = keys.flatMap((key) => ({ key, ...ownerOf(key) }));
  const ids = new Set(owned.flatMap(({ videoId }) => videoId ?? []));
  const kept = await videos.kept([...ids]);
  const left: string[] = [];
  for (const { key, accountId = '', videoId = '', isComposition } of owned) {
    if (isComposition ? kept.ids.has(videoId) : kept.keys.has(key)) continue;
    // A video may have been lent it by one that was removed since.
    if (isComposition || !(await videos.hasFile(accountId, key))) left.push(key);
  }
  return left;
}
