import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { givenRun } from './demo-example.ts';
import { RunRecord, sayRun } from './run-answer.ts';
import { runCaller } from './run-order.ts';

export const revertSyncRun = defineTool({
  name: 'revert_sync_run',
  title: 'Undo a sync run',
  description:
    'Take back what a run has applied, as a new run. What somebody has changed since, such as stock that was sold, is left as it is and named. It is carried out at once: ask the person first.',
  toolset: 'sync',
  effect: 'external',
  scope: 'sync:run',
  rate: 'sync',
  rest: { route: 'POST /sync/history/{id}/revert', status: 200 },
  input: z.object({ id: z.string().max(100) }),
  output: RunRecord,
  run: async ({ id }, call) => sayRun(await call.app.sync.runs.revert(runCaller(call), id), call.locale),
  examples: [{ title: 'the first run of the demo', given: givenRun, input: { id: '<run_sync.run_id>' } }],
});
