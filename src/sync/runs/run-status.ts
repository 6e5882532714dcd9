import type { Run, RunStatus } from './run.ts';

/** True for a run that nothing will change any more. */
export function isFinished({ status }: Pick<Run, 'status'>): boolean {
  return FINISHED.has(status);
}

/** True for a run that goes no further by itself. */
export function isSettled(run: Pick<Run, 'status'>): boolean {
  return isFinished(run) || run.status === 'awaiting_confirmation';
}

const FINISHED: ReadonlySet<RunStatus> = new Set(['succeeded', 'partial', 'failed', 'canceled']);
