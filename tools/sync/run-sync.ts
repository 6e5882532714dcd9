import { z } from 'zod';
import { Fault } from '../../src/errors.ts';
import type { Run } from '../../src/sync/runs/run.ts';
import { type Call, defineTool } from '../contract/define.ts';
import { awaitRun, waitSeconds } from './await-run.ts';
import { demoPair, givenDemo } from './demo-example.ts';
import { orderOf, runCaller, runOrder } from './run-order.ts';
import { presentRunResult, RunResult } from './run-output.ts';

export const runSync = defineTool({
  name: 'run_sync',
  title: 'Run a sync',
  description:
    'Sync a store and a sheet, by config_id or by store_id, sheet_id and direction. Over MCP, a call without confirm only plans: show the user the plan, then call again with its plan_id as confirm. Returns counts and errors. To follow a run, use get_sync_run.',
  keywords: {
    en: [
      'sync now',
      'start a sync',
      'push prices and stock',
      'update shopify from the sheet',
      'copy stock from the shop to the sheet',
      'write the sheet to the shop',
      'send prices to shopify',
      'sync from sheet to store',
    ],
    es: [
      'ejecutar sincronización',
      'sincronizar ahora',
      'subir precios y existencias',
      'actualizar shopify desde la hoja',
      'copiar inventario a la hoja',
      'pasar precios de la hoja a la tienda',
      'mandar precios a shopify',
      'sincronizar de la hoja a la tienda',
    ],
  },
  toolset: 'sync',
  effect: 'external',
  scope: 'sync:run',
  rate: 'sync',
  rest: { route: 'POST /sync/run', events: {} },
  mcp: { core: true, app: { name: 'sync', id: ({ run_id: id }) => id } },
  input: z.object({
    ...runOrder,
    dry_run: z.boolean().optional(),
    confirm: z.string().max(100).optional().meta({ description: 'plan_id to apply' }),
    ...waitSeconds,
  }),
  output: RunResult,
  confirm: async ({ confirm: plan, dry_run: dryRun }, { app, caller }) => {
    if (!plan || dryRun) return undefined;
    const run = await app.sync.runs.get(caller.accountId, plan).catch(unlessUnknown);
    // What cannot be carried out is told by the call itself.
    if (run?.status !== 'awaiting_confirmation') return undefined;
    const { to_store = 0, to_sheet = 0 } = run.counts;
    return { key: 'run_sync', params: { plan, to_store, to_sheet }, named: true };
  },
  run: async ({ confirm, dry_run: dryRun, wait_seconds: seconds, ...input }, call) => {
    const { runs } = call.app.sync;
    const caller = runCaller(call);
    if (confirm && dryRun) return presentRunResult(await runs.get(caller.accountId, confirm), call);
    if (confirm) return finished(await runs.confirm(caller.accountId, confirm), seconds, call);
    const order = await orderOf(input, call);
    if (dryRun || call.byModel) return presentRunResult(await runs.preview(caller, order, call), call);
    return finished(await runs.create(caller, order), seconds, call);
  },
  examples: [
    {
      title: 'The demo store to the demo sheet, plan only',
      given: givenDemo,
      input: { ...demoPair, direction: 'store_to_sheet', dry_run: true },
    },
  ],
});

function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof Fault && error.code === 'not_found')) throw error;
}

async function finished(started: Run, seconds: number, call: Call) {
  const run = await awaitRun(started, seconds, call);
  if (run.status === 'awaiting_confirmation') throw held(run);
  return presentRunResult(run, call);
}

function held({ id, safety_limits_hit, counts, errors }: Run): Fault {
  const data = { plan_id: id, safety_limits_hit, counts };
  if (safety_limits_hit.length > 0)
    return new Fault('confirmation_required.safety_limits', { plan: id }, { data });
  const { count = 0 } = errors.find(({ key }) => key === 'undecided')?.params ?? {};
  return new Fault('confirmation_required.initial', { plan: id, count }, { data });
}
