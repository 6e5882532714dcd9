import { z } from 'zod';
import { ApiKey } from '../../src/identity/keys/api-key.ts';
import { defineTool } from '../contract/define.ts';
import { page, paging } from '../contract/page.ts';

export const listApiKeys = defineTool({
  name: 'list_api_keys',
  title: 'List API keys',
  description:
    "List the account's API keys, newest first: masked, with scopes, allowed IP addresses and last use.",
  keywords: {
    en: ['list keys', 'api tokens', 'which keys exist', 'last use of a key'],
    es: ['lista de claves', 'claves de api', 'tokens', 'último uso de una clave'],
  },
  toolset: 'account',
  effect: 'read',
  scope: 'keys:write',
  rest: { route: 'GET /api/v1/api-keys', list: true },
  input: z.object(paging),
  output: page(ApiKey),
  run: (input, { app, caller }) => app.accountKeys.list(caller.accountId, input),
  examples: [{ title: 'All keys', input: {} }],
});
