import {
  type CataloguePlan,
  CREDIT_CATALOGUE,
  CURRENCY,
  creditsLookupKey,
  PLAN_CATALOGUE,
  planLookupKey,
} from './catalog.ts';
import { INTERVALS, type Interval } from './payment-service.ts';

export type Product = {
  readonly name: string;
  readonly description: string;
  readonly features: readonly string[];
  /** Says which product of the catalogue it is, under `catalogue_key`, and what it gives. */
  readonly metadata: Readonly<Record<string, string>>;
};

type Price = {
  readonly lookupKey: string;
  readonly amount: number;
  readonly currency: string;
  /** Null for what is bought once. */
  readonly interval: Interval | null;
  readonly metadata: Readonly<Record<string, string>>;
};

/** Where products and prices stand. Prices never change: a new one takes over the lookup key. */
export type Shelf = {
  products(): Promise<readonly (Product & { readonly id: string; readonly active: boolean })[]>;
  prices(): Promise<readonly (Price & { readonly id: string; readonly active: boolean })[]>;
  createProduct(product: Product): Promise<string>;
  updateProduct(id: string, product: Product): Promise<void>;
  createPrice(productId: string, price: Price): Promise<void>;
  /** Closes the price to new subscriptions; existing ones continue. */
  retirePrice(id: string): Promise<void>;
};

type Ware = { readonly product: Product; readonly prices: readonly Price[] };

/**
 * Brings the catalogue to the shelf; what is there already stays. Answers what was done, a line each, which with `dryRun`
 * is what would be.
 */
export async function pushCatalogue(shelf: Shelf, { dryRun = false } = {}): Promise<string[]> {
  const [products, prices] = await Promise.all([shelf.products(), shelf.prices()]);
  const done: string[] = [];
  const act = async <T>(line: string, run: () => Promise<T>): Promise<T | undefined> => {
    done.push(line);
    return dryRun ? undefined : run();
  };

  for (const { product, prices: wanted } of WARES) {
    const key = product.metadata['catalogue_key'];
    const found = products.find((one) => one.metadata['catalogue_key'] === key);
    const id = found ? found.id : await act(`product ${key}: created`, () => shelf.createProduct(product));
    if (found && !isSameProduct(found, product))
      await act(`product ${key}: updated`, () => shelf.updateProduct(found.id, product));
    for (const price of wanted) await pushPrice(id, price);
  }
  return done;

  async function pushPrice(productId: string | undefined, price: Price): Promise<void> {
    const { lookupKey, amount, currency } = price;
    const found = prices.find((one) => one.lookupKey === lookupKey);
    if (found?.active && isSamePrice(found, price)) return;
    const what = `${amount} ${currency}`;
    const line = found ? `changed from ${found.amount} ${found.currency} to ${what}` : `created at ${what}`;
    await act(`price ${lookupKey}: ${line}`, async () => {
      if (productId === undefined) return;
      await shelf.createPrice(productId, price);
      if (found?.active) await shelf.retirePrice(found.id);
    });
  }
}

function isSameProduct(one: Product, other: Product): boolean {
  const { name, description, features } = one;
  return (
    name === other.name &&
    description === other.description &&
    features.join('\n') === other.features.join('\n') &&
    Object.entries(other.metadata).every(([key, value]) => one.metadata[key] === value)
  );
}

function isSamePrice(one: Price, other: Price): boolean {
  return one.amount === other.amount && one.currency === other.currency && one.interval === other.interval;
}

const WARES: readonly Ware[] = [
  ...PLAN_CATALOGUE.filter(({ prices }) => Object.keys(prices).length > 0).map(wareOfPlan),
  ...CREDIT_CATALOGUE.map(({ credits, amount }): Ware => {
    const key = creditsLookupKey(credits);
    const metadata = { catalogue_key: key, app: 'hooks', credits: String(credits) };
    const spanish = { name_es: `${credits} hooks`, description_es: 'Créditos que no caducan' };
    return {
      product: {
        name: `${credits} hooks`,
        description: 'Credits that never expire',
        features: [],
        metadata: { ...metadata, ...spanish },
      },
      prices: [{ lookupKey: key, amount, currency: CURRENCY, interval: null, metadata }],
    };
  }),
];

function wareOfPlan({ app, plan, popular, prices, en, es }: CataloguePlan): Ware {
  const metadata = { catalogue_key: `${app}_${plan}`, app, plan };
  const spanish = {
    name_es: es.name,
    description_es: es.description,
    features_es: es.features.join('\n'),
  };
  return {
    product: { ...en, metadata: { ...metadata, popular: String(popular), ...spanish } },
    prices: INTERVALS.flatMap((interval): Price[] => {
      const amount = prices[interval];
      const lookupKey = planLookupKey(app, plan, interval);
      return amount === undefined ? [] : [{ lookupKey, amount, currency: CURRENCY, interval, metadata }];
    }),
  };
}
