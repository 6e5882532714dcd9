import type { z } from 'zod';
import type { SayCall } from '../contract/define.ts';
import type { RunRecord } from './run-output.ts';

const ENDED: ReadonlySet<string> = new Set(['succeeded', 'partial', 'failed', 'canceled']);

/** The next call of a model after a run that it started. */
export function runNext({ id, status }: z.output<typeof RunRecord>, say: SayCall): string {
  if (status === 'awaiting_confirmation')
    return `Nothing has changed yet. Show the user the plan, then call ${say('run_sync', { confirm: id })}.`;
  if (ENDED.has(status))
    return `For what changed cell by cell, call ${say('list_sync_changes', { run_id: id })}.`;
  return `Still ${status}. Call ${say('get_sync_run', { run_id: id })}; do not start it again.`;
}
