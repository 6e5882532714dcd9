import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { Sheet } from './sheet-output.ts';
import { Store } from './store-output.ts';

export const connectDemo = defineTool({
  name: 'connect_demo',
  title: 'Connect the demo',
  description:
    'Connect the demo store and the demo sheet, to try a sync without a Shopify or Google account. Needs no credentials; changes nothing if both are connected. Returns both; use their IDs as store_id and sheet_id in preview_sync.',
  keywords: {
    en: [
      'try the sync',
      'demo store',
      'sample shop',
      'without an account',
      'play with test data',
      'test store',
      'try without a shop',
    ],
    es: [
      'probar la sincronización',
      'tienda de prueba',
      'demostración',
      'sin cuenta',
      'conectar una tienda de prueba',
      'probar sin tienda',
      'datos de prueba de tienda',
    ],
  },
  toolset: 'sync',
  effect: 'create',
  scope: 'sync:write',
  rest: { route: 'POST /sync/demo', status: 200, created: ({ created }) => created },
  input: z.object({}),
  output: z.object({
    store: Store,
    sheet: Sheet,
    created: z.boolean().meta({ description: 'False when both were already connected' }),
  }),
  run: (_input, { app, caller, signal }) => app.sync.connectDemo(caller.accountId, signal),
  examples: [{ title: 'The demo store and the demo sheet', input: {} }],
});
