import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { LocationId, storeSecrets } from './input.ts';
import { Store, storeChange } from './store-answer.ts';

export const connectStore = defineTool({
  name: 'connect_store',
  title: 'Connect a store',
  description:
    'Connect a Shopify store by its domain and an Admin API access token, or the client of an app. It is asked at once whether they are right, and the token is never shown again. demo.myshopify.com needs none where the demo is on.',
  toolset: 'sync',
  effect: 'create',
  scope: 'sync:write',
  rest: { route: 'POST /sync/store' },
  mcp: false,
  input: z.object({
    domain: z.string().min(1).max(300).meta({ description: 'Ends in .myshopify.com' }),
    ...z.object(storeSecrets).partial().shape,
    location_id: LocationId.optional(),
  }),
  output: Store,
  run: ({ domain, ...input }, { app, caller, signal }) =>
    app.sync.stores.connect(caller.accountId, { domain, ...storeChange(input) }, signal),
  examples: [
    {
      title: 'the demo store, which takes any token',
      input: { domain: 'demo.myshopify.com', store_access_token: 'shpat_demo' },
    },
  ],
});
