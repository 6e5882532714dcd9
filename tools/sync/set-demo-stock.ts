import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { givenRun } from './demo-example.ts';

export const setDemoStock = defineTool({
  name: 'set_demo_stock',
  title: 'Set demo stock',
  description:
    'Set the stock of one item in the demo store or the demo sheet, as a sale or an edit would, to see what the next sync does with it. Changes only the demo.',
  keywords: {
    en: ['change demo inventory', 'simulate a sale', 'try the sync', 'play with the demo store'],
    es: ['cambiar existencias de la demo', 'simular una venta', 'tienda de prueba', 'jugar con la demo'],
  },
  toolset: 'sync',
  effect: 'update',
  scope: 'sync:write',
  rest: { route: 'PUT /sync/demo/stock' },
  input: z.object({
    side: z.enum(['store', 'sheet']),
    sku: z.string().max(200),
    stock: z.int().min(0).max(1_000_000),
  }),
  output: z.object({ side: z.enum(['store', 'sheet']), sku: z.string(), stock: z.number() }),
  run: async (change, { app, caller }) => {
    await app.sync.demo.setStock(caller.accountId, change.side, change.sku, change.stock);
    return change;
  },
  examples: [
    { title: 'A sale in the store', given: givenRun, input: { side: 'store', sku: 'MUG-SEA', stock: 3 } },
  ],
});
