import type { Blobs } from '../../platform/blobs/blobs.ts';
import type { Also, Sql, Tx } from '../../platform/database/database.ts';
import type { FencingToken } from '../../platform/work/attempt.ts';
import { announceEnd } from '../video-events.ts';
import { findVideo } from '../video-repo.ts';
import { hasBytes } from './blob-cache.ts';
import { type StepQueue, scheduleVideos } from './scheduler.ts';
import { findSameVideos, lockAccountAndVideo, setEnded, type VideoOutcome, type VideoRef } from './state.ts';
import { deleteSteps, holdStep } from './step-repo.ts';

export type FinishDeps = {
  readonly sql: Sql;
  readonly queue: StepQueue;
  /** Runs after the transaction. */
  readonly onFinished: (videoId: string, finished: Finished) => void;
};

export type Finished = {
  readonly status: VideoOutcome['status'];
  /** Blobs that have no further use. */
  readonly unusedKeys: readonly string[];
};

/**
 * Moves a video to a final status exactly once, sends its webhooks and starts the account's next videos.
 * @param fence With it the video ends only if the attempt still owns its step.
 * @returns whether this was its end
 */
export async function finishVideo(
  deps: FinishDeps,
  video: VideoRef,
  outcome: VideoOutcome,
  { fence, also }: { readonly fence?: FencingToken; readonly also?: Also | undefined } = {},
): Promise<boolean> {
  const finished = await deps.sql.begin(async (tx) => {
    await lockAccountAndVideo(tx, video);
    if (fence && !(await holdStep(tx, fence))) return undefined;
    const ended = await finishWithin(tx, deps, video, outcome);
    if (ended) await also?.(tx, video.videoId);
    return ended;
  });
  if (finished) deps.onFinished(video.videoId, finished);
  return finished !== undefined;
}

/** The same in a transaction that has called `lockAccountAndVideo`. The caller calls `onFinished` after it. */
export async function finishWithin(
  tx: Tx,
  { queue }: Pick<FinishDeps, 'queue'>,
  video: VideoRef,
  outcome: VideoOutcome,
): Promise<Finished | undefined> {
  const completed = outcome.status === 'completed' ? outcome : undefined;
  const isOver = completed || (outcome.status === 'failed' && outcome.dropsPieces);
  const keys = await deleteSteps(tx, video, isOver ? 'nothing' : 'done chunks');
  const ended = await setEnded(tx, video, outcome);
  if (!ended) return undefined;
  const row = ended.isAwaited && (await findVideo(tx, video.accountId, video.videoId));
  if (row) await announceEnd(tx, row);
  await scheduleVideos(tx, queue, video.accountId);
  return { status: outcome.status, unusedKeys: keys.filter((key) => key !== completed?.files.poster?.key) };
}

/**
 * Completes a video with the files of a completed one of the same content: undefined when there is none whose bytes are
 * stored. As `finishWithin`.
 */
export async function reuseCached(
  tx: Tx,
  { blobs, queue }: Pick<FinishDeps, 'queue'> & { readonly blobs: Blobs },
  video: VideoRef,
  contentHash: string,
): Promise<Finished | undefined> {
  // While the account is locked, no files of its videos are deleted.
  for (const same of await findSameVideos(tx, video.accountId, contentHash))
    if (await hasBytes(blobs, same.files))
      return finishWithin(tx, { queue }, video, { status: 'completed', ...same, contentHash });
  return undefined;
}
