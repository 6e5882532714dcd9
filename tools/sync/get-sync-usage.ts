import { z } from 'zod';
import { defineTool } from '../contract/define.ts';

const Room = z.object({ used: z.int(), limit: z.int().meta({ description: '-1: no limit' }) });

export const getSyncUsage = defineTool({
  name: 'get_sync_usage',
  title: 'Get sync usage',
  description: 'See the plan for sync, what it allows, and how much of it is used.',
  toolset: 'sync',
  effect: 'read',
  scope: 'sync:read',
  rest: { route: 'GET /sync/usage' },
  input: z.object({}),
  output: z.object({
    plan: z.string(),
    stores: Room,
    sheets: Room,
    auto_sync_minutes: z
      .int()
      .nullable()
      .meta({ description: 'Shortest pace of automatic runs; null: none' }),
    api_access: z.boolean(),
  }),
  run: (_input, { app, caller }) => app.sync.usage(caller.accountId),
  examples: [{ title: 'of a new account', input: {} }],
});
