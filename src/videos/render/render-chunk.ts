import type { Attempt, FencingToken } from '../../platform/work/attempt.ts';
import type { EngineUsed, Stage } from '../frames/stage.ts';
import type { VideoRow } from '../store.ts';
import { again } from './again.ts';
import { blobKeys } from './blob-keys.ts';
import { dropBytes, keepBytes } from './kept-bytes.ts';
import type { Making } from './making.ts';
import { compositionOf } from './prepare-video.ts';
import { createStateStore } from './state-store.ts';
import type { Step } from './step.ts';
import { createStepStore, type MadeChunk } from './step-store.ts';

type Painted = {
  readonly bytes: Uint8Array;
  readonly engine: EngineUsed | null;
  readonly poster: Uint8Array | undefined;
};

/** Makes the frames of a chunk, and the poster when its frame is one of them; both are kept. */
export async function renderChunk(
  making: Making,
  { video, step }: { readonly video: VideoRow; readonly step: Step },
  { fence, signal, progress }: Attempt,
): Promise<MadeChunk> {
  const { openStages, stages, blobs } = making;
  const of = { accountId: fence.accountId, videoId: video.id };
  const composition = () => compositionOf(making, video, signal);
  const total = step.to_frame - step.from_frame;
  const painted = await again(
    () =>
      openStages.use({ key: video.id, composition, signal }, (stage) =>
        paint(stage, { video, step, signal, onFrame: (done) => progress(done, total, '') }),
      ),
    signal,
  );
  const fingerprint = await stages.fingerprint();
  const [chunk, poster] = await Promise.all([
    keepBytes(blobs, blobKeys.step(of, fence, 'chunk'), painted.bytes),
    painted.poster && keepBytes(blobs, blobKeys.step(of, fence, 'poster'), painted.poster),
  ]);
  return { fingerprint, engine: painted.engine, blobKey: chunk.key, poster: poster ?? null };
}

type Painting = {
  readonly video: VideoRow;
  readonly step: Step;
  readonly signal: AbortSignal;
  readonly onFrame: (done: number) => void;
};

async function paint(stage: Stage, { video, step, signal, onFrame }: Painting): Promise<Painted> {
  const { poster_frame: posterFrame, quality, format } = video;
  const span = { from: step.from_frame, to: step.to_frame };
  if (format === 'png') {
    const bytes = await stage.still(posterFrame, 'png', signal);
    return { bytes, engine: null, poster: undefined };
  }
  const container = format === 'webm' ? 'webm' : 'mp4';
  const { bytes, engine } = await stage.renderChunk({ span, format: container, quality, signal, onFrame });
  const isPosters = posterFrame >= span.from && posterFrame < span.to;
  const poster = isPosters ? await stage.still(posterFrame, 'jpeg', signal) : undefined;
  return { bytes, engine, poster };
}

/** Writes a chunk down, and queues what is next. False when another attempt has the step; what this one kept then goes. */
export async function finishChunk(
  { sql, turns, blobs }: Making,
  fence: FencingToken,
  step: Step,
  made: MadeChunk,
) {
  const of = { accountId: fence.accountId, videoId: step.video_id };
  const isOwn = await sql.begin(async (tx) => {
    await createStateStore(tx).lock(step.video_id);
    if (!(await createStepStore(tx).hold(fence))) return false;
    await createStepStore(tx).done(fence, made);
    await turns.nextSteps(tx, of);
    return true;
  });
  const useless = isOwn ? [step.blob_key, step.poster?.key] : [made.blobKey, made.poster?.key];
  await dropBytes(
    blobs,
    useless.filter((key) => typeof key === 'string'),
  );
  return isOwn;
}
