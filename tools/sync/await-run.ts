import { z } from 'zod';
import { isSettled, type Run } from '../../src/sync/runs/run.ts';
import type { Call } from '../contract/define.ts';

/** Longer runs are followed by their events. */
const MAX_SECONDS = 25;
const SLICE_MS = 1_000;

export const waitSeconds = {
  wait_seconds: z
    .int()
    .min(0)
    .max(MAX_SECONDS)
    .default(MAX_SECONDS)
    .meta({ description: 'The run continues after that' }),
};

/**
 * The run once it has finished or waits for a person, otherwise its state after this many seconds. Reports its
 * progress.
 */
export async function awaitRun(
  started: Run,
  seconds: number,
  { app, signal, progress }: Pick<Call, 'app' | 'signal' | 'progress'>,
): Promise<Run> {
  const until = performance.now() + seconds * 1_000;
  let run = started;
  for (let left = seconds * 1_000; left > 0 && !isSettled(run) && !signal.aborted; ) {
    run = await app.sync.runs.wait(run.account_id, run.id, signal, Math.min(left, SLICE_MS), run);
    if (run.progress) progress(run.progress.done, run.progress.total, run.progress.message);
    left = until - performance.now();
  }
  return run;
}
