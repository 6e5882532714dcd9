import { Fault } from '../../errors.ts';
import { databaseFault } from '../../platform/database/database.ts';
import { storeFault } from '../../platform/stored-fault.ts';
import type { Attempt, Fence } from '../../platform/work/attempt.ts';
import type { Craft, Task } from '../../platform/work/craft.ts';
import { createVideoStore } from '../store.ts';
import { finishVideo } from './finish-video.ts';
import type { Making } from './making.ts';
import { finishPreparing, prepareVideo } from './prepare-video.ts';
import { finishChunk, renderChunk } from './render-chunk.ts';
import type { Step } from './step.ts';
import { createStepStore } from './step-store.ts';
import { createStepWorkStore } from './step-work-store.ts';

/** Writes down what came of a step, in a transaction; false when it is another attempt's by now. */
type Settle = () => Promise<boolean>;

/** Does the steps of videos: a step that fails ends its video. */
export function createRenderWork(making: Making): Craft<Step, Settle> {
  const { sql, ends, openStages, log } = making;

  return {
    begin(step, attempt): Task<Settle> {
      const { fence } = attempt;
      return {
        run: () => doStep(making, step, attempt),
        async finish(end) {
          // Who canceled it has written that down.
          if (end.by === 'canceled') return openStages.drop(step.video_id);
          if (end.by === 'error') return fail(step, fence, end.cause);
          const isOwn = await end.result().catch(async (cause: unknown) => {
            await fail(step, fence, cause);
            return true;
          });
          if (!isOwn) log.warn({ step: fence.id }, 'a step of a video was finished by another attempt');
        },
      };
    },
    async lost(fence) {
      const step = await createStepWorkStore(sql).takeLost(fence);
      const own = { ...fence, attempt: fence.attempt + 1 };
      if (step) await fail(step, own, new Fault('video_failed.lost'));
    },
  };

  async function fail(step: Step, fence: Fence, cause: unknown): Promise<void> {
    // Without the database the ticket comes again.
    if (databaseFault(cause) && !(cause instanceof Fault)) throw cause;
    if (!(cause instanceof Fault)) log.error({ err: cause, step: step.id }, 'a video failed');
    await openStages.drop(step.video_id);
    const of = { accountId: fence.accountId, videoId: step.video_id };
    await ends.end(of, { status: 'failed', error: storeFault(cause) }, (tx) =>
      createStepStore(tx).hold(fence),
    );
  }
}

async function doStep(making: Making, step: Step, attempt: Attempt): Promise<Settle> {
  const { fence, signal } = attempt;
  const video = await createVideoStore(making.sql).find(fence.accountId, step.video_id);
  if (!video) throw new Error(`the video ${step.video_id} is gone`);
  switch (step.kind) {
    case 'prepare': {
      const prepared = await prepareVideo(making, video, signal);
      return () => finishPreparing(making, { fence, video, ...prepared });
    }
    case 'chunk': {
      const made = await renderChunk(making, { video, step }, attempt);
      return () => finishChunk(making, fence, step, made);
    }
    case 'finish': {
      const completed = await finishVideo(making, video, attempt);
      const of = { accountId: fence.accountId, videoId: video.id };
      return () => making.ends.end(of, completed, (tx) => createStepStore(tx).hold(fence));
    }
  }
}
