import { z } from 'zod';
import { Deleted, defineTool } from '../contract/define.ts';
import { SHOP } from './webhook-output.ts';

export const deleteWebhook = defineTool({
  name: 'delete_webhook',
  title: 'Delete a webhook',
  description:
    'Delete a webhook with its delivery log. Waiting deliveries are dropped. To pause it instead, use update_webhook with enabled=false.',
  keywords: {
    en: ['remove an endpoint', 'no longer notify', 'unsubscribe'],
    es: ['eliminar webhook', 'quitar un endpoint', 'dejar de notificar'],
  },
  toolset: 'webhooks',
  effect: 'delete',
  scope: 'account:write',
  rest: { route: 'DELETE /v1/webhooks/{webhook_id}' },
  input: z.object({ webhook_id: z.string().max(64) }),
  output: Deleted,
  run: async ({ webhook_id: id }, { app, caller }) => {
    await app.webhooks.remove(caller, id);
    return { deleted: true as const };
  },
  examples: [
    {
      title: 'An unused one',
      given: [['create_webhook', SHOP]],
      input: { webhook_id: '<create_webhook.id>' },
    },
  ],
});
