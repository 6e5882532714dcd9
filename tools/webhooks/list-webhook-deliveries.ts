import { z } from 'zod';
import { Delivery } from '../../src/webhooks/webhook.ts';
import { defineTool } from '../contract/define.ts';
import { page, paging } from '../contract/page.ts';
import { NOWHERE } from './webhook-output.ts';

export const listWebhookDeliveries = defineTool({
  name: 'list_webhook_deliveries',
  title: 'List webhook deliveries',
  description:
    'List the events sent to a webhook in the last 30 days, newest first, with the result of the last attempt and when the next one is due. To send an event again, use resend_webhook_delivery.',
  keywords: {
    en: [
      'webhook log',
      'failed deliveries',
      'what was sent',
      'did it arrive',
      'not received',
      'attempts',
      'what was sent yesterday',
      'calls to our endpoint',
    ],
    es: [
      'entregas del webhook',
      'entregas fallidas',
      'qué se envió',
      'llegó el evento',
      'no llegó',
      'intentos',
      'qué se envió ayer',
    ],
  },
  toolset: 'webhooks',
  effect: 'read',
  scope: 'account:read',
  rest: { route: 'GET /v1/webhooks/{webhook_id}/deliveries' },
  input: z.object({ webhook_id: z.string().max(64), status: Delivery.shape.status.optional(), ...paging }),
  output: page(Delivery),
  run: ({ webhook_id: id, ...filter }, { app, caller }) =>
    app.webhooks.deliveries(caller.accountId, id, filter),
  examples: [
    {
      title: 'Those given up',
      given: [['create_webhook', NOWHERE]],
      input: { webhook_id: '<create_webhook.id>', status: 'failed' },
    },
  ],
});
