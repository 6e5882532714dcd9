import type { Stripe } from 'stripe';
import { z } from 'zod';
import type { Product, Shelf } from '../../billing/push-plans-to-stripe.ts';
import { openStripe, type StripeSettings } from './open-stripe.ts';
import { stripeFault } from './stripe-fault.ts';

const PAGE = 100;
const MOST = 1000;

const Period = z.enum(['month', 'year']).nullable();

/** Stripe's products and prices. @throws Fault upstream_failed */
export function createStripeShelf(settings: StripeSettings): Shelf {
  async function ask<T>(request: (stripe: Stripe) => Promise<T>): Promise<T> {
    return request(await openStripe(settings)).catch((error: unknown) => {
      throw stripeFault(error);
    });
  }

  return {
    products: () =>
      ask(async ({ products }) =>
        (await products.list({ active: true, limit: PAGE }).autoPagingToArray({ limit: MOST })).map(
          ({ id, active, name, description, marketing_features, metadata }) => {
            const features = marketing_features.flatMap((feature) => feature.name ?? []);
            return { id, active, name, description: description ?? '', features, metadata };
          },
        ),
      ),

    prices: () =>
      ask(async ({ prices }) =>
        (await prices.list({ limit: PAGE }).autoPagingToArray({ limit: MOST })).flatMap((price) => {
          const { id, active, lookup_key: lookupKey, unit_amount: amount, currency, metadata } = price;
          const interval = Period.safeParse(price.recurring?.interval ?? null);
          if (lookupKey === null || amount === null || !interval.success) return [];
          return [{ id, active, lookupKey, amount, currency, interval: interval.data, metadata }];
        }),
      ),

    createProduct: (product) =>
      ask(async ({ products }) => (await products.create(productParams(product))).id),

    updateProduct: (id, product) =>
      ask(async ({ products }) => {
        await products.update(id, productParams(product));
      }),

    createPrice: (productId, { lookupKey, amount, currency, interval, metadata }) =>
      ask(async ({ prices }) => {
        await prices.create({
          product: productId,
          lookup_key: lookupKey,
          transfer_lookup_key: true,
          unit_amount: amount,
          currency,
          metadata,
          ...(interval && { recurring: { interval } }),
        });
      }),

    retirePrice: (id) =>
      ask(async ({ prices }) => {
        await prices.update(id, { active: false });
      }),
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
