import { z } from 'zod';
import { STORE_WRITES } from '../../src/sync/ports/store-scopes.ts';
import { defineTool } from '../contract/define.ts';
import { ConsentLink, consentLink, ReturnTo } from './consent-link.ts';
import { LocationId } from './input.ts';

export const connectShopify = defineTool({
  name: 'connect_shopify',
  title: 'Connect with Shopify',
  description:
    "Get a link where the user connects a Shopify store by installing this server's app in it, without pasting a token. Show them the url; call list_stores when they are done. For a connected store, this renews access.",
  keywords: {
    en: ['connect my shop', 'install the shopify app', 'shopify oauth', 'reconnect the store', 'add a store'],
    es: [
      'conectar mi tienda',
      'instalar la aplicación de shopify',
      'reconectar la tienda',
      'permiso de shopify',
    ],
  },
  toolset: 'sync',
  effect: 'create',
  scope: 'sync:write',
  rest: { route: 'POST /sync/connect/shopify' },
  mcp: {
    next: (_output, say) =>
      `Show the user the url and ask them to open it. Wait until they say that it is done, then call ${say('list_stores')}.`,
  },
  input: z.object({
    shop: z.string().min(1).max(300).meta({ description: 'Shopify domain that ends in .myshopify.com' }),
    location_id: LocationId.optional(),
    writes: z
      .array(z.enum(STORE_WRITES))
      .optional()
      .meta({ description: 'What syncs may write: products, inventory, or neither (empty); default both' }),
    return_to: ReturnTo.optional(),
  }),
  output: ConsentLink,
  run: async ({ shop, location_id: locationId, writes, return_to: returnTo }, call) =>
    consentLink(call, (asking) =>
      call.app.sync.consents.startShopify(asking, { shop, locationId, writes, returnTo }),
    ),
  examples: [
    { title: 'A store by its domain', input: { shop: 'tide-and-clay.myshopify.com' } },
    {
      title: 'A store where syncs write only stock',
      input: { shop: 'tide-and-clay.myshopify.com', writes: ['inventory'] },
    },
  ],
});
