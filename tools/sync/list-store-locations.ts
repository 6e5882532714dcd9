import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { givenDemo } from './demo-example.ts';
import { StoreId } from './input.ts';

export const listStoreLocations = defineTool({
  name: 'list_store_locations',
  title: 'List store locations',
  description:
    'List the locations where a connected store keeps stock. Use an ID as location_id in update_store or a sync configuration.',
  keywords: {
    en: ['warehouses', 'where stock is kept', 'stock locations of a shop'],
    es: ['ubicaciones de la tienda', 'almacenes', 'dónde se guarda el inventario', 'bodegas'],
  },
  toolset: 'sync',
  effect: 'read',
  scope: 'sync:read',
  rest: { route: 'GET /sync/store/{store_id}/locations' },
  input: z.object({ store_id: StoreId }),
  output: z.object({
    items: z.array(z.object({ id: z.string(), name: z.string(), is_active: z.boolean() })),
  }),
  run: async (input, { app, caller, signal }) => {
    const locations = await app.sync.stores.locations(caller.accountId, input.store_id, signal);
    return { items: locations.map(({ id, name, isActive }) => ({ id, name, is_active: isActive })) };
  },
  examples: [{ title: 'The demo store', given: givenDemo, input: { store_id: '<connect_store.id>' } }],
});
