import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { page, paging } from '../contract/page.ts';
import { givenDemo } from './demo-example.ts';
import { Store } from './store-output.ts';

export const listStores = defineTool({
  name: 'list_stores',
  title: 'List stores',
  description:
    'List connected Shopify stores with status and ID, the store_id of preview_sync and run_sync. A person connects stores; never ask for credentials in chat. For a demo, use connect_demo.',
  keywords: {
    en: ['my stores', 'connected shops', 'shopify stores', 'store id', 'which shops do I have'],
    es: ['mis tiendas', 'tiendas conectadas', 'id de la tienda', 'qué tiendas tengo'],
  },
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
