import { z } from 'zod';
import { NewWebhook } from '../../src/webhooks/webhook.ts';
import { defineTool } from '../contract/define.ts';
import { SHOP, withoutSecret } from './webhook-output.ts';

export const rotateWebhookSecret = defineTool({
  name: 'rotate_webhook_secret',
  title: "Rotate a webhook's secret",
  description:
    'Give a webhook a new signing secret and return it once. For 24 hours, events are signed with the old one too, so the receiver has time to switch. A second rotation ends the first secret.',
  toolset: 'webhooks',
  effect: 'update',
  scope: 'account:write',
  dangerous: { page: '/docs/api#rotate_webhook_secret', told: 'person_required.shown' },
  rest: { route: 'POST /v1/webhooks/{webhook_id}/rotate-secret' },
  mcp: false,
  idempotency: { keep: withoutSecret },
  input: z.object({ webhook_id: z.string().max(64) }),
  output: NewWebhook,
  run: ({ webhook_id: id }, { app, caller }) => app.webhooks.rotateSecret(caller, id),
  examples: [
    {
      title: 'Another secret',
      given: [['create_webhook', SHOP]],
      input: { webhook_id: '<create_webhook.id>' },
    },
  ],
});
