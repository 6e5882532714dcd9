import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { givenDemo } from './demo-example.ts';
import { StoreId } from './input.ts';
import { Store } from './store-output.ts';

export const testStore = defineTool({
  name: 'test_store',
  title: 'Test a store connection',
  description:
    'Verify that a connected store still accepts its credentials, and update its status. Changes nothing in Shopify.',
  keywords: {
    en: ['check store credentials', 'is the shopify connection working', 'is the store token valid'],
    es: ['probar conexión de la tienda', 'funciona la conexión con shopify', 'es válido el token'],
  },
  toolset: 'sync',
  effect: 'update',
  scope: 'sync:write',
  rest: { route: 'POST /sync/store/{store_id}/test' },
  input: z.object({ store_id: StoreId }),
  output: Store,
  run: ({ store_id: id }, { app, caller, signal }) => app.sync.stores.test(caller.accountId, id, signal),
  examples: [{ title: 'The demo store', given: givenDemo, input: { store_id: '<connect_store.id>' } }],
});
