import { z } from 'zod';
import { FieldName } from '../../src/sync/values/field-name.ts';
import { defineTool } from '../contract/define.ts';
import { awaitRun, waitSeconds } from './await-run.ts';
import { givenConflict } from './demo-example.ts';
import { runNext } from './run-next.ts';
import { runCaller } from './run-order.ts';
import { presentRun, RunRecord } from './run-output.ts';

/** Choices that a person is shown. */
const SHOWN = 20;

const Resolution = z.object({
  key: z.string().max(500),
  field: FieldName,
  take: z
    .enum(['store', 'sheet', 'value'])
    .meta({ description: 'Side whose value both sides get; value uses the value you send' }),
  value: z.string().max(5_000).nullable().optional(),
});

export const resolveConflicts = defineTool({
  name: 'resolve_conflicts',
  title: 'Resolve sync conflicts',
  description:
    "Resolve conflicts from list_conflicts: choose store, sheet or a custom value for each key and field. A run writes the choice to both sides. Conflicts you don't name stay open. Takes effect immediately: ask the user first.",
  keywords: {
    en: [
      'store wins',
      'sheet wins',
      'keep the value of one side',
      'settle conflicts',
      'pick a side',
      'for all conflicts use the store',
    ],
    es: [
      'resolver conflictos',
      'gana la tienda',
      'gana la hoja',
      'usar el valor de un lado',
      'elegir',
      'en todos los conflictos usar la tienda',
    ],
  },
  toolset: 'sync',
  effect: 'external',
  scope: 'sync:run',
  rate: 'sync',
  rest: { route: 'POST /sync/conflicts/resolve', status: 200 },
  mcp: { next: runNext },
  input: z.object({
    config_id: z.string().max(100),
    resolutions: z.array(Resolution).min(1).max(1_000),
    ...waitSeconds,
  }),
  output: RunRecord,
  confirm: async ({ config_id, resolutions }, { app, caller }) => {
    await app.sync.configs.get(caller.accountId, config_id);
    const choices = resolutions.map(
      ({ key, field, take, value }) => `${key} ${field}: ${take === 'value' ? (value ?? '""') : take}`,
    );
    const rest = choices.length > SHOWN ? ['[…]'] : [];
    return {
      key: 'resolve_conflicts',
      params: { count: resolutions.length },
      shown: [...choices.slice(0, SHOWN), ...rest].join('\n'),
    };
  },
  run: async ({ config_id, resolutions, wait_seconds: seconds }, call) => {
    const chosen = resolutions.map(({ key, field, take, value = null }) => ({
      key,
      field,
      take: take === 'value' ? { value } : take,
    }));
    const started = await call.app.sync.runs.resolve(runCaller(call), config_id, chosen);
    return presentRun(await awaitRun(started, seconds, call), call);
  },
  examples: [
    {
      title: "The store's value",
      given: givenConflict,
      input: {
        config_id: '<create_sync_config.id>',
        resolutions: [{ key: 'MUG-SEA', field: 'inventory_quantity', take: 'store' }],
      },
    },
  ],
});
