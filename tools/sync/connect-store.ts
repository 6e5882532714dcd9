import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { LocationId, storeSecrets } from './input.ts';
import { Store, storeChange } from './store-output.ts';

export const connectStore = defineTool({
  name: 'connect_store',
  title: 'Connect a store',
  description:
    'Connect a Shopify store by domain with an Admin API access token, or a client ID and secret. Credentials are verified immediately and never returned. demo.myshopify.com needs none where the demo is enabled.',
  toolset: 'sync',
  effect: 'create',
  scope: 'connections:write',
  dangerous: { page: '/stores', told: 'person_required.connect' },
  rest: { route: 'POST /sync/store' },
  mcp: false,
  input: z.object({
    domain: z.string().min(1).max(300).meta({ description: 'Shopify domain that ends in .myshopify.com' }),
    ...z.object(storeSecrets).partial().shape,
    location_id: LocationId.optional(),
  }),
  output: Store,
  run: ({ domain, ...input }, { app, caller, signal }) =>
    app.sync.stores.connect(caller.accountId, { domain, ...storeChange(input) }, signal),
  examples: [
    {
      title: 'The demo store, which accepts any token',
      input: { domain: 'demo.myshopify.com', store_access_token: 'shpat_demo' },
    },
  ],
});
