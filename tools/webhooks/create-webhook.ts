import { z } from 'zod';
import { NewWebhook, WebhookDescription, WebhookEvents, WebhookUrl } from '../../src/webhooks/webhook.ts';
import { defineTool } from '../contract/define.ts';
import { SHOP, withoutSecret } from './webhook-output.ts';

export const createWebhook = defineTool({
  name: 'create_webhook',
  title: 'Create a webhook',
  description:
    'Send events of this account to a URL as signed POST requests. Returns the signing secret once. You can subscribe only to events whose data you may read. To test the receiver, use ping_webhook.',
  toolset: 'webhooks',
  effect: 'create',
  scope: 'account:write',
  dangerous: { page: '/docs/api#create_webhook', told: 'person_required.shown' },
  rest: { route: 'POST /v1/webhooks' },
  mcp: false,
  idempotency: { keep: withoutSecret },
  input: z.object({
    url: WebhookUrl,
    events: WebhookEvents,
    description: WebhookDescription.default(''),
    enabled: z.boolean().default(true),
  }),
  output: NewWebhook,
  run: (input, { app, caller }) => app.webhooks.create(caller, input),
  examples: [{ title: 'A shop that shows new videos', input: { ...SHOP, description: 'shop' } }],
});
