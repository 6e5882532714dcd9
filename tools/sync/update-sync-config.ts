import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { SyncConfig, sayConfig } from './config-answer.ts';
import { givenConfig } from './demo-example.ts';
import { ConfigId, configChanges } from './input.ts';

export const updateSyncConfig = defineTool({
  name: 'update_sync_config',
  title: 'Change a sync configuration',
  description:
    'Change what is sent of a sync configuration; what is left out stays, and an option that is null is as usual again. Other mappings, another key or location: the next two_way run begins anew.',
  toolset: 'sync',
  effect: 'update',
  scope: 'sync:write',
  rest: { route: 'PATCH /sync/config/{id}', etag: ({ version }) => String(version) },
  input: z.object({ id: ConfigId, ...configChanges }),
  output: SyncConfig,
  run: async ({ id, ...input }, { app, caller, ifMatch }) => {
    const { store_id, sheet_id, direction, mappings, schedule, realtime, enabled, ...options } = input;
    const change = { store_id, sheet_id, direction, mappings, schedule, realtime, enabled, options };
    return sayConfig(await app.sync.configs.update(caller.accountId, id, change, ifMatch));
  },
  examples: [
    {
      title: 'the store is right where both sides changed',
      given: givenConfig,
      input: { id: '<create_sync_config.id>', conflict_policy: 'store_wins' },
    },
  ],
});
