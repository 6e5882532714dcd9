import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { page, paging } from '../contract/page.ts';
import { presentConfig, SyncConfig } from './config-output.ts';
import { givenConfig } from './demo-example.ts';

export const listSyncConfigs = defineTool({
  name: 'list_sync_configs',
  title: 'List sync configurations',
  description:
    'List sync configurations, newest first, with mappings, direction and schedule. Use an ID as config_id in preview_sync and run_sync.',
  keywords: {
    en: ['sync schedules', 'which syncs are set up', 'all configurations', 'automatic syncs'],
    es: [
      'lista de configuraciones',
      'qué sincronizaciones tengo',
      'sincronizaciones programadas',
      'automáticas',
    ],
  },
  toolset: 'sync',
  effect: 'read',
  scope: 'sync:read',
  rest: { route: 'GET /sync/configs', list: true },
  input: z.object(paging),
  output: page(SyncConfig),
  run: async (input, { app, caller }) => {
    const { items, ...rest } = await app.sync.configs.list(caller.accountId, input);
    return { items: items.map(presentConfig), ...rest };
  },
  examples: [{ title: 'The demo configuration', given: givenConfig, input: {} }],
});
