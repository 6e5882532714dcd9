import { hash } from 'node:crypto';
import type { Stripe } from 'stripe';
import { z } from 'zod';
import type { Portal, Product, Shelf } from '../../billing/push-plans-to-stripe.ts';
import { openStripe, type StripeSettings, stripeFault } from './open-stripe.ts';

const PAGE_SIZE = 100;
const MAX_ITEMS = 1000;

const Period = z.enum(['month', 'year']).nullable();
const CANCELLATION_REASONS = [
  'too_expensive',
  'missing_features',
  'switched_service',
  'unused',
  'other',
] as const;

const Behavior = z.enum(['inclusive', 'exclusive', 'unspecified']).catch('unspecified');

/** Stripe's products, prices and portal configurations. @throws Fault upstream_failed */
export function createStripeShelf(settings: StripeSettings): Shelf {
  async function ask<T>(request: (stripe: Stripe) => Promise<T>): Promise<T> {
    return request(await openStripe(settings)).catch((error: unknown) => {
      throw stripeFault(error);
    });
  }

  return {
    products: () =>
      ask(async ({ products }) =>
        (await products.list({ active: true, limit: PAGE_SIZE }).autoPagingToArray({ limit: MAX_ITEMS })).map(
          ({ id, active, name, description, marketing_features, metadata }) => {
            const features = marketing_features.flatMap((feature) => feature.name ?? []);
            return { id, active, name, description: description ?? '', features, metadata };
          },
        ),
      ),

    prices: () =>
      ask(async ({ prices }) =>
        (await prices.list({ limit: PAGE_SIZE }).autoPagingToArray({ limit: MAX_ITEMS })).flatMap((price) => {
          const { id, active, lookup_key: lookupKey, unit_amount: amount, currency, metadata } = price;
          const interval = Period.safeParse(price.recurring?.interval ?? null);
          const isSold = interval.success && (price.recurring?.interval_count ?? 1) === 1;
          if (lookupKey === null || amount === null || !isSold) return [];
          const taxBehavior = Behavior.parse(price.tax_behavior);
          const found = { id, active, lookupKey, amount, currency, metadata, taxBehavior };
          return [{ ...found, interval: interval.data }];
        }),
      ),

    createProduct: (product) =>
      ask(async ({ products }) => (await products.create(productParams(product))).id),

    updateProduct: (id, product) =>
      ask(async ({ products }) => {
        await products.update(id, productParams(product));
      }),

    createPrice: (productId, { lookupKey, amount, currency, interval, metadata, taxBehavior }) =>
      ask(async ({ prices }) => {
        const { id } = await prices.create({
          product: productId,
          lookup_key: lookupKey,
          transfer_lookup_key: true,
          unit_amount: amount,
          currency,
          metadata,
          ...(taxBehavior !== 'unspecified' && { tax_behavior: taxBehavior }),
          ...(interval && { recurring: { interval } }),
        });
        return id;
      }),

    setTaxBehavior: (id, behavior) =>
      ask(async ({ prices }) => {
        await prices.update(id, { tax_behavior: behavior });
      }),

    retirePrice: (id) =>
      ask(async ({ prices }) => {
        await prices.update(id, { active: false });
      }),

    portals: () =>
      ask(async ({ billingPortal }) =>
        (
          await billingPortal.configurations
            .list({ active: true, limit: PAGE_SIZE })
            .autoPagingToArray({ limit: MAX_ITEMS })
        ).flatMap(({ id, metadata }) => {
          const { catalogue_key: key, content = '' } = metadata ?? {};
          return key === undefined ? [] : [{ id, key, content }];
        }),
      ),

    contentOf: (portal) => contentOf(featuresOf(portal)),

    savePortal: (portal, id) =>
      ask(async ({ billingPortal }) => {
        const features = featuresOf(portal);
        const metadata = { catalogue_key: portal.key, content: contentOf(features) };
        if (id === undefined)
          await billingPortal.configurations.create({ name: portal.key, features, metadata });
        else await billingPortal.configurations.update(id, { features, metadata });
      }),
  };
}

function contentOf(features: object): string {
  return hash('sha256', JSON.stringify(features), 'base64url');
}

/**
 * More takes effect, and is paid, at once. Less, or a shorter period, begins with the next period: otherwise one could use
 * the larger plan for an hour and get its price back.
 */
function featuresOf({ products }: Portal) {
  return {
    customer_update: {
      enabled: true,
      allowed_updates: ['email' as const, 'name' as const, 'address' as const, 'tax_id' as const],
    },
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: {
      enabled: true,
      mode: 'at_period_end' as const,
      cancellation_reason: {
        enabled: true,
        options: [...CANCELLATION_REASONS],
      },
    },
    subscription_update: {
      enabled: true,
      default_allowed_updates: ['price' as const, 'promotion_code' as const],
      products: products.map(({ id, prices }) => ({ product: id, prices: [...prices] })),
      proration_behavior: 'always_invoice' as const,
      schedule_at_period_end: {
        conditions: [{ type: 'decreasing_item_amount' as const }, { type: 'shortening_interval' as const }],
      },
    },
  };
}

function productParams({ name, description, features, metadata }: Product) {
  return {
    name,
    description,
    metadata,
    ...(features.length > 0 && { marketing_features: features.map((feature) => ({ name: feature })) }),
  };
}
