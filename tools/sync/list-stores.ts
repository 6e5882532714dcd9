import { z } from 'zod';
import { page, paging } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { givenDemo } from './demo-example.ts';
import { Store } from './store-answer.ts';

export const listStores = defineTool({
  name: 'list_stores',
  title: 'List stores',
  description:
    'List the connected stores, newest first. People connect one on the page /stores, or over REST.',
  toolset: 'sync',
  effect: 'read',
  scope: 'sync:read',
  rest: { route: 'GET /sync/stores', list: true },
  mcp: { core: true },
  input: z.object(paging),
  output: page(Store),
  run: (input, { app, caller }) => app.sync.stores.list(caller.accountId, input),
  examples: [{ title: 'the demo store', given: givenDemo, input: {} }],
});
