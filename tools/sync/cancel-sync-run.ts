import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { demoPair, givenDemo } from './demo-example.ts';
import { RunRecord, sayRun } from './run-answer.ts';

export const cancelSyncRun = defineTool({
  name: 'cancel_sync_run',
  title: 'Cancel a sync run',
  description:
    'End a run: at once while it waits, else after the batch it is at. What was applied stays; revert_sync_run takes it back.',
  toolset: 'sync',
  effect: 'update',
  scope: 'sync:run',
  rest: { route: 'POST /sync/history/{id}/cancel' },
  input: z.object({ id: z.string().max(100) }),
  output: RunRecord,
  run: async ({ id }, { app, caller, locale }) =>
    sayRun(await app.sync.runs.cancel(caller.accountId, id), locale),
  examples: [
    {
      title: 'a plan that is not wanted',
      given: [...givenDemo, ['preview_sync', { ...demoPair, direction: 'store_to_sheet' }]],
      input: { id: '<preview_sync.plan_id>' },
    },
  ],
});
