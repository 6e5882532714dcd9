import { Fault } from '../errors.ts';
import type { Sql } from '../platform/database/database.ts';
import { createFairQueue } from '../platform/fair-queue.ts';
import type { RenderSessions } from './frames/frames.ts';
import { createOpenStages } from './render/open-stages.ts';
import { compositionOf } from './render/prepare-video.ts';
import type { RenderContext } from './render/render-context.ts';
import { findVideo } from './video-repo.ts';

type VideoFramesDeps = Pick<RenderContext, 'compositions'> & {
  readonly sql: Sql;
  readonly stages: Pick<RenderSessions, 'open'>;
  /** Frames painted concurrently. */
  readonly places: number;
};

type FrameRequest = {
  readonly seconds: number;
  readonly type: 'png' | 'jpeg';
  readonly signal: AbortSignal;
};

/** A viewer of one frame usually requests the next one soon. */
const SESSION_IDLE_MS = 10_000;
const MAX_WAITING = 20;
const FRAME_TIMEOUT_MS = 30_000;

/** Single frames of videos, rendered or not. */
export function createVideoFrames({ sql, compositions, stages, places }: VideoFramesDeps) {
  const openStages = createOpenStages({ stages, idleTimeoutMs: SESSION_IDLE_MS, maxIdle: places });
  const seconds = FRAME_TIMEOUT_MS / 1000;
  const tooBusy = () => new Fault('unavailable.browser_busy', { seconds }, { retryAfterSeconds: seconds });
  const line = createFairQueue({ concurrency: places, waiting: MAX_WAITING, rejection: tooBusy });

  return {
    /**
     * Returns the image at a time; after the end, the last frame.
     * @throws Fault not_found.video, unavailable.browser_busy, and those of `RenderSession`; the signal's reason
     */
    async frame(accountId: string, id: string, asked: FrameRequest): Promise<Uint8Array> {
      const video = await findVideo(sql, accountId, id);
      if (!video) throw new Fault('not_found.video', { id });
      const signal = AbortSignal.any([asked.signal, AbortSignal.timeout(FRAME_TIMEOUT_MS)]);
      const last = Math.max(0, Math.round(video.duration * video.fps) - 1);
      const frame = Math.min(last, Math.floor(asked.seconds * video.fps));
      await line.enter({ signal, accountId });
      try {
        const composition = () => compositionOf({ sql, compositions }, video, signal);
        return await openStages.use({ key: id, composition, signal }, (stage) =>
          stage.still(frame, asked.type, signal),
        );
      } finally {
        line.leave();
      }
    },

    /** Closes the sessions of a deleted video. */
    forget: (id: string) => openStages.drop(id),

    async close(): Promise<void> {
      line.dismiss(new Fault('unavailable.browser_stopped'));
      await openStages.close();
    },
  };
}
