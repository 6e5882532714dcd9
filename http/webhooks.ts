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

const STRIPE_PATHS = ['/webhooks/stripe', '/api/v1/billing/webhook'];
const SHOPIFY_PATH = '/webhooks/shopify';
export const WEBHOOK_PATHS: readonly string[] = [...STRIPE_PATHS, SHOPIFY_PATH];

const MEBIBYTE = 1024 * 1024;

const ID_LENGTH = 200;

// The signature is over the bytes as they came.
const readStripe = express.raw({ limit: MEBIBYTE, type: () => true });
// A product with many variants is larger than a megabyte.
const readShopify = express.raw({ limit: 5 * MEBIBYTE, type: () => true });

/** What OpenAPI says of it. */
export const STRIPE_ROUTE: DescribedRoute = {
  route: 'POST /webhooks/stripe',
  id: 'receive_stripe_event',
  title: 'Receive a Stripe event',
  description:
    'For Stripe only: register this URL in Stripe. An event is a hint; the server reads the change from Stripe.',
  tag: 'billing',
  credential: 'none',
  headers: { 'Stripe-Signature': 'Signature by Stripe' },
  body: z.looseObject({ id: z.string() }),
  answers: { 200: { about: 'Recorded', schema: z.object({ received: z.literal(true) }) } },
};

/** What OpenAPI says of it. */
export const SHOPIFY_ROUTE: DescribedRoute = {
  route: 'POST /webhooks/shopify',
  id: 'receive_store_event',
  title: 'Receive a store event',
  description:
    'For Shopify only. The server registers this URL in stores with a realtime configuration, and reads the change from the store.',
  tag: 'sync',
  credential: 'none',
  headers: {
    'X-Shopify-Hmac-Sha256': 'Signature by the store',
    'X-Shopify-Shop-Domain': 'Store domain',
    'X-Shopify-Topic': 'Topic of the event',
    'X-Shopify-Triggered-At': 'When it happened',
    'X-Shopify-Webhook-Id': 'ID of the delivery, the same for every attempt',
  },
  body: z.looseObject({}),
  answers: { 200: { about: 'Recorded', schema: z.object({ received: z.literal(true) }) } },
};

/** What other services tell us, signed with a secret that only they and we know. */
export function createWebhookRoutes({ app }: WebhookParts): Router {
  const router = Router();
  router.post(STRIPE_PATHS, readStripe, async (req, res) => {
    await app.billing.receive(bytesOf(req), req.get('stripe-signature') ?? '');
    acknowledge(res);
  });
  router.post(SHOPIFY_PATH, readShopify, async (req, res) => {
    const said = (name: string) => req.get(`x-shopify-${name}`) ?? '';
    const signature = said('hmac-sha256');
    const triggeredAt = Date.parse(said('triggered-at'));
    await app.sync.webhooks.receive({
      id: (said('webhook-id') || signature).slice(0, ID_LENGTH),
      topic: said('topic').slice(0, ID_LENGTH),
      domain: said('shop-domain').toLowerCase(),
      signature,
      triggeredAt: Number.isNaN(triggeredAt) ? undefined : new Date(triggeredAt),
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
