import {
  type CataloguePlan,
  CREDIT_CATALOGUE,
  CURRENCIES,
  creditsLookupKey,
  inCurrency,
  PLAN_CATALOGUE,
  planLookupKey,
  portalKey,
} from './catalog.ts';
import { INTERVALS, type Interval } from './payment-service.ts';

export type Product = {
  readonly name: string;
  readonly description: string;
  readonly features: readonly string[];
  /** Says which product of the catalogue it is, under `catalogue_key`, and what it gives. */
  readonly metadata: Readonly<Record<string, string>>;
};

/** Whether an amount has its tax in it; `unspecified` follows the tax settings of the Stripe account. */
type TaxBehavior = 'inclusive' | 'exclusive' | 'unspecified';

type Price = {
  readonly lookupKey: string;
  readonly amount: number;
  readonly currency: string;
  /** Null for what is bought once. */
  readonly interval: Interval | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly taxBehavior: TaxBehavior;
};

/** A page of the portal: the plans of an app in one currency, which its subscribers may change to. */
export type Portal = {
  readonly key: string;
  readonly products: readonly { readonly id: string; readonly prices: readonly string[] }[];
};

/** Where products, prices and portals stand. Prices never change: a new one takes over the lookup key. */
export type Shelf = {
  products(): Promise<readonly (Product & { readonly id: string; readonly active: boolean })[]>;
  prices(): Promise<readonly (Price & { readonly id: string; readonly active: boolean })[]>;
  createProduct(product: Product): Promise<string>;
  updateProduct(id: string, product: Product): Promise<void>;
  /** Answers its id. */
  createPrice(productId: string, price: Price): Promise<string>;
  /** Only a price whose behavior is `unspecified` can get one. */
  setTaxBehavior(id: string, behavior: TaxBehavior): Promise<void>;
  /** Closes the price to new subscriptions; existing ones continue. */
  retirePrice(id: string): Promise<void>;
  /** What `savePortal` noted of the portals there are: `content` differs when anything in them does. */
  portals(): Promise<readonly { readonly id: string; readonly key: string; readonly content: string }[]>;
  contentOf(portal: Portal): string;
  /** Creates a portal, or replaces what is in the one with this id. */
  savePortal(portal: Portal, id?: string): Promise<void>;
};

type Ware = { readonly product: Product; readonly prices: readonly Price[] };
type PushOptions = { readonly dryRun?: boolean; readonly taxBehavior?: TaxBehavior | undefined };

/**
 * Brings the catalogue to the shelf, with the portals where customers change their plans; what is there already stays.
 * Answers what was done, a line each, which with `dryRun` is what would be.
 */
export async function pushCatalogue(
  shelf: Shelf,
  { dryRun = false, taxBehavior = 'unspecified' }: PushOptions = {},
): Promise<string[]> {
  const [products, prices] = await Promise.all([shelf.products(), shelf.prices()]);
  const done: string[] = [];
  const act = async <T>(line: string, run: () => Promise<T>): Promise<T | undefined> => {
    done.push(line);
    return dryRun ? undefined : run();
  };
  const portals = createPortalList();

  for (const { product, prices: wanted } of WARES) {
    const key = product.metadata['catalogue_key'];
    const found = products.find((one) => one.metadata['catalogue_key'] === key);
    const id = found ? found.id : await act(`product ${key}: created`, () => shelf.createProduct(product));
    if (found && !isSameProduct(found, product))
      await act(`product ${key}: updated`, () => shelf.updateProduct(found.id, product));
    for (const price of wanted) portals.add(price, id, await pushPrice(id, price));
  }
  const known = await shelf.portals();
  for (const portal of portals.list()) await pushPortal(portal);
  return done;

  /** Its id; undefined where a dry run would have made it. */
  async function pushPrice(productId: string | undefined, price: Price): Promise<string | undefined> {
    const { lookupKey, amount, currency } = price;
    const found = prices.find((one) => one.lookupKey === lookupKey);
    if (found?.active && isSamePrice(found, price)) {
      if (taxBehavior === 'unspecified' || found.taxBehavior === taxBehavior) return found.id;
      if (found.taxBehavior === 'unspecified') {
        await act(`price ${lookupKey}: tax is ${taxBehavior}`, () =>
          shelf.setTaxBehavior(found.id, taxBehavior),
        );
        return found.id;
      }
    }
    const what = `${amount} ${currency}${taxBehavior === 'unspecified' ? '' : `, tax ${taxBehavior}`}`;
    const line = found ? `changed from ${found.amount} ${found.currency} to ${what}` : `created at ${what}`;
    return act(`price ${lookupKey}: ${line}`, async () => {
      if (productId === undefined) return undefined;
      const id = await shelf.createPrice(productId, { ...price, taxBehavior });
      if (found?.active) await shelf.retirePrice(found.id);
      return id;
    });
  }

  async function pushPortal({ isComplete, ...portal }: ListedPortal): Promise<void> {
    const found = known.find(({ key }) => key === portal.key);
    if (found && isComplete && found.content === shelf.contentOf(portal)) return;
    const line = `${portal.key}: ${found ? 'updated' : 'created'}`;
    await act(line, () => shelf.savePortal(portal, found?.id));
  }
}

/** Incomplete while a dry run leaves its prices unmade. */
type ListedPortal = Portal & { readonly isComplete: boolean };

/** Gathers the prices of plans by app and currency. */
function createPortalList() {
  const pages = new Map<string, { products: Map<string, string[]>; isComplete: boolean }>();
  return {
    add({ metadata, currency, interval }: Price, productId: string | undefined, priceId: string | undefined) {
      if (interval === null) return;
      const key = portalKey(metadata['app'] ?? '', currency);
      const page = pages.get(key) ?? { products: new Map<string, string[]>(), isComplete: true };
      pages.set(key, page);
      if (productId === undefined || priceId === undefined) page.isComplete = false;
      else page.products.set(productId, [...(page.products.get(productId) ?? []), priceId]);
    },
    list: (): ListedPortal[] =>
      [...pages].map(([key, { products, isComplete }]) => ({
        key,
        products: [...products].map(([id, prices]) => ({ id, prices })),
        isComplete,
      })),
  };
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
      prices: CURRENCIES.map((currency) => {
        const lookupKey = inCurrency(key, currency);
        return { lookupKey, amount, currency, interval: null, metadata, taxBehavior: 'unspecified' };
      }),
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
    prices: CURRENCIES.flatMap((currency) =>
      INTERVALS.flatMap((interval): Price[] => {
        const amount = prices[interval];
        const lookupKey = inCurrency(planLookupKey(app, plan, interval), currency);
        return amount === undefined
          ? []
          : [{ lookupKey, amount, currency, interval, metadata, taxBehavior: 'unspecified' }];
      }),
    ),
  };
}
