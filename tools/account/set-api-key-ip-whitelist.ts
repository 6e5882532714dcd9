import { z } from 'zod';
import { ApiKey, KeyWhitelist } from '../../src/identity/keys/api-key.ts';
import { defineTool } from '../contract/define.ts';

export const setApiKeyIpWhitelist = defineTool({
  name: 'set_api_key_ip_whitelist',
  title: "Set an API key's IP allowlist",
  description:
    'Set the IPv4 and IPv6 addresses and CIDR ranges that an API key works from. Replaces the current allowlist; an empty list allows any address.',
  keywords: {
    en: [
      'ip allowlist',
      'restrict a key to our office',
      'allowed addresses',
      'ip range',
      'works from one server only',
    ],
    es: [
      'lista blanca de ip',
      'restringir una clave',
      'direcciones permitidas',
      'solo desde la oficina',
      'que funcione solo desde un servidor',
    ],
  },
  toolset: 'account',
  effect: 'update',
  scope: 'keys:write',
  dangerous: { page: '/profile' },
  rest: { route: 'PUT /api/v1/api-keys/{key_id}/ip-whitelist' },
  input: z.object({ key_id: z.string().max(64), ip_whitelist: KeyWhitelist }),
  output: ApiKey,
  run: ({ key_id: id, ip_whitelist }, { app, caller }) =>
    app.accountKeys.update(caller, id, { ip_whitelist }),
  examples: [
    {
      title: 'One server and the office',
      given: [['create_api_key', { name: 'shop server' }]],
      input: { key_id: '<create_api_key.id>', ip_whitelist: ['203.0.113.7', '2001:db8:40::/48'] },
    },
  ],
});
