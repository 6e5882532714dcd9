import { z } from 'zod';
import { Delivery } from '../../src/webhooks/webhook.ts';
import { defineTool } from '../contract/define.ts';
import { NOWHERE } from './webhook-output.ts';

export const pingWebhook = defineTool({
  name: 'ping_webhook',
  title: 'Ping a webhook',
  description:
    'Send the event webhook.ping to a webhook once and return the result: the response status, or why there was none. Works while the webhook is disabled, and does not change its status.',
  keywords: {
    en: ['test a webhook', 'send a test event', 'try the endpoint', 'does our server answer'],
    es: ['probar webhook', 'enviar un evento de prueba', 'responde nuestro servidor'],
  },
  toolset: 'webhooks',
  effect: 'external',
  scope: 'account:write',
  rate: 'sync',
  rest: { route: 'POST /v1/webhooks/{webhook_id}/ping' },
  input: z.object({ webhook_id: z.string().max(64) }),
  output: Delivery,
  run: ({ webhook_id: id }, { app, caller }) => app.webhooks.ping(caller.accountId, id),
  examples: [
    {
      title: 'A receiver that does not exist',
      given: [['create_webhook', NOWHERE]],
      input: { webhook_id: '<create_webhook.id>' },
    },
  ],
});
