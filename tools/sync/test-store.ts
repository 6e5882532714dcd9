import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { givenDemo } from './demo-example.ts';
import { StoreId } from './input.ts';
import { Store } from './store-answer.ts';

export const testStore = defineTool({
  name: 'test_store',
  title: 'Test a store',
  description: 'Ask a connected store whether it still takes its token, and note what it says.',
  toolset: 'sync',
  effect: 'update',
  scope: 'sync:write',
  rest: { route: 'POST /sync/store/{id}/test' },
  input: z.object({ id: StoreId }),
  output: Store,
  run: ({ id }, { app, caller, signal }) => app.sync.stores.test(caller.accountId, id, signal),
  examples: [{ title: 'the demo store answers', given: givenDemo, input: { id: '<connect_store.id>' } }],
});
