import { z } from 'zod';
import { Delivery } from '../../src/webhooks/webhook.ts';
import { defineTool } from '../contract/define.ts';
import { NOWHERE } from './webhook-output.ts';

export const resendWebhookDelivery = defineTool({
  name: 'resend_webhook_delivery',
  title: 'Resend a webhook delivery',
  description:
    'Send an event to a webhook again, with the same message ID: a waiting delivery immediately, any other one as a new delivery. Returns the delivery; list_webhook_deliveries shows its result.',
  keywords: {
    en: ['redeliver', 'send again', 'replay an event', 'repeat a failed delivery', 'our server was down'],
    es: [
      'reenviar',
      'enviar otra vez',
      'reintentar entrega',
      'repetir un evento',
      'nuestro servidor estaba caído',
    ],
  },
  toolset: 'webhooks',
  effect: 'external',
  scope: 'account:write',
  rest: { route: 'POST /v1/webhooks/{webhook_id}/deliveries/{delivery}/resend' },
  input: z.object({ webhook_id: z.string().max(64), delivery: z.string().max(64) }),
  output: Delivery,
  run: ({ webhook_id: id, delivery }, { app, caller }) => app.webhooks.resend(caller.accountId, id, delivery),
  examples: [
    {
      title: 'An event that was lost',
      given: [
        ['create_webhook', NOWHERE],
        ['ping_webhook', { webhook_id: '<create_webhook.id>' }],
      ],
      input: { webhook_id: '<create_webhook.id>', delivery: '<ping_webhook.id>' },
    },
  ],
});
