import { z } from 'zod';
import { Webhook } from '../../src/webhooks/webhook.ts';
import { defineTool } from '../contract/define.ts';
import { SHOP } from './webhook-output.ts';

export const getWebhook = defineTool({
  name: 'get_webhook',
  title: 'Get a webhook',
  description: 'Get a webhook: its URL, events and whether events arrive. The secret is never returned.',
  keywords: {
    en: ['webhook status', 'is a webhook working', 'one webhook', 'where does it point'],
    es: ['estado del webhook', 'funciona el webhook', 'a qué url apunta', 'un webhook'],
  },
  toolset: 'webhooks',
  effect: 'read',
  scope: 'account:read',
  rest: { route: 'GET /v1/webhooks/{webhook_id}' },
  input: z.object({ webhook_id: z.string().max(64) }),
  output: Webhook,
  run: ({ webhook_id: id }, { app, caller }) => app.webhooks.get(caller.accountId, id),
  examples: [
    { title: 'Its status', given: [['create_webhook', SHOP]], input: { webhook_id: '<create_webhook.id>' } },
  ],
});
