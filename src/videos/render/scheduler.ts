import type { Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import type { WorkQueue } from '../../platform/work/work.ts';
import { mismatchedChunks } from './chunks.ts';
import { announceProgress, type ClaimedStep, countRemake, setFinalizing, type VideoRef } from './state.ts';
import { findChunks, insertStep, queueNextChunks, queueNextVideos, requeueSteps } from './step-repo.ts';

// Decides which steps are queued, within transactions that hold the locks of state.ts. The queue serves its jobs in their order, so
// few of each video and of each account are in it at the same time: that is how accounts and videos take turns.

export type StepQueue = Pick<WorkQueue<ClaimedStep>, 'add'>;

/** Of an account. */
const CONCURRENT_VIDEOS = 3;
/** Of a video, queued or running. */
const CONCURRENT_CHUNKS = 4;
/** Rounds in which the chunks of other engines are rendered again. */
const MAX_REMAKES = 3;

/** Starts the account's oldest waiting videos. Holds the account's lock. */
export async function scheduleVideos(tx: Tx, queue: StepQueue, accountId: string): Promise<void> {
  await queue.add(tx, await queueNextVideos(tx, accountId, CONCURRENT_VIDEOS));
}

/**
 * Queues the video's next chunks, or its last step when all chunks are done. Holds the video's lock.
 * @returns whether there is more to render
 */
export async function scheduleSteps(tx: Tx, queue: StepQueue, video: VideoRef): Promise<boolean> {
  const { remaining, engines, queued } = await queueNextChunks(tx, video, CONCURRENT_CHUNKS);
  await queue.add(tx, queued);
  if (remaining > 0) return true;
  if (engines > 1 && (await countRemake(tx, video)) <= MAX_REMAKES) {
    const mismatched = mismatchedChunks(await findChunks(tx, video));
    await requeueSteps(
      tx,
      video.accountId,
      mismatched.map(({ id }) => id),
    );
    await queue.add(tx, mismatched);
    return true;
  }
  await scheduleFinish(tx, queue, video);
  return false;
}

/** As `scheduleSteps`, and announces what was done before. */
export async function continueVideo(tx: Tx, queue: StepQueue, video: VideoRef): Promise<void> {
  if (await scheduleSteps(tx, queue, video)) await announceProgress(tx, video);
}

async function scheduleFinish(tx: Tx, queue: StepQueue, video: VideoRef): Promise<void> {
  const id = newId('vst');
  await insertStep(tx, video, { id, kind: 'finish', status: 'queued' });
  // It is short, and completes a video.
  await queue.add(tx, [{ account_id: video.accountId, id, attempt: 0 }], { ahead: true });
  await setFinalizing(tx, video);
}
