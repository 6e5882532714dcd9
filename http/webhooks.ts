import express, { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import type { Billing } from '../src/billing/billing.ts';
import type { StoreWebhooks } from '../src/sync/automation/webhooks.ts';
import type { DescribedRoute } from './openapi/described-route.ts';

type WebhookParts = {
  readonly app: {
    readonly billing: Pick<Billing, 'receive'>;
    readonly sync: { readonly webhooks: Pick<StoreWebhooks, 'receive'> };
  };
};

/** Largest body of a webhook, in bytes. */
const WEBHOOK_LIMIT = 1024 * 1024;

const ID_LENGTH = 200;

// The signature is over the bytes as they came.
const readBytes = express.raw({ limit: WEBHOOK_LIMIT, type: () => true });

/** What OpenAPI says of it. */
export const STRIPE_ROUTE: DescribedRoute = {
  route: 'POST /webhooks/stripe',
  id: 'receive_stripe_event',
  title: 'Receive an event of Stripe',
  description:
    'For Stripe alone: set this address up there. An event is a hint, what changed is asked of Stripe.',
  tag: 'billing',
  credential: 'none',
  headers: { 'Stripe-Signature': 'Proof that Stripe sent the body' },
  body: z.looseObject({ id: z.string() }),
  answers: { 200: { about: 'Noted', schema: z.object({ received: z.literal(true) }) } },
};

/** What OpenAPI says of it. */
export const SHOPIFY_ROUTE: DescribedRoute = {
  route: 'POST /webhooks/shopify',
  id: 'receive_store_event',
  title: 'Receive an event of a store',
  description:
    'For Shopify alone. Stores with a realtime configuration are told this address. What changed is asked of the store.',
  tag: 'sync',
  credential: 'none',
  headers: {
    'X-Shopify-Hmac-Sha256': 'Proof that the store sent the body',
    'X-Shopify-Shop-Domain': 'The store',
    'X-Shopify-Topic': 'What happened',
    'X-Shopify-Webhook-Id': 'The same for every try of one delivery',
  },
  body: z.looseObject({}),
  answers: { 200: { about: 'Noted', schema: z.object({ received: z.literal(true) }) } },
};

/** What other services tell us, signed with a secret that only they and we know. */
export function createWebhookRoutes({ app }: WebhookParts): Router {
  const router = Router();
  router.post(['/webhooks/stripe', '/api/v1/billing/webhook'], readBytes, async (req, res) => {
    await app.billing.receive(bytesOf(req), req.get('stripe-signature') ?? '');
    acknowledge(res);
  });
  router.post('/webhooks/shopify', readBytes, async (req, res) => {
    const said = (name: string) => req.get(`x-shopify-${name}`) ?? '';
    const signature = said('hmac-sha256');
    await app.sync.webhooks.receive({
      id: (said('webhook-id') || signature).slice(0, ID_LENGTH),
      topic: said('topic').slice(0, ID_LENGTH),
      domain: said('shop-domain').toLowerCase(),
      signature,
      body: bytesOf(req),
    });
    acknowledge(res);
  });
  return router;
}

function bytesOf({ body }: Request): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function acknowledge(res: Response): void {
  res.json({ received: true });
}
