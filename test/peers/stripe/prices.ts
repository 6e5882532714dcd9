import { z } from 'zod';
import {
  Flag,
  Metadata,
  MetadataChange,
  mergedMetadata,
  Paging,
  Range,
  readParams,
  Text,
  Whole,
  within,
} from './forms.ts';
import type { Price, Product } from './objects.ts';
import { pageOf } from './pages.ts';
import { malformed, refused } from './refusal.ts';
import type { Route } from './routes.ts';
import { need, type World } from './world.ts';

const Currency = z.string().regex(/^[a-z]{3}$/, 'must be a three-letter code in lower case');
const Interval = z.enum(['day', 'week', 'month', 'year']);
const TaxBehavior = z.enum(['exclusive', 'inclusive', 'unspecified']);
const ProductData = z.strictObject({
  id: Text.optional(),
  active: Flag.optional(),
  name: Text,
  description: Text.optional(),
  metadata: Metadata.optional(),
  statement_descriptor: Text.max(22).optional(),
  tax_code: Text.optional(),
  unit_label: Text.max(12).optional(),
});
const Recurring = z.strictObject({
  interval: Interval,
  interval_count: Whole.pipe(z.number().min(1).max(1095)).optional(),
  usage_type: z.literal('licensed').optional(),
});
/** What a checkout may say in the place of a price's id. */
export const PriceData = z.strictObject({
  currency: Currency,
  product: Text.optional(),
  product_data: ProductData.optional(),
  recurring: Recurring.optional(),
  tax_behavior: TaxBehavior.optional(),
  unit_amount: Whole.pipe(z.number().min(0)),
});
const Create = PriceData.extend({
  active: Flag.optional(),
  billing_scheme: z.literal('per_unit').optional(),
  lookup_key: Text.max(200).optional(),
  metadata: Metadata.optional(),
  nickname: Text.optional(),
  transfer_lookup_key: Flag.optional(),
});
const Update = z.strictObject({
  active: Flag.optional(),
  lookup_key: z.string().max(200).optional(),
  metadata: MetadataChange.optional(),
  nickname: z.string().optional(),
  tax_behavior: TaxBehavior.optional(),
  transfer_lookup_key: Flag.optional(),
});
const List = z.strictObject({
  ...Paging,
  active: Flag.optional(),
  created: Range.optional(),
  currency: Currency.optional(),
  lookup_keys: z.array(Text).max(10).optional(),
  product: Text.optional(),
  recurring: z.strictObject({ interval: Interval.optional(), usage_type: Text.optional() }).optional(),
  type: z.enum(['one_time', 'recurring']).optional(),
});

type ProductFields = z.infer<typeof ProductData>;

/** Prices. A lookup key belongs to one price at a time. */
export function createPrices(world: World, createProduct: (fields: ProductFields) => Product) {
  function productOf({ product, product_data }: z.infer<typeof PriceData>): string {
    if (product !== undefined) return need(world.products, 'product', product, 'product').id;
    if (!product_data) throw malformed('parameter_missing', 'product', 'Missing required param: product.');
    return createProduct(product_data).id;
  }

  function takeLookupKey(key: string, transfer: boolean): void {
    const holder = [...world.prices.values()].find((price) => price.lookup_key === key);
    if (!holder) return;
    if (!transfer) {
      throw refused(`A price (\`${holder.id}\`) already uses that lookup key.`, 'lookup_key');
    }
    world.change('price.updated', holder, () => {
      holder.lookup_key = null;
    });
  }

  function create(fields: z.infer<typeof Create>): Price {
    const { currency, recurring, unit_amount } = fields;
    const product = productOf(fields);
    if (fields.lookup_key) takeLookupKey(fields.lookup_key, fields.transfer_lookup_key ?? false);
    const price: Price = {
      id: world.id('price'),
      object: 'price',
      active: fields.active ?? true,
      billing_scheme: 'per_unit',
      created: world.now(),
      currency,
      custom_unit_amount: null,
      livemode: false,
      lookup_key: fields.lookup_key ?? null,
      metadata: fields.metadata ?? {},
      nickname: fields.nickname ?? null,
      product,
      recurring: recurring
        ? {
            interval: recurring.interval,
            interval_count: recurring.interval_count ?? 1,
            meter: null,
            trial_period_days: null,
            usage_type: 'licensed',
          }
        : null,
      tax_behavior: fields.tax_behavior ?? 'unspecified',
      tiers_mode: null,
      transform_quantity: null,
      type: recurring ? 'recurring' : 'one_time',
      unit_amount,
      unit_amount_decimal: String(unit_amount),
    };
    world.prices.set(price.id, price);
    world.emit('price.created', price);
    return price;
  }

  function update(id: string, fields: z.infer<typeof Update>): Price {
    const price = need(world.prices, 'price', id);
    const { active = price.active, lookup_key = price.lookup_key, nickname = price.nickname } = fields;
    if (lookup_key && lookup_key !== price.lookup_key) {
      takeLookupKey(lookup_key, fields.transfer_lookup_key ?? false);
    }
    if (
      fields.tax_behavior &&
      price.tax_behavior !== 'unspecified' &&
      fields.tax_behavior !== price.tax_behavior
    ) {
      throw refused(
        'You cannot change `tax_behavior` once it is set to `exclusive` or `inclusive`.',
        'tax_behavior',
      );
    }
    return world.change('price.updated', price, () => {
      price.active = active;
      price.lookup_key = lookup_key || null;
      price.nickname = nickname || null;
      price.tax_behavior = fields.tax_behavior ?? price.tax_behavior;
      price.metadata = mergedMetadata(price.metadata, fields.metadata);
    });
  }

  const routes: Route[] = [
    { method: 'POST', path: '/v1/prices', run: (params) => create(readParams(Create, params)) },
    { method: 'GET', path: '/v1/prices', run: (params) => listed(readParams(List, params)) },
    { method: 'GET', path: '/v1/prices/:id', run: (_params, id) => need(world.prices, 'price', id) },
    { method: 'POST', path: '/v1/prices/:id', run: (params, id) => update(id, readParams(Update, params)) },
  ];

  function listed({ limit, starting_after, ending_before, ...wanted }: z.infer<typeof List>) {
    const found = [...world.prices.values()].filter(
      (price) =>
        (wanted.active === undefined || price.active === wanted.active) &&
        (wanted.currency === undefined || price.currency === wanted.currency) &&
        (wanted.lookup_keys === undefined || wanted.lookup_keys.includes(price.lookup_key ?? '')) &&
        (wanted.product === undefined || price.product === wanted.product) &&
        (wanted.type === undefined || price.type === wanted.type) &&
        (wanted.recurring?.interval === undefined ||
          price.recurring?.interval === wanted.recurring.interval) &&
        within(wanted.created, price.created),
    );
    return pageOf('/v1/prices', found, { limit, starting_after, ending_before });
  }

  return { routes, create };
}
