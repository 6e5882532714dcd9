import { z } from 'zod';
import { RunCounts, SafetyLimitHit } from '../../src/sync/runs/run.ts';
import type { RunRow } from '../../src/sync/runs/runs.ts';
import { type Call, defineTool } from '../contract/define.ts';
import { ChangeRecord, presentChange } from './change-output.ts';
import { demoPair, givenDemo } from './demo-example.ts';
import { orderOf, runCaller, runOrder } from './run-order.ts';
import { presentRunError, RunError } from './run-output.ts';

/** Cells a preview shows; the rest is in the rows of the run. */
const SHOWN = 500;
const PAGE = 200;

export const previewSync = defineTool({
  name: 'preview_sync',
  title: 'Preview a sync',
  description:
    'Plan a sync without changing anything. Returns the change of each cell, conflicts, safety limits it would hit, and a plan_id. To apply it, send plan_id to run_sync as confirm within 30 minutes.',
  keywords: {
    en: [
      'dry run of a sync',
      'what would change',
      'simulate',
      'plan',
      'show changes before syncing',
      'what a sync would do',
    ],
    es: [
      'previsualizar sincronización',
      'qué cambiaría',
      'simular',
      'sin cambiar nada',
      'plan',
      'qué haría la sincronización',
      'ver cambios antes de sincronizar',
    ],
  },
  toolset: 'sync',
  effect: 'read',
  scope: 'sync:read',
  rate: 'sync',
  rest: { route: 'POST /sync/preview' },
  mcp: { core: true, app: { name: 'sync', id: ({ plan_id: id }) => id } },
  input: z.object(runOrder),
  output: z.object({
    plan_id: z.string(),
    status: z.string(),
    counts: RunCounts.partial(),
    changes: z.array(ChangeRecord).meta({ description: `The first ${SHOWN}` }),
    conflicts: z.array(ChangeRecord),
    safety_limits_hit: z.array(SafetyLimitHit),
    errors: z.array(RunError),
    expires_at: z.string().nullable(),
  }),
  run: async (input, call) => {
    const run = await call.app.sync.runs.preview(runCaller(call), await orderOf(input, call), call);
    const rows = (await firstRows(run.id, call)).map((row) => presentChange(row, call));
    return {
      plan_id: run.id,
      status: run.status,
      counts: run.counts,
      changes: rows.filter(({ state }) => state !== 'conflict'),
      conflicts: rows.filter(({ state }) => state === 'conflict'),
      safety_limits_hit: run.safety_limits_hit,
      errors: run.errors.map((error) => presentRunError(error, call)),
      expires_at: run.expires_at?.toISOString() ?? null,
    };
  },
  examples: [
    {
      title: 'The demo store to the demo sheet',
      given: givenDemo,
      input: { ...demoPair, direction: 'store_to_sheet' },
    },
  ],
});

async function firstRows(runId: string, { app, caller }: Call): Promise<RunRow[]> {
  const rows: RunRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await app.sync.runs.rows(caller.accountId, runId, { limit: PAGE, cursor });
    rows.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && rows.length < SHOWN);
  return rows.slice(0, SHOWN);
}
