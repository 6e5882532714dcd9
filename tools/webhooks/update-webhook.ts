import { z } from 'zod';
import { Webhook, WebhookDescription, WebhookEvents, WebhookUrl } from '../../src/webhooks/webhook.ts';
import { defineTool } from '../contract/define.ts';
import { SHOP } from './webhook-output.ts';

export const updateWebhook = defineTool({
  name: 'update_webhook',
  title: 'Update a webhook',
  description:
    "Change a webhook's events or description, pause it or, over REST only, change its URL. Omitted fields stay as they are. Disabling it drops waiting deliveries. If the server stopped it, enable it again.",
  keywords: {
    en: [
      'disable a webhook',
      'pause',
      'enable again',
      'other events',
      'turn off notifications',
      'stop calling for a while',
    ],
    es: [
      'desactivar webhook',
      'pausar',
      'activar de nuevo',
      'otros eventos',
      'apagar notificaciones',
      'dejar de llamar un tiempo',
    ],
  },
  toolset: 'webhooks',
  effect: 'update',
  scope: 'account:write',
  dangerous: {
    page: '/docs/api#update_webhook',
    told: 'person_required.shown',
    when: ({ url }) => url !== undefined,
  },
  // A text that a model reads must not send the account's events elsewhere.
  rest: { route: 'PATCH /v1/webhooks/{webhook_id}', extraInput: { url: WebhookUrl } },
  input: z.object({
    webhook_id: z.string().max(64),
    events: WebhookEvents.optional(),
    description: WebhookDescription.optional(),
    enabled: z.boolean().optional(),
  }),
  output: Webhook,
  run: ({ webhook_id: id, ...changes }, { app, caller }) => app.webhooks.update(caller, id, changes),
  examples: [
    {
      title: 'Paused',
      given: [['create_webhook', SHOP]],
      input: { webhook_id: '<create_webhook.id>', enabled: false },
    },
  ],
});
