import { z } from 'zod';
import { defineTool } from '../define.ts';
import { givenRun } from './demo-example.ts';

export const setDemoStock = defineTool({
  name: 'set_demo_stock',
  title: 'Change stock in the demo',
  description:
    'Change the stock of one item in the demo store or the demo sheet, as a sale or somebody typing would, to see what the next sync does with it. Only the demo is touched.',
  toolset: 'sync',
  effect: 'update',
  scope: 'sync:write',
  route: 'PUT /sync/demo/stock',
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
  examples: [{ title: 'one was sold', given: givenRun, input: { side: 'store', sku: 'MUG-SEA', stock: 3 } }],
});
