import { z } from 'zod';
import { RunStatus } from '../../src/sync/runs/run.ts';
import { defineTool } from '../contract/define.ts';
import { page, paging } from '../contract/page.ts';
import { presentRun, RunRecord } from './run-output.ts';

export const listSyncRuns = defineTool({
  name: 'list_sync_runs',
  title: 'List sync runs',
  description:
    "List sync runs, newest first, with status and number of changes; no previews. For a run's errors, use get_sync_run; for its changes, use list_sync_changes.",
  keywords: {
    en: ['past syncs', 'sync history', 'when did it last sync', 'what happened in a sync', 'recent syncs'],
    es: [
      'historial de sincronizaciones',
      'sincronizaciones anteriores',
      'cuándo se sincronizó',
      'qué pasó en la sincronización',
      'sincronizaciones recientes',
    ],
  },
  toolset: 'sync',
  effect: 'read',
  scope: 'sync:read',
  rest: { route: 'GET /sync/history' },
  mcp: { core: true },
  input: z.object({
    config_id: z.string().max(100).optional(),
    status: RunStatus.optional(),
    ...paging,
  }),
  output: page(RunRecord),
  run: async (input, call) => {
    const { app, caller } = call;
    const { items, ...rest } = await app.sync.runs.list(caller.accountId, input);
    return { items: items.map((run) => presentRun(run, call)), ...rest };
  },
  examples: [{ title: 'No runs yet', input: {} }],
});
