import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { demoPair, givenDemo } from './demo-example.ts';
import { presentRun, RunRecord } from './run-output.ts';

export const cancelSyncRun = defineTool({
  name: 'cancel_sync_run',
  title: 'Cancel a sync run',
  description:
    'Cancel a sync run: a queued run immediately, a running one after its current batch. Applied changes stay; to undo them, use revert_sync_run.',
  keywords: {
    en: ['stop a running sync', 'abort', 'interrupt', 'stop the sync', 'sync is going wrong'],
    es: [
      'cancelar sincronización',
      'detener una sincronización en marcha',
      'interrumpir',
      'en curso',
      'detener la sincronización',
      'la sincronización va mal',
    ],
  },
  toolset: 'sync',
  effect: 'update',
  scope: 'sync:run',
  rest: { route: 'POST /sync/history/{run_id}/cancel' },
  input: z.object({ run_id: z.string().max(100) }),
  output: RunRecord,
  run: async ({ run_id: id }, call) =>
    presentRun(await call.app.sync.runs.cancel(call.caller.accountId, id), call),
  examples: [
    {
      title: 'An unwanted plan',
      given: [...givenDemo, ['preview_sync', { ...demoPair, direction: 'store_to_sheet' }]],
      input: { run_id: '<preview_sync.plan_id>' },
    },
  ],
});
