import { Fault } from '../errors.ts';
import type { Sql } from '../platform/database/database.ts';
import { createFairQueue } from '../platform/fair-queue.ts';
import type { Stages } from './frames/stage.ts';
import type { Making } from './render/making.ts';
import { createOpenStages } from './render/open-stages.ts';
import { compositionOf } from './render/prepare-video.ts';
import { createVideoStore } from './store.ts';

type Parts = Pick<Making, 'compositions'> & {
  readonly sql: Sql;
  readonly stages: Pick<Stages, 'open'>;
  /** Frames painted at the same time. */
  readonly places: number;
};

type FrameAsked = {
  readonly seconds: number;
  readonly type: 'png' | 'jpeg';
  readonly signal: AbortSignal;
};

/** Somebody who looks at a frame will look at the next one soon. */
const IDLE_MS = 10_000;
const WAITING = 20;
const FRAME_MS = 30_000;

/** Single frames of videos, whether those are made already or not. */
export function createVideoFrames({ sql, compositions, stages, places }: Parts) {
  const store = createVideoStore(sql);
  const openStages = createOpenStages({ stages, idleMs: IDLE_MS, most: places });
  const seconds = FRAME_MS / 1000;
  const refuse = () => new Fault('unavailable.browser_busy', { seconds }, { retryAfterSeconds: seconds });
  const line = createFairQueue({ concurrency: places, waiting: WAITING, rejection: refuse });

  return {
    /**
     * The picture of a moment; one after the end is the last frame.
     * @throws Fault not_found.video, unavailable.browser_busy, and those of `Stage`; the signal's reason
     */
    async frame(accountId: string, id: string, asked: FrameAsked): Promise<Uint8Array> {
      const video = await store.find(accountId, id);
      if (!video) throw new Fault('not_found.video', { id });
      const signal = AbortSignal.any([asked.signal, AbortSignal.timeout(FRAME_MS)]);
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

    /** Of one that is no more. */
    forget: (id: string) => openStages.drop(id),

    async close(): Promise<void> {
      line.dismiss(new Fault('unavailable.browser_stopped'));
      await openStages.close();
    },
  };
}
