import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { demoPair, givenDemo } from './demo-example.ts';
import { presentRun, RunRecord } from './run-output.ts';

/** A click on the button of the app that shows a plan: a plan never changes, so its ID is what was shown. */
export const applyPlan = defineTool({
  name: 'apply_plan',
  title: 'Apply the plan shown',
  description:
    'Apply the plan of a sync that the app shows, and return immediately. Only apps call it, when a person clicks. Models use run_sync with confirm.',
  toolset: 'sync',
  effect: 'external',
  scope: 'sync:run',
  rate: 'sync',
  mcp: { visibility: ['app'], standsFor: 'run_sync' },
  input: z.object({ plan_id: z.string().max(100) }),
  output: RunRecord,
  run: async ({ plan_id: id }, call) =>
    presentRun(await call.app.sync.runs.confirm(call.caller.accountId, id), call),
  examples: [
    {
      title: 'The plan of the demo store',
      given: [...givenDemo, ['preview_sync', { ...demoPair, direction: 'store_to_sheet' }]],
      input: { plan_id: '<preview_sync.plan_id>' },
    },
  ],
});
