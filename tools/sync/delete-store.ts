import { z } from 'zod';
import { Deleted, defineTool } from '../contract/define.ts';
import { givenDemo } from './demo-example.ts';
import { Cascade, StoreId } from './input.ts';

export const deleteStore = defineTool({
  name: 'delete_store',
  title: 'Delete a store',
  description:
    'Let go of a connected store and its token; nothing changes in the store itself. With cascade its configurations go too, with the history of their runs.',
  toolset: 'sync',
  effect: 'delete',
  scope: 'sync:write',
  rest: { route: 'DELETE /sync/store/{id}' },
  input: z.object({ id: StoreId, cascade: Cascade }),
  output: Deleted,
  run: async ({ id, cascade }, { app, caller }) => {
    await app.sync.stores.delete(caller.accountId, id, { cascade });
    return { deleted: true as const };
  },
  examples: [{ title: 'one that nothing uses', given: givenDemo, input: { id: '<connect_store.id>' } }],
});
