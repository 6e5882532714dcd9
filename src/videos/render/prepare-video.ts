import { Fault } from '../../errors.ts';
import type { FencingToken } from '../../platform/work/attempt.ts';
import type { Composition } from '../composition/composition.ts';
import { findPage, hasVideo } from '../video-repo.ts';
import { blobKeys, deleteBlobs } from './blob-cache.ts';
import { chunkGrid } from './chunks.ts';
import { reuseCached } from './finish.ts';
import type { RenderContext } from './render-context.ts';
import { scheduleSteps } from './scheduler.ts';
import { type ClaimedVideo, lockAccountAndVideo, setPrepared } from './state.ts';
import { deleteChunks, finishStep, holdStep, insertChunks } from './step-repo.ts';

export type Prepared = { readonly contentHash: string };

/** Fetches the page's assets and stores them with the page: from now on the content of the video cannot change. */
export async function prepareVideo(
  context: RenderContext,
  video: ClaimedVideo,
  signal: AbortSignal,
): Promise<Prepared> {
  const composition = await compositionOf(context, video, signal);
  const fingerprint = await context.stages.fingerprint();
  return { contentHash: context.compositions.hash(composition, { ...renderOptions(video), fingerprint }) };
}

/** What the hash of a video covers besides its composition and its engine. */
export function renderOptions({ format, quality, poster_frame: posterFrame }: ClaimedVideo) {
  return { format, quality, posterFrame };
}

/** As it was stored, or else as it is built now, and stored. */
export async function compositionOf(
  { sql, compositions }: Pick<RenderContext, 'sql' | 'compositions'>,
  { account_id: accountId, id: videoId }: Pick<ClaimedVideo, 'account_id' | 'id'>,
  signal: AbortSignal,
): Promise<Composition> {
  const prefix = blobKeys.composition({ accountId, videoId });
  const stored = await compositions.load(prefix);
  if (stored) return stored;
  const page = await findPage(sql, accountId, videoId);
  if (!page) throw new Fault('not_found.video', { id: videoId });
  const composition = await compositions.gather(page, signal, accountId);
  await compositions.keep(prefix, composition);
  // If the video was deleted in the meantime, nothing else would remove it.
  if (!(await hasVideo(sql, accountId, videoId))) await compositions.remove(prefix);
  return composition;
}

/**
 * Completes the video with the files of the same one, or else queues its chunks; matching chunks of an earlier attempt stay.
 * @returns whether the attempt still owned the step
 */
export async function finishPreparing(
  context: RenderContext,
  { fence, video, contentHash }: { readonly fence: FencingToken; readonly video: ClaimedVideo } & Prepared,
): Promise<boolean> {
  const { sql, queue, blobs } = context;
  const ref = { accountId: fence.accountId, videoId: video.id };
  const done = await sql.begin(async (tx) => {
    await lockAccountAndVideo(tx, ref);
    if (!(await holdStep(tx, fence))) return undefined;
    const finished = await reuseCached(tx, context, ref, contentHash);
    if (finished) return { finished };
    await finishStep(tx, fence);
    // Chunks were only queued once the hash was known.
    const hasOldChunks = video.content_hash !== null && video.content_hash !== contentHash;
    const outdatedKeys = hasOldChunks ? await deleteChunks(tx, ref) : [];
    const from = video.format === 'png' ? video.poster_frame : 0;
    await insertChunks(tx, ref, chunkGrid({ from, to: from + video.frames }, video));
    await setPrepared(tx, ref, contentHash);
    await scheduleSteps(tx, queue, ref);
    return { outdatedKeys };
  });
  if (done?.finished) context.onFinished(video.id, done.finished);
  await deleteBlobs(blobs, done?.outdatedKeys ?? []);
  return done !== undefined;
}
