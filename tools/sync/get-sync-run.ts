import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { givenRun } from './demo-example.ts';
import { presentRun, RunRecord } from './run-output.ts';

export const getSyncRun = defineTool({
  name: 'get_sync_run',
  title: 'Get a sync run',
  description:
    'Get a sync run: status, progress, counts and every error with its row. For its changes cell by cell, use list_sync_changes.',
  keywords: {
    en: [
      'sync errors',
      'why did a sync fail',
      'status and progress of a sync',
      'how did it end',
      'details of a sync',
    ],
    es: [
      'errores de la sincronización',
      'por qué falló la sincronización',
      'estado y progreso',
      'cómo terminó',
      'detalles de una sincronización',
    ],
  },
  toolset: 'sync',
  effect: 'read',
  scope: 'sync:read',
  rest: { route: 'GET /sync/history/{run_id}' },
  mcp: { app: { name: 'sync', id: ({ id }) => id } },
  input: z.object({ run_id: z.string().max(100) }),
  output: RunRecord,
  run: async ({ run_id: id }, call) =>
    presentRun(await call.app.sync.runs.get(call.caller.accountId, id), call),
  examples: [{ title: 'A run that has ended', given: givenRun, input: { run_id: '<run_sync.run_id>' } }],
});
