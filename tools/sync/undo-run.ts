import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { givenRun } from './demo-example.ts';
import { runCaller } from './run-order.ts';
import { presentRun, RunRecord } from './run-output.ts';

/** A click on Undo in the app that shows a sync run: a run that has ended never changes, so its ID is what was shown. */
export const undoRun = defineTool({
  name: 'undo_run',
  title: 'Undo the run shown',
  description:
    'Undo the sync run that the app shows, as a new run, and return immediately. Only apps call it, when a person clicks. Models use revert_sync_run.',
  toolset: 'sync',
  effect: 'external',
  scope: 'sync:run',
  rate: 'sync',
  mcp: { visibility: ['app'], standsFor: 'revert_sync_run' },
  input: z.object({ run_id: z.string().max(100) }),
  output: RunRecord,
  run: async ({ run_id: id }, call) => presentRun(await call.app.sync.runs.revert(runCaller(call), id), call),
  examples: [{ title: 'The first run of the demo', given: givenRun, input: { run_id: '<run_sync.run_id>' } }],
});
