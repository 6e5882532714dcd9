import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { presentConfig, SyncConfig } from './config-output.ts';
import { givenConfig } from './demo-example.ts';
import { ConfigId } from './input.ts';

export const getSyncConfig = defineTool({
  name: 'get_sync_config',
  title: 'Get a sync configuration',
  description:
    'Get a sync configuration: mappings, direction, schedule and options. Its version is the ETag that update_sync_config takes as If-Match.',
  keywords: {
    en: ['sync settings', 'mapping of one sync', 'its schedule and direction', 'details'],
    es: ['ver configuración de sincronización', 'mapeo de columnas', 'horario y dirección', 'detalles'],
  },
  toolset: 'sync',
  effect: 'read',
  scope: 'sync:read',
  rest: { route: 'GET /sync/config/{config_id}', etag: ({ version }) => String(version) },
  input: z.object({ config_id: ConfigId }),
  output: SyncConfig,
  run: async ({ config_id: id }, { app, caller }) =>
    presentConfig(await app.sync.configs.get(caller.accountId, id)),
  examples: [
    { title: 'The demo configuration', given: givenConfig, input: { config_id: '<create_sync_config.id>' } },
  ],
});
