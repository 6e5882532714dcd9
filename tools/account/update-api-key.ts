import { z } from 'zod';
import { ApiKey, KeyExpiry, KeyName, KeyScopes } from '../../src/identity/api-key.ts';
import { defineTool } from '../contract/define.ts';

export const updateApiKey = defineTool({
  name: 'update_api_key',
  title: 'Change an API key',
  description:
    'Change the name, scopes or expiry of an API key of the account. What is left out stays. A key can be given only scopes you have yourself.',
  toolset: 'account',
  effect: 'update',
  scope: 'keys:write',
  rest: { route: 'PATCH /api/v1/api-keys/{id}' },
  input: z.object({
    id: z.string().max(64),
    name: KeyName.optional(),
    scopes: KeyScopes.optional(),
    expires_at: KeyExpiry,
  }),
  output: ApiKey,
  run: ({ id, ...changes }, { app, caller }) => app.accountKeys.update(caller, id, changes),
  examples: [
    {
      title: 'it only reads from now on',
      given: [['create_api_key', { name: 'reports' }]],
      input: { id: '<create_api_key.id>', scopes: ['hooks:read'] },
    },
  ],
});
