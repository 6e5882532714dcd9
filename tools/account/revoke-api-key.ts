import { z } from 'zod';
import { Deleted, defineTool } from '../contract/define.ts';

export const revokeApiKey = defineTool({
  name: 'revoke_api_key',
  title: 'Revoke an API key',
  description:
    'Permanently revoke an API key. It stops working immediately. To replace its secret instead, a person calls rotate_api_key over REST.',
  keywords: {
    en: [
      'delete an api key',
      'leaked key',
      'disable a key',
      'stolen token',
      'block',
      'somebody stole our key',
    ],
    es: [
      'revocar clave',
      'clave filtrada',
      'desactivar una clave',
      'token robado',
      'anular',
      'invalidar',
      'nos robaron la clave',
    ],
  },
  toolset: 'account',
  effect: 'delete',
  scope: 'keys:write',
  dangerous: { page: '/profile' },
  rest: { route: 'DELETE /api/v1/api-keys/{key_id}' },
  input: z.object({ key_id: z.string().max(64) }),
  output: Deleted,
  run: async ({ key_id: id }, { app, caller }) => {
    await app.accountKeys.revoke(caller, id);
    return { deleted: true as const };
  },
  examples: [
    {
      title: 'An unused key',
      given: [['create_api_key', { name: 'old server' }]],
      input: { key_id: '<create_api_key.id>' },
    },
  ],
});
