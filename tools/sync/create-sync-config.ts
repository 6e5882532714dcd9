import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { automaticQuestion } from './automatic-question.ts';
import { presentConfig, SyncConfig } from './config-output.ts';
import { demoPair, givenDemo } from './demo-example.ts';
import { configFields } from './input.ts';

export const createSyncConfig = defineTool({
  name: 'create_sync_config',
  title: 'Create a sync configuration',
  description:
    'Save how a store and a sheet sync: column mappings, direction and schedule. Does not run a sync; use preview_sync or run_sync with the returned id as config_id.',
  keywords: {
    en: [
      'set up a sync',
      'schedule sync',
      'sync automatically every hour or 15 minutes',
      'map columns',
      'keep store and sheet in step',
    ],
    es: [
      'configurar una sincronización',
      'programar',
      'sincronizar automáticamente cada hora o 15 minutos',
      'asignar columnas',
      'mantener al día tienda y hoja',
    ],
  },
  toolset: 'sync',
  effect: 'create',
  scope: 'sync:write',
  rest: { route: 'POST /sync/config', etag: ({ version }) => String(version) },
  input: z.object(configFields),
  output: SyncConfig,
  confirm: async (input) => automaticQuestion(input),
  run: async (input, { app, caller }) => {
    const { store_id, sheet_id, direction, mappings, schedule, realtime, enabled, ...options } = input;
    const request = { store_id, sheet_id, direction, mappings, schedule, realtime, enabled, options };
    return presentConfig(await app.sync.configs.create(caller.accountId, request));
  },
  examples: [
    {
      title: 'Stock and prices, two-way',
      given: givenDemo,
      input: {
        ...demoPair,
        direction: 'two_way',
        mappings: [
          { sheet_column: 'SKU', store_field: 'sku' },
          { sheet_column: 'Stock', store_field: 'inventory_quantity' },
          { sheet_column: 'Price', store_field: 'price' },
        ],
      },
    },
  ],
});
