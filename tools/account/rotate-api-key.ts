import { z } from 'zod';
import { NewApiKey } from '../../src/identity/api-key.ts';
import { defineTool } from '../contract/define.ts';
import { withoutKey } from './api-key-answer.ts';

export const rotateApiKey = defineTool({
  name: 'rotate_api_key',
  title: 'Rotate an API key',
  description:
    'Give an API key of the account a new secret; id and settings stay. The old key stops working at once, the new one is shown once, in this answer. Enterprise plan.',
  toolset: 'account',
  effect: 'update',
  scope: 'keys:write',
  rest: { route: 'POST /api/v1/api-keys/{id}/rotate' },
  mcp: false,
  idempotency: { keep: withoutKey },
  input: z.object({ id: z.string().max(64) }),
  output: NewApiKey,
  run: ({ id }, { app, caller }) => app.accountKeys.rotate(caller, id),
  examples: [
    {
      title: 'a key that was seen by someone',
      given: [['create_api_key', { name: 'shop server' }]],
      input: { id: '<create_api_key.id>' },
    },
  ],
});
