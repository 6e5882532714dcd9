import { z } from 'zod';
import { Deleted, defineTool } from '../contract/define.ts';
import { givenConfig } from './demo-example.ts';
import { ConfigId } from './input.ts';

export const deleteSyncConfig = defineTool({
  name: 'delete_sync_config',
  title: 'Delete a sync configuration',
  description:
    'Delete a sync configuration and its run history. Its runs can no longer be undone. The store and the sheet stay connected.',
  keywords: {
    en: ['remove a scheduled sync', 'delete sync configuration', 'no longer sync'],
    es: [
      'borrar configuración de sincronización',
      'eliminar una sincronización programada',
      'dejar de sincronizar',
    ],
  },
  toolset: 'sync',
  effect: 'delete',
  scope: 'sync:write',
  rest: { route: 'DELETE /sync/config/{config_id}' },
  input: z.object({ config_id: ConfigId }),
  output: Deleted,
  confirm: async ({ config_id: config }, { app, caller }) => {
    const { id } = await app.sync.configs.get(caller.accountId, config);
    return { key: 'delete_sync_config', params: { id } };
  },
  run: async ({ config_id: id }, { app, caller, ifMatch }) => {
    await app.sync.configs.delete(caller.accountId, id, ifMatch);
    return { deleted: true as const };
  },
  examples: [
    { title: 'The demo configuration', given: givenConfig, input: { config_id: '<create_sync_config.id>' } },
  ],
});
