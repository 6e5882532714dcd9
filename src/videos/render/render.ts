import { Fault } from '../../errors.ts';
import { databaseFault } from '../../platform/database/database-fault.ts';
import { storeFault } from '../../platform/stored-fault.ts';
import type { Attempt, FencingToken } from '../../platform/work/attempt.ts';
import type { WorkHandler, WorkTask } from '../../platform/work/work-handler.ts';
import { assembleVideo } from './assemble-video.ts';
import { blobKeys } from './blob-cache.ts';
import { diskFault, isDiskFault } from './disk-full.ts';
import { finishVideo } from './finish.ts';
import { finishPreparing, prepareVideo } from './prepare-video.ts';
import { finishChunk, renderChunk } from './render-chunk.ts';
import type { RenderContext } from './render-context.ts';
import type { ClaimedStep } from './state.ts';
import { type Step, takeAbandonedStep } from './step-repo.ts';

/** Stores the result of a step in a transaction; false when another attempt owns the step by now. */
type StoreResult = () => Promise<boolean>;

/**
 * Renders videos step by step: `prepare` (assets, content hash), `chunk` (some frames each, in parallel, on any machine), `finish`
 * (assemble the file). A step that fails fails its video. In: claimed steps. Out: the status of the video (changed in state.ts only):
 *
 *   pending ──first chunk claimed──▶ rendering ──all chunks done──▶ finalizing ──file assembled──▶ completed
 *      │ ├──all chunks kept from an earlier attempt──────────────────▲                                ▲
 *      │ └──a completed video has the same content────────────────────────────────────────────────────┘
 *      ▲
 *      └──retry── failed ◀── from pending, rendering, finalizing: a step failed, or its workers died
 *      └──retry── canceled ◀── from the same: by the owner; running steps are aborted
 *
 * Invariant: a video reaches a final status once per attempt, with its webhook; then the account's next video starts.
 */
export function createRenderHandler(context: RenderContext): WorkHandler<ClaimedStep, StoreResult> {
  const { sql, openStages, log } = context;

  return {
    begin(step, attempt): WorkTask<StoreResult> {
      const { fence } = attempt;
      return {
        run: () => runStep(context, step, attempt).catch(explainFailure(attempt)),
        async finish(outcome) {
          // The status was set by the cancelation.
          if (outcome.by === 'canceled') return openStages.drop(step.video_id);
          if (outcome.by === 'error') return fail(step, fence, outcome.cause);
          const isOwn = await outcome.result().catch(async (cause: unknown) => {
            await fail(step, fence, cause);
            return true;
          });
          if (!isOwn) log.warn({ step: fence.id }, 'a step of a video was finished by another attempt');
        },
      };
    },

    async abandoned(fence) {
      const step = await takeAbandonedStep(sql, fence);
      const own = { ...fence, attempt: fence.attempt + 1 };
      if (step) await fail(step, own, new Fault('video_failed.lost'));
    },
  };

  async function fail(step: Step, fence: FencingToken, cause: unknown): Promise<void> {
    // Without the database the step is delivered again.
    if (databaseFault(cause) && !(cause instanceof Fault)) throw cause;
    if (!(cause instanceof Fault)) log.error({ err: cause, step: step.id }, 'a video failed');
    await openStages.drop(step.video_id);
    const video = { accountId: fence.accountId, videoId: step.video_id };
    // On a full disk, what a retry could reuse is in the way of everybody.
    const isFull = isDiskFault(cause);
    const outcome = { status: 'failed', error: storeFault(cause), dropsPieces: isFull } as const;
    await finishVideo(context, video, outcome, { fence });
    // The sweep removes what a failure leaves here.
    if (isFull) await context.compositions.remove(blobKeys.composition(video)).catch(() => {});
  }
}

/** A full disk is called that, in whatever way the work failed. */
function explainFailure({ signal }: Attempt) {
  return async (error: unknown): Promise<never> => {
    throw (signal.aborted ? undefined : await diskFault(error)) ?? error;
  };
}

async function runStep(context: RenderContext, step: ClaimedStep, attempt: Attempt): Promise<StoreResult> {
  const { fence, signal } = attempt;
  const { video } = step;
  switch (step.kind) {
    case 'prepare': {
      const prepared = await prepareVideo(context, video, signal);
      return () => finishPreparing(context, { fence, video, ...prepared });
    }
    case 'chunk': {
      const chunk = await renderChunk(context, step, attempt);
      return () => finishChunk(context, { fence, step, chunk });
    }
    case 'finish': {
      const completed = await assembleVideo(context, video, attempt);
      const ref = { accountId: fence.accountId, videoId: video.id };
      return () => finishVideo(context, ref, completed, { fence });
    }
  }
}
