import { z } from 'zod';
import { STORE_FIELDS } from '../../src/sync/values/field.ts';
import { defineTool } from '../define.ts';
import { givenConflict } from './demo-example.ts';
import { RunRecord, sayRun } from './run-answer.ts';
import { runCaller } from './run-order.ts';

const Resolution = z.object({
  key: z.string().max(500),
  field: z.enum(STORE_FIELDS),
  take: z
    .enum(['store', 'sheet', 'value'])
    .meta({ description: 'Whose value both sides get; value: the one in value' }),
  value: z.string().max(5_000).nullable().optional(),
});

export const resolveConflicts = defineTool({
  name: 'resolve_conflicts',
  title: 'Resolve sync conflicts',
  description:
    'Say which side is right where both changed, by key and field, or give another value. A run gives both sides the answer at once; conflicts that are not named stay held.',
  toolset: 'sync',
  effect: 'external',
  scope: 'sync:run',
  rate: 'sync',
  route: 'POST /sync/conflicts/resolve',
  status: 200,
  input: z.object({
    config_id: z.string().max(100),
    resolutions: z.array(Resolution).min(1).max(1_000),
  }),
  output: RunRecord,
  run: async ({ config_id, resolutions }, call) => {
    const chosen = resolutions.map(({ key, field, take, value = null }) => ({
      key,
      field,
      take: take === 'value' ? { value } : take,
    }));
    return sayRun(await call.app.sync.runs.resolve(runCaller(call), config_id, chosen), call.locale);
  },
  examples: [
    {
      title: 'what the store says',
      given: givenConflict,
      input: {
        config_id: '<create_sync_config.id>',
        resolutions: [{ key: 'MUG-SEA', field: 'inventory_quantity', take: 'store' }],
      },
    },
  ],
});
