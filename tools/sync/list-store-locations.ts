import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { givenDemo } from './demo-example.ts';
import { StoreId } from './input.ts';

export const listStoreLocations = defineTool({
  name: 'list_store_locations',
  title: 'List the locations of a store',
  description: 'List the places at which a connected store counts stock, for location_id.',
  toolset: 'sync',
  effect: 'read',
  scope: 'sync:read',
  rest: { route: 'GET /sync/store/{id}/locations' },
  input: z.object({ id: StoreId }),
  output: z.object({
    items: z.array(z.object({ id: z.string(), name: z.string(), is_active: z.boolean() })),
  }),
  run: async (input, { app, caller, signal }) => {
    const locations = await app.sync.stores.locations(caller.accountId, input.id, signal);
    return { items: locations.map(({ id, name, isActive }) => ({ id, name, is_active: isActive })) };
  },
  examples: [{ title: 'of the demo store', given: givenDemo, input: { id: '<connect_store.id>' } }],
});
