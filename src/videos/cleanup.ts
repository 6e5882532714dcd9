import { Fault } from '../errors.ts';
import type { Blobs } from '../platform/blobs/blobs.ts';
import type { Sql, Tx } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { WorkQueue } from '../platform/work/work-queue.ts';
import { blobKeys, ownerOf } from './render/blob-keys.ts';
import { type Ends, unused } from './render/ends.ts';
import { dropBytes } from './render/kept-bytes.ts';
import type { Compositions } from './render/making.ts';
import { createStateStore } from './render/state-store.ts';
import type { Step } from './render/step.ts';
import { createStepStore } from './render/step-store.ts';
import { createStepWorkStore } from './render/step-work-store.ts';
import type { VideoFiles } from './video-repo.ts';
import * as videoRepo from './video-repo.ts';

type RemovalDeps = {
  readonly sql: Sql;
  readonly blobs: Blobs;
  readonly compositions: Pick<Compositions, 'remove'>;
  readonly ends: Pick<Ends, 'within'>;
};

/** Cancels a video that has not ended, and deletes it with all its data. @throws Fault not_found.video */
export async function removeVideo(
  { sql, blobs, compositions, ends }: RemovalDeps,
  accountId: string,
  id: string,
): Promise<void> {
  const of = { accountId, videoId: id };
  const keys = await sql.begin(async (tx) => {
    await videoRepo.lockVideos(tx, accountId);
    await createStateStore(tx).lock(id);
    const row = await videoRepo.findVideo(tx, accountId, id);
    if (!row) throw new Fault('not_found.video', { id });
    await ends.within(tx, of, { status: 'canceled' });
    const chunks = await createStepStore(tx).chunks(accountId, id);
    await videoRepo.deleteVideo(tx, accountId, id);
    const own = await unsharedFiles(tx, accountId, row.files);
    // While the account is locked, no other video can reuse these files.
    await dropBytes(blobs, own);
    return unused(chunks);
  });
  await dropBytes(blobs, keys);
  // The sweep removes what a failure leaves here.
  await compositions.remove(blobKeys.composition(of)).catch(() => {});
}

/** Files that no other video shares. */
async function unsharedFiles(tx: Tx, accountId: string, files: VideoFiles | null): Promise<string[]> {
  const keys = [files?.file, files?.poster, files?.captions].flatMap((file) => file?.key ?? []);
  const own: string[] = [];
  for (const key of keys) if (!(await videoRepo.hasFile(tx, accountId, key))) own.push(key);
  return own;
}

type SweepDeps = {
  readonly sql: Sql;
  readonly blobs: Blobs;
  readonly queue: Pick<WorkQueue<Step>, 'restore'>;
  readonly log: Log;
};

const STEP_BATCH = 100;
const KEY_BATCH = 500;
const DAY_MS = 86_400_000;

/** Requeues steps that the queue has lost, and deletes bytes that no video uses. */
export async function sweepVideos({ sql, blobs, queue, log }: SweepDeps): Promise<void> {
  for (const { account_id: accountId, id, attempt } of await createStepWorkStore(sql).idle(STEP_BATCH))
    if (await queue.restore({ accountId, id, from: attempt }))
      log.warn({ step: id }, 'a step of a video without a ticket was queued again');
  let keys: string[] = [];
  // Younger blobs may belong to a running attempt.
  for await (const key of blobs.keys(new Date(Date.now() - DAY_MS))) {
    if (ownerOf(key)) keys.push(key);
    if (keys.length < KEY_BATCH) continue;
    await dropBytes(blobs, await unownedKeys(sql, keys));
    keys = [];
  }
  await dropBytes(blobs, await unownedKeys(sql, keys));
}

/** Keys that no video uses. */
async function unownedKeys(sql: Sql, keys: readonly string[]): Promise<string[]> {
  const owned = keys.flatMap((key) => ({ key, ...ownerOf(key) }));
  const ids = new Set(owned.flatMap(({ videoId }) => videoId ?? []));
  const kept = await videoRepo.findKept(sql, [...ids]);
  const left: string[] = [];
  for (const { key, accountId = '', videoId = '', isComposition } of owned) {
    if (isComposition ? kept.ids.has(videoId) : kept.keys.has(key)) continue;
    // Another video may have reused the file of a deleted one.
    if (isComposition || !(await videoRepo.hasFile(sql, accountId, key))) left.push(key);
  }
  return left;
}
