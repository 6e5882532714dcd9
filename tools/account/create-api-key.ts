import { z } from 'zod';
import { KeyExpiry, KeyName, KeyScopes, KeyWhitelist, NewApiKey } from '../../src/identity/api-key.ts';
import { defineTool } from '../contract/define.ts';
import { withoutKey } from './api-key-answer.ts';

export const createApiKey = defineTool({
  name: 'create_api_key',
  title: 'Create an API key',
  description:
    'Make a key for programs that call this API. It is shown once, in this answer. Without scopes it may do all that you may, except make keys. Part of the plans Enterprise (hooks) and Pro API (sync), each for its app.',
  toolset: 'account',
  effect: 'create',
  scope: 'keys:write',
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
      title: 'a key for one server, to write hooks with',
      input: { name: 'shop server', scopes: ['hooks:read', 'hooks:write'], ip_whitelist: ['127.0.0.0/8'] },
    },
  ],
});
