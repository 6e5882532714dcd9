import { z } from 'zod';
import { defineTool } from '../contract/define.ts';

const Room = z.object({
  used: z.int(),
  limit: z.int().meta({ description: 'Plan limit; -1 means unlimited' }),
});

export const getSyncUsage = defineTool({
  name: 'get_sync_usage',
  title: 'Get sync usage',
  description:
    'Get the subscription plan for sync, its limits, and how many stores and sheets are connected. For hook usage, use get_usage.',
  keywords: {
    en: ['sync limits', 'how many stores and sheets are allowed', 'sync plan', 'usage'],
    es: [
      'límites de sincronización',
      'uso de sincronización',
      'cuántas tiendas y hojas puedo conectar',
      'plan de sincronización',
    ],
  },
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
      .meta({ description: 'Shortest interval of automatic runs, in minutes; null means manual only' }),
    api_access: z.boolean(),
  }),
  run: (_input, { app, caller }) => app.sync.usage(caller.accountId),
  examples: [{ title: 'A new account', input: {} }],
});
