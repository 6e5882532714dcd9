import type { Blobs } from '../platform/blobs/blobs.ts';
import type { Sql } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import type { WorkQueue } from '../platform/work/work-queue.ts';
import { ownerOf } from './render/blob-keys.ts';
import { dropBytes } from './render/kept-bytes.ts';
import type { Step } from './render/step.ts';
import { createStepWorkStore } from './render/step-work-store.ts';
import { createVideoStore } from './store.ts';

type Parts = {
  readonly sql: Sql;
  readonly blobs: Blobs;
  readonly queue: Pick<WorkQueue<Step>, 'restore'>;
  readonly log: Log;
};

const AT_ONCE = 100;
const KEYS_AT_ONCE = 500;
const DAY_MS = 86_400_000;

/** Queues again the steps that the queue has forgotten, and removes bytes that no video has. */
export async function sweepVideos({ sql, blobs, queue, log }: Parts): Promise<void> {
  for (const { account_id: accountId, id, attempt } of await createStepWorkStore(sql).idle(AT_ONCE))
    if (await queue.restore({ accountId, id, from: attempt }))
      log.warn({ step: id }, 'a step of a video without a ticket was queued again');
  let keys: string[] = [];
  // Younger ones may be of an attempt that runs.
  for await (const key of blobs.keys(new Date(Date.now() - DAY_MS))) {
    if (ownerOf(key)) keys.push(key);
    if (keys.length < KEYS_AT_ONCE) continue;
    await dropBytes(blobs, await leftOf(sql, keys));
    keys = [];
  }
  await dropBytes(blobs, await leftOf(sql, keys));
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
