import { createAccess } from './access.ts';
import { createActivate } from './activate.ts';
import { createAdminApi } from './admin-api.ts';
import { createBulkOperations, createBulkRuns } from './bulk-operations.ts';
import { createCatalogue } from './catalog.ts';
import { createBucket, LINEAR, SUBLINEAR } from './cost.ts';
import { createEngine } from './engine.ts';
import { createFaults, type FaultRate, refusable } from './faults.ts';
import { createIdempotency } from './idempotency.ts';
import { createKeyed } from './keyed.ts';
import { cdnAddress, createMedia, type MediaOptions } from './media.ts';
import { createMerchant } from './merchant.ts';
import type { ShopSeed } from './records.ts';
import { createRoutes } from './routes.ts';
import { createSetProduct } from './set-product.ts';
import { createSetQuantities } from './set-quantities.ts';
import { createShop } from './shop.ts';
import { createStagedUploads } from './staged-uploads.ts';
import { createTransport, type EmulatorClock, systemClock } from './transport.ts';
import { createUpdateProducts } from './update-products.ts';
import { createWebhooks, type WebhookDelivery } from './webhooks.ts';

export type ShopifyEmulatorOptions = {
  readonly domain?: string;
  readonly shop?: ShopSeed;
  /** The token that never expires. */
  readonly token?: string;
  /** The app: its credentials get tokens that expire, its secret signs deliveries. */
  readonly app?: { readonly clientId: string; readonly clientSecret: string };
  /** What the app has been granted, such as `read_products`; all that it needs unless told otherwise. */
  readonly scopes?: readonly string[];
  readonly clock?: EmulatorClock;
  /** Points that may be spent at once, and that come back a second. */
  readonly plan?: { readonly size: number; readonly rate: number };
  /** Whether connections cost by their number of objects, as they once did. */
  readonly linearCost?: boolean;
  /** How long a bulk operation runs. */
  readonly bulkMs?: number;
  /** Whether the key of a refused attempt is refused itself when it comes again; else the answer is repeated. */
  readonly refusesFailedKeys?: boolean;
  /** How pictures are processed. */
  readonly media?: Partial<Omit<MediaOptions, 'shop' | 'now'>>;
  readonly faultRate?: FaultRate;
  readonly onDelivery?: (delivery: WebhookDelivery) => void;
};

const DEFAULT_MEDIA = {
  processingMs: 100,
  faultOf: () => undefined,
  copyOf: cdnAddress,
  addressOf: (kept: string) => kept,
};

/** Of the API that deliveries are of. */
const VERSION = '2026-10';

export type ShopifyEmulator = ReturnType<typeof createShopifyEmulator>;

/**
 * A Shopify shop in memory, spoken to as the Admin API is: the types are the published ones, the rules are written from
 * the documents. Imports `graphql`: to be imported where it is first needed.
 * In: requests as to the Admin API. Out: responses and webhook deliveries as Shopify sends them. Invariant: nothing
 * leaves the process.
 */
export function createShopifyEmulator({
  domain = 'demo.myshopify.com',
  shop: seed = {},
  token = 'shpat_demo',
  app = { clientId: 'demo-client', clientSecret: 'demo-secret' },
  clock = systemClock,
  plan = { size: 2000, rate: 100 },
  linearCost = false,
  bulkMs = 1000,
  refusesFailedKeys = false,
  onDelivery = () => {},
  ...options
}: ShopifyEmulatorOptions = {}) {
  const { now } = clock;
  const origin = `https://${domain}`;
  const shop = createShop(seed, (change) => webhooks.changed(change));
  const webhooks = createWebhooks({
    shop,
    domain,
    secret: app.clientSecret,
    version: VERSION,
    now,
    onDelivery,
  });
  const media = createMedia({ shop, now, ...DEFAULT_MEDIA, ...options.media });
  const catalogue = createCatalogue(shop, media, origin);
  const uploads = createStagedUploads(origin);
  const engine = createEngine(() => root);
  const runs = createBulkRuns({ engine, shop, runMs: bulkMs, now, onEnd: webhooks.bulkEnded });
  const bulk = createBulkOperations({ engine, runs, uploads, origin });
  const root = {
    ...catalogue.queries,
    currentAppInstallation: () => ({ accessScopes: access.scopes().map((handle) => ({ handle })) }),
    ...webhooks.queries,
    ...bulk.queries,
    ...refusable({
      ...createSetQuantities(shop),
      ...createActivate(shop),
      ...createUpdateProducts(shop, catalogue),
      ...createSetProduct(shop, catalogue, media),
      ...webhooks.mutations,
      ...bulk.mutations,
      stagedUploadsCreate: uploads.stagedUploadsCreate,
    }),
  };
  const { scopes } = options;
  const access = createAccess({ token, ...app, now, ...(scopes && { scopes }) });
  const faults = createFaults(options.faultRate);
  const keyed = createKeyed({ engine, idempotency: createIdempotency(now), refusesFailedKeys });
  const costs = linearCost ? LINEAR : SUBLINEAR;
  const api = createAdminApi({ engine, access, bucket: createBucket(plan, now), costs, keyed });
  const routes = createRoutes({ api, access, runs, uploads });
  const door = createTransport({ routes, faults, clock, advance: runs.advance });

  return {
    domain,
    token,
    app,
    /** As `fetch`, of whatever host. */
    fetch: door.fetch,
    /** What has been asked, the last 10,000. */
    calls: door.calls,
    /** Faults of the requests to come. */
    faults: faults.queue,
    /** What the shop answers instead of serving, from now on. */
    setMood: routes.setMood,
    /** No token is good any more; the app's credentials still get new ones. */
    revokeTokens: access.revoke,
    ...createMerchant(shop, now),
    locations: shop.locations,
    subscriptions: shop.subscriptions,
    /** A delivery of this topic, such as `products/update`, signed by the app's secret. */
    webhook: webhooks.deliveryOf,
    /** Everything the shop keeps, as plain JSON; not what goes on in it. */
    snapshot: shop.snapshot,
    restore: shop.restore,
  };
}
