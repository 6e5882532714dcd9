import type { z } from 'zod';
import type { RunRecord } from './run-output.ts';

const ENDED: ReadonlySet<string> = new Set(['succeeded', 'partial', 'failed', 'canceled']);

/** What a model calls after a run that it started. */
export function runNext({ id, status }: z.output<typeof RunRecord>): string {
  if (status === 'awaiting_confirmation')
    return `Nothing has changed yet. Show the user the plan, then call run_sync with confirm ${id}.`;
  if (ENDED.has(status)) return `For what changed cell by cell, call list_sync_changes with id ${id}.`;
  return `Still ${status}. Call get_sync_run with id ${id}; do not start it again.`;
}
