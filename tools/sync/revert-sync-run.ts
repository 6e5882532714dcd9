import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { awaitRun, waitSeconds } from './await-run.ts';
import { givenRun } from './demo-example.ts';
import { runNext } from './run-next.ts';
import { runCaller } from './run-order.ts';
import { presentRun, RunRecord } from './run-output.ts';

export const revertSyncRun = defineTool({
  name: 'revert_sync_run',
  title: 'Undo a sync run',
  description:
    'Undo the changes a sync run applied, as a new run. Values changed since, such as stock sold in the meantime, are kept and listed. The run stays undone until someone changes one of the two values or retries the run. Takes effect immediately: ask the user first.',
  keywords: {
    en: [
      'rollback sync',
      'undo a sync',
      'put back the old prices or stock',
      'restore values from before',
      'take back wrong prices',
      'the sync ruined something',
      'undo the last sync',
      'reverse a sync',
    ],
    es: [
      'revertir sincronización',
      'deshacer la sincronización',
      'devolver los precios o existencias de antes',
      'restaurar valores',
      'la sincronización estropeó los precios',
      'deshacer la última sincronización',
      'dar marcha atrás a una sincronización',
    ],
  },
  toolset: 'sync',
  effect: 'external',
  scope: 'sync:run',
  rate: 'sync',
  rest: { route: 'POST /sync/history/{run_id}/revert', status: 200 },
  mcp: { app: { name: 'sync', id: ({ id }) => id }, next: runNext },
  input: z.object({ run_id: z.string().max(100), ...waitSeconds }),
  output: RunRecord,
  confirm: async ({ run_id: run }, { app, caller }) => {
    const { changed = 0 } = (await app.sync.runs.get(caller.accountId, run)).counts;
    return { key: 'revert_sync_run', params: { run, changed } };
  },
  run: async ({ run_id: id, wait_seconds: seconds }, call) => {
    const started = await call.app.sync.runs.revert(runCaller(call), id);
    return presentRun(await awaitRun(started, seconds, call), call);
  },
  examples: [{ title: 'The first run of the demo', given: givenRun, input: { run_id: '<run_sync.run_id>' } }],
});
