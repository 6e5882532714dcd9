import { z } from 'zod';
import { Webhook } from '../../src/webhooks/webhook.ts';
import { defineTool } from '../contract/define.ts';
import { page } from '../contract/page.ts';
import { SHOP } from './webhook-output.ts';

export const listWebhooks = defineTool({
  name: 'list_webhooks',
  title: 'List webhooks',
  description:
    "List the account's webhooks, oldest first, with their events and status. For sent events, use list_webhook_deliveries. To create one, a person calls POST /v1/webhooks.",
  keywords: {
    en: ['which webhooks are there', 'our endpoints', 'callback urls'],
    es: ['lista de webhooks', 'nuestros endpoints', 'a qué url se envían los eventos'],
  },
  toolset: 'webhooks',
  effect: 'read',
  scope: 'account:read',
  rest: { route: 'GET /v1/webhooks' },
  input: z.object({}),
  output: page(Webhook),
  run: async (_input, { app, caller }) => ({
    items: await app.webhooks.list(caller.accountId),
    next_cursor: null,
  }),
  examples: [{ title: 'One webhook', given: [['create_webhook', SHOP]], input: {} }],
});
