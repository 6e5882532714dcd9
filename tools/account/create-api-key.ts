import { z } from 'zod';
import { KeyExpiry, KeyName, KeyScopes, KeyWhitelist, NewApiKey } from '../../src/identity/keys/api-key.ts';
import { defineTool } from '../contract/define.ts';
import { withoutKey } from './api-key-output.ts';

export const createApiKey = defineTool({
  name: 'create_api_key',
  title: 'Create an API key',
  description:
    'Create an API key for programs that call this API. Returns the key once. Without scopes, it can work with templates, assets, videos, hooks and sync; other scopes must be named. A key for hooks requires the Enterprise plan; a key for sync requires the Pro API plan.',
  toolset: 'account',
  effect: 'create',
  scope: 'keys:write',
  dangerous: { page: '/profile' },
  rest: { route: 'POST /api/v1/api-keys' },
  mcp: false,
  idempotency: { keep: withoutKey },
  input: z.object({
    name: KeyName,
    scopes: KeyScopes.optional(),
    ip_whitelist: KeyWhitelist.default([]),
    expires_at: KeyExpiry,
  }),
  output: NewApiKey,
  run: (input, { app, caller }) => app.accountKeys.create(caller, input),
  examples: [
    {
      title: 'A key for one server that generates hooks',
      input: { name: 'shop server', scopes: ['hooks:read', 'hooks:write'], ip_whitelist: ['127.0.0.0/8'] },
    },
  ],
});
