import { z } from 'zod';
import { Deleted, defineTool } from '../contract/define.ts';
import { givenDemo } from './demo-example.ts';
import { Cascade, StoreId } from './input.ts';

export const deleteStore = defineTool({
  name: 'delete_store',
  title: 'Disconnect a store',
  description:
    'Disconnect a store and delete its token. Nothing changes in Shopify. Fails while sync configurations use the store; cascade=true deletes them and their run history too.',
  keywords: {
    en: ['remove a shop', 'unlink shopify', 'disconnect'],
    es: ['desconectar la tienda', 'quitar shopify', 'desvincular'],
  },
  toolset: 'sync',
  effect: 'delete',
  scope: 'sync:write',
  rest: { route: 'DELETE /sync/store/{store_id}' },
  input: z.object({ store_id: StoreId, cascade: Cascade }),
  output: Deleted,
  confirm: async ({ store_id: id, cascade }, { app, caller }) => {
    const { domain } = await app.sync.stores.get(caller.accountId, id);
    return { key: cascade ? 'delete_store_cascade' : 'delete_store', params: { domain } };
  },
  run: async ({ store_id: id, cascade }, { app, caller }) => {
    await app.sync.stores.delete(caller.accountId, id, { cascade });
    return { deleted: true as const };
  },
  examples: [
    { title: 'A store without configurations', given: givenDemo, input: { store_id: '<connect_store.id>' } },
  ],
});
