import { z } from 'zod';
import { NewApiKey } from '../../src/identity/keys/api-key.ts';
import { defineTool } from '../contract/define.ts';
import { withoutKey } from './api-key-output.ts';

export const rotateApiKey = defineTool({
  name: 'rotate_api_key',
  title: 'Rotate an API key',
  description:
    'Replace the secret of an API key; its ID and settings stay. The old secret stops working immediately, and the new one is returned once. A key for hooks requires the Enterprise plan; a key for sync requires the Pro API plan.',
  toolset: 'account',
  effect: 'update',
  scope: 'keys:write',
  dangerous: { page: '/profile' },
  rest: { route: 'POST /api/v1/api-keys/{key_id}/rotate' },
  mcp: false,
  idempotency: { keep: withoutKey },
  input: z.object({ key_id: z.string().max(64) }),
  output: NewApiKey,
  run: ({ key_id: id }, { app, caller }) => app.accountKeys.rotate(caller, id),
  examples: [
    {
      title: 'A leaked key',
      given: [['create_api_key', { name: 'shop server' }]],
      input: { key_id: '<create_api_key.id>' },
    },
  ],
});
