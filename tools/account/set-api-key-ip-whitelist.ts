import { z } from 'zod';
import { ApiKey, KeyWhitelist } from '../../src/identity/api-key.ts';
import { defineTool } from '../contract/define.ts';

export const setApiKeyIpWhitelist = defineTool({
  name: 'set_api_key_ip_whitelist',
  title: 'Set the IP whitelist of an API key',
  description:
    'Say from which IPv4 and IPv6 addresses and CIDR ranges an API key of the account may be used, in the place of those there are. An empty list lets it be used from anywhere.',
  toolset: 'account',
  effect: 'update',
  scope: 'keys:write',
  rest: { route: 'PUT /api/v1/api-keys/{id}/ip-whitelist' },
  input: z.object({ id: z.string().max(64), ip_whitelist: KeyWhitelist }),
  output: ApiKey,
  run: ({ id, ip_whitelist }, { app, caller }) => app.accountKeys.update(caller, id, { ip_whitelist }),
  examples: [
    {
      title: 'one server and the office',
      given: [['create_api_key', { name: 'shop server' }]],
      input: { id: '<create_api_key.id>', ip_whitelist: ['203.0.113.7', '2001:db8:40::/48'] },
    },
  ],
});
