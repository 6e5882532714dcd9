import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { givenDemo } from './demo-example.ts';
import { hasAny, LocationId, StoreId, storeSecrets } from './input.ts';
import { Store, storeChange } from './store-output.ts';

export const updateStore = defineTool({
  name: 'update_store',
  title: 'Update a store',
  description:
    "Change a connected store's stock location or, over REST only, its credentials. Credentials are verified immediately. Changing the location resets the sync baseline. Returns the store.",
  keywords: {
    en: [
      "change the store's location",
      'use another warehouse',
      'new token for a store',
      'stock from another location',
    ],
    es: ['cambiar ubicación de la tienda', 'usar otro almacén', 'nuevo token de la tienda'],
  },
  toolset: 'sync',
  effect: 'update',
  scope: 'sync:write',
  dangerous: { page: '/stores', scope: 'connections:write', when: hasAny(storeSecrets) },
  rest: { route: 'PATCH /sync/store/{store_id}', extraInput: storeSecrets },
  input: z.object({ store_id: StoreId, location_id: LocationId.optional() }),
  output: Store,
  run: ({ store_id: id, ...input }, { app, caller, signal }) =>
    app.sync.stores.update(caller.accountId, id, storeChange(input), signal),
  examples: [
    { title: 'Refresh the store data', given: givenDemo, input: { store_id: '<connect_store.id>' } },
  ],
});
