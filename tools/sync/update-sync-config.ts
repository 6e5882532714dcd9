import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { automaticQuestion } from './automatic-question.ts';
import { presentConfig, SyncConfig } from './config-output.ts';
import { givenConfig } from './demo-example.ts';
import { ConfigId, configChanges } from './input.ts';

export const updateSyncConfig = defineTool({
  name: 'update_sync_config',
  title: 'Update a sync configuration',
  description:
    'Change a sync configuration. Omitted fields stay as they are; null restores a default. Changing mappings, key or location resets the baseline of two-way syncs.',
  keywords: {
    en: [
      'change how often it syncs',
      'edit column mapping',
      'pause or resume a schedule',
      'turn off automatic sync',
      'other direction',
    ],
    es: [
      'cambiar cada cuánto se sincroniza',
      'editar el mapeo de columnas',
      'pausar o reanudar',
      'desactivar la sincronización automática',
      'otra dirección',
    ],
  },
  toolset: 'sync',
  effect: 'update',
  scope: 'sync:write',
  rest: { route: 'PATCH /sync/config/{config_id}', etag: ({ version }) => String(version) },
  input: z.object({ config_id: ConfigId, ...configChanges }),
  output: SyncConfig,
  confirm: async ({ config_id: id, ...change }, { app, caller }) => {
    const now = await app.sync.configs.get(caller.accountId, id);
    const changed = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    return automaticQuestion({ ...now, ...changed });
  },
  run: async ({ config_id: id, ...input }, { app, caller, ifMatch }) => {
    const { store_id, sheet_id, direction, mappings, schedule, realtime, enabled, ...options } = input;
    const change = { store_id, sheet_id, direction, mappings, schedule, realtime, enabled, options };
    return presentConfig(await app.sync.configs.update(caller.accountId, id, change, ifMatch));
  },
  examples: [
    {
      title: 'The store wins conflicts',
      given: givenConfig,
      input: { config_id: '<create_sync_config.id>', conflict_policy: 'store_wins' },
    },
  ],
});
