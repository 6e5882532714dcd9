import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { givenDemo } from './demo-example.ts';
import { LocationId, StoreId, storeSecrets } from './input.ts';
import { Store, storeChange } from './store-answer.ts';

export const updateStore = defineTool({
  name: 'update_store',
  title: 'Change a store',
  description:
    'Change where a connected store counts stock, or, over REST, what opens it. The store is asked at once whether that is right. After another location, configurations begin anew.',
  toolset: 'sync',
  effect: 'update',
  scope: 'sync:write',
  rest: { route: 'PATCH /sync/store/{id}', extraInput: storeSecrets },
  input: z.object({ id: StoreId, location_id: LocationId.optional() }),
  output: Store,
  run: ({ id, ...input }, { app, caller, signal }) =>
    app.sync.stores.update(caller.accountId, id, storeChange(input), signal),
  examples: [{ title: 'what the store says now', given: givenDemo, input: { id: '<connect_store.id>' } }],
});
