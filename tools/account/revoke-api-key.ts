import { z } from 'zod';
import { Deleted, defineTool } from '../contract/define.ts';

export const revokeApiKey = defineTool({
  name: 'revoke_api_key',
  title: 'Revoke an API key',
  description: 'End an API key for good. It stops working at once.',
  toolset: 'account',
  effect: 'delete',
  scope: 'keys:write',
  rest: { route: 'DELETE /api/v1/api-keys/{id}' },
  input: z.object({ id: z.string().max(64) }),
  output: Deleted,
  run: async ({ id }, { app, caller }) => {
    await app.accountKeys.revoke(caller, id);
    return { deleted: true as const };
  },
  examples: [
    {
      title: 'a key nobody uses any more',
      given: [['create_api_key', { name: 'old server' }]],
      input: { id: '<create_api_key.id>' },
    },
  ],
});
