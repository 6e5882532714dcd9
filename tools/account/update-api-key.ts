import { z } from 'zod';
import { ApiKey, KeyExpiry, KeyName, KeyScopes } from '../../src/identity/keys/api-key.ts';
import { defineTool } from '../contract/define.ts';

export const updateApiKey = defineTool({
  name: 'update_api_key',
  title: 'Update an API key',
  description:
    "Change an API key's name, scopes or expiry. Omitted fields stay as they are. You can grant only scopes you have. To change allowed IP addresses, use set_api_key_ip_whitelist.",
  keywords: {
    en: ['rename a key', 'expiry of a key', 'scopes', 'change what a key may do'],
    es: ['caducidad de la clave', 'renombrar una clave', 'alcances', 'permisos de una clave'],
  },
  toolset: 'account',
  effect: 'update',
  scope: 'keys:write',
  dangerous: { page: '/profile' },
  rest: { route: 'PATCH /api/v1/api-keys/{key_id}' },
  input: z.object({
    key_id: z.string().max(64),
    name: KeyName.optional(),
    scopes: KeyScopes.optional(),
    expires_at: KeyExpiry,
  }),
  output: ApiKey,
  run: ({ key_id: id, ...changes }, { app, caller }) => app.accountKeys.update(caller, id, changes),
  examples: [
    {
      title: 'Read-only from now on',
      given: [['create_api_key', { name: 'reports' }]],
      input: { key_id: '<create_api_key.id>', scopes: ['hooks:read'] },
    },
  ],
});
