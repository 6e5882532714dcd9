import { z } from 'zod';
import { contentTag } from '../../src/platform/content-tag.ts';
import { defineTool } from '../contract/define.ts';
import { givenDemo } from './demo-example.ts';
import { StoreId } from './input.ts';
import { Store } from './store-output.ts';

export const getStore = defineTool({
  name: 'get_store',
  title: 'Get a store',
  description:
    'Get a connected Shopify store: its stock location, currency and connection status. Does not contact Shopify; to check the credentials, use test_store.',
  keywords: {
    en: ['store details', 'currency of the shop', 'store status', 'one store'],
    es: ['detalles de la tienda', 'moneda de la tienda', 'estado de la tienda', 'datos de una tienda'],
  },
  toolset: 'sync',
  effect: 'read',
  scope: 'sync:read',
  rest: { route: 'GET /sync/store/{store_id}', etag: contentTag },
  input: z.object({ store_id: StoreId }),
  output: Store,
  run: ({ store_id: id }, { app, caller }) => app.sync.stores.get(caller.accountId, id),
  examples: [{ title: 'The demo store', given: givenDemo, input: { store_id: '<connect_store.id>' } }],
});
