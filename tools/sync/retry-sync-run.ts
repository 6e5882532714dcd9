import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { awaitRun, waitSeconds } from './await-run.ts';
import { givenRun } from './demo-example.ts';
import { runNext } from './run-next.ts';
import { runCaller } from './run-order.ts';
import { presentRun, RunRecord } from './run-output.ts';

export const retrySyncRun = defineTool({
  name: 'retry_sync_run',
  title: 'Retry a sync run',
  description:
    'Run an ended sync again to process what failed, was skipped or was undone. dry_run only plans, and over MCP every call does: send the id of the returned plan to run_sync as confirm.',
  keywords: {
    en: ['retry a failed sync', 'run again what failed', 'repeat', 'skipped rows', 'sync stopped halfway'],
    es: [
      'repetir la sincronización fallida',
      'reintentar lo que falló',
      'filas omitidas',
      'sincronización quedó a medias',
    ],
  },
  toolset: 'sync',
  effect: 'external',
  scope: 'sync:run',
  rate: 'sync',
  rest: { route: 'POST /sync/history/{run_id}/retry', status: 200 },
  mcp: { next: runNext },
  input: z.object({ run_id: z.string().max(100), dry_run: z.boolean().optional(), ...waitSeconds }),
  output: RunRecord,
  run: async ({ run_id: id, dry_run: dryRun, wait_seconds: seconds }, call) => {
    const { runs } = call.app.sync;
    const caller = runCaller(call);
    if (!dryRun && !call.byModel)
      return presentRun(await awaitRun(await runs.retry(caller, id), seconds, call), call);
    const order = await runs.retryOf(caller.accountId, id);
    return presentRun(await runs.preview(caller, order, call), call);
  },
  examples: [{ title: 'Plan only', given: givenRun, input: { run_id: '<run_sync.run_id>', dry_run: true } }],
});
