import type { Warning } from '../../language.ts';
import type { Attempt, FencingToken } from '../../platform/work/attempt.ts';
import type { EngineUsed, RenderSession } from '../frames/frames.ts';
import { storeWarnings } from '../stored-warning.ts';
import type { KeptFile } from '../video-repo.ts';
import { blobKeys, deleteBlobs, storeBlob } from './blob-cache.ts';
import { OPAQUE_CHUNK } from './opaque.ts';
import { compositionOf } from './prepare-video.ts';
import type { RenderContext } from './render-context.ts';
import { retry } from './retry.ts';
import { continueVideo } from './scheduler.ts';
import { type ClaimedStep, lockVideo } from './state.ts';
import { finishStep, type RenderedChunk } from './step-repo.ts';

type Painted = {
  readonly bytes: Uint8Array;
  readonly engine: EngineUsed | null;
  readonly poster: { readonly bytes: Uint8Array; readonly type: 'png' | 'jpeg' } | undefined;
  readonly warnings: readonly Warning[];
};

/** Renders the frames of a chunk, and the poster when its frame is one of them, and stores both. */
export async function renderChunk(
  { openStages, stages, blobs, ...context }: RenderContext,
  step: ClaimedStep,
  { fence, signal, progress }: Attempt,
): Promise<RenderedChunk> {
  const { video } = step;
  const ref = { accountId: fence.accountId, videoId: video.id };
  const composition = () => compositionOf(context, video, signal);
  const total = step.to_frame - step.from_frame;
  const onFrame = (done: number) => progress(done, total, '');
  const painted = await retry(
    () =>
      openStages.use({ key: video.id, composition, signal }, (stage) =>
        paint(stage, step, { signal, onFrame }),
      ),
    signal,
  );
  const fingerprint = await stages.fingerprint();
  const [chunk, poster] = await Promise.all([
    storeBlob(blobs, blobKeys.step(ref, fence, 'chunk'), painted.bytes),
    painted.poster && storePoster(painted.poster),
  ]);
  const { engine } = painted;
  const warnings = storeWarnings(painted.warnings);
  return { fingerprint, engine, blobKey: chunk.key, poster: poster ?? null, warnings };

  async function storePoster({ bytes, type }: NonNullable<Painted['poster']>): Promise<KeptFile> {
    const kept = await storeBlob(blobs, blobKeys.step(ref, fence, 'poster'), bytes);
    return type === 'png' ? { ...kept, mediaType: 'image/png' } : kept;
  }
}

type PaintOptions = { readonly signal: AbortSignal; readonly onFrame: (done: number) => void };

async function paint(
  stage: RenderSession,
  { video, ...step }: ClaimedStep,
  { signal, onFrame }: PaintOptions,
): Promise<Painted> {
  const { poster_frame: posterFrame, quality, format } = video;
  const span = { from: step.from_frame, to: step.to_frame };
  if (format === 'png') {
    const bytes = await stage.still(posterFrame, 'png', signal);
    return { bytes, engine: null, poster: undefined, warnings: stage.warnings };
  }
  const container = format === 'webm' ? 'webm' : 'mp4';
  const { bytes, engine, isOpaque } = await stage.renderChunk({
    ...{ span, format: container, quality, signal, onFrame },
  });
  const hasPoster = posterFrame >= span.from && posterFrame < span.to;
  const type = stage.transparent ? 'png' : 'jpeg';
  const poster = hasPoster
    ? ({ type, bytes: await stage.still(posterFrame, type, signal) } as const)
    : undefined;
  return { bytes, engine, poster, warnings: [...stage.warnings, ...(isOpaque ? [OPAQUE_CHUNK] : [])] };
}

/** Stores a chunk and queues what comes next. False when another attempt has the step; the blobs of this one are deleted then. */
export async function finishChunk(
  { sql, queue, blobs }: RenderContext,
  { fence, step, chunk }: { fence: FencingToken; step: ClaimedStep; chunk: RenderedChunk },
): Promise<boolean> {
  const ref = { accountId: fence.accountId, videoId: step.video_id };
  const isOwn = await sql.begin(async (tx) => {
    await lockVideo(tx, ref);
    if (!(await finishStep(tx, fence, chunk))) return false;
    await continueVideo(tx, queue, ref);
    return true;
  });
  const unused = isOwn ? [step.blob_key, step.poster?.key] : [chunk.blobKey, chunk.poster?.key];
  await deleteBlobs(
    blobs,
    unused.filter((key) => typeof key === 'string'),
  );
  return isOwn;
}
