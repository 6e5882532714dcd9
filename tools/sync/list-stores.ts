import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { page, paging } from '../contract/page.ts';
import { givenDemo } from './demo-example.ts';
import { Store } from './store-output.ts';

export const listStores = defineTool({
  name: 'list_stores',
  title: 'List stores',
  description:
    'List connected Shopify stores, newest first, with IDs and connection status. Use an ID as store_id in preview_sync and run_sync. Stores are connected over REST with connect_store; never ask for credentials in chat.',
  toolset: 'sync',
  effect: 'read',
  scope: 'sync:read',
  rest: { route: 'GET /sync/stores', list: true },
  mcp: { core: true },
  input: z.object(paging),
  output: page(Store),
  run: (input, { app, caller }) => app.sync.stores.list(caller.accountId, input),
  examples: [{ title: 'The demo store', given: givenDemo, input: {} }],
});
