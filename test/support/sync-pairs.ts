import type { NewTab } from '../../src/emulators/sheets/book-handle.ts';
import type { ProductSeed } from '../../src/emulators/shopify/records.ts';
import type { ShopifyEmulatorOptions } from '../../src/emulators/shopify/shopify.ts';
import type { SyncPlan } from '../../src/plans.ts';
import type { Cell } from '../../src/sync/ports/sheet-client.ts';
import { startSheetsPeer } from '../peers/sheets.ts';
import { startShopifyPeer } from '../peers/shopify.ts';
import { openTestApp } from './app.ts';
import { givePlan } from './plans.ts';
import { type Answer, newBareKey, startTestServer, useRest } from './server.ts';

type Json = Record<string, unknown>;

export type NewPair = {
  readonly products?: readonly ProductSeed[];
  /** Of the tab Sheet1, from row 1. */
  readonly rows?: readonly (readonly Cell[])[];
  readonly tabs?: readonly NewTab[];
  readonly locale?: string;
  readonly plan?: SyncPlan;
  readonly shop?: Omit<ShopifyEmulatorOptions, 'domain' | 'token'>;
};

export type Pairs = Awaited<ReturnType<typeof openPairs>>;
export type Pair = Awaited<ReturnType<Pairs['open']>>;

/** The whole product beside shops and spreadsheets on ports of this machine. */
export async function openPairs(env: Record<string, string> = {}) {
  const shopify = await startShopifyPeer({ domain: 'nobody.myshopify.com' });
  const unhurried = { read: Infinity, write: Infinity };
  const google = await startSheetsPeer({ quota: unhurried });
  const app = await openTestApp({
    SHOPIFY_BASE_URL: shopify.url,
    GOOGLE_BASE_URL: google.url,
    GOOGLE_CLIENT_ID: 'client',
    GOOGLE_CLIENT_SECRET: 'secret',
    ENCRYPTION_KEY: 'the-secret-of-this-server-kept-by-its-operator',
    ...env,
  });
  await app.sync.start();
  const server = await startTestServer(app);
  let opened = 0;

  return {
    app,
    url: server.url,
    shopify,
    google,

    /** A new account with a shop and a spreadsheet of its own, connected over REST. */
    async open({ products = [], rows = [], tabs, locale, plan, shop: options = {} }: NewPair = {}) {
      opened += 1;
      const { accountId, key } = await newBareKey(app);
      if (plan) await givePlan(app, accountId, plan, 'sync');
      const rest = useRest(server.url, key);
      const access = { domain: `shop-${opened}.myshopify.com`, token: `shpat_secret_${opened}` };
      const shop = shopify.add({ bulkMs: 0, shop: { currency: 'EUR', products }, ...options, ...access });
      const book = google.emulator.book(`book-${opened}`, {
        tabs: tabs ?? [{ title: 'Sheet1', rows }],
        ...(locale && { locale }),
      });
      const store = await rest('POST', '/sync/store', {
        body: { domain: shop.domain, store_access_token: shop.token },
      });
      const sheet = await rest('POST', '/sync/sheet', {
        body: {
          spreadsheet_id: book.id,
          name: 'Stock list',
          sheet_name: book.tabs()[0],
          access_token: 'ya29.test',
          refresh_token: '1//test',
        },
      });
      for (const { status, body } of [store, sheet])
        if (status !== 201) throw new Error(JSON.stringify(body));
      const ids = { store_id: String(store.body['id']), sheet_id: String(sheet.body['id']) };
      const post = (path: string, body: Json = {}, headers: Record<string, string> = {}) =>
        rest('POST', path, { body, headers });
      return {
        accountId,
        key,
        rest,
        shop,
        book,
        ids,
        post,
        /** POST /sync/run */
        run: (order: Json): Promise<Answer> =>
          post('/sync/run', 'config_id' in order || 'confirm' in order ? order : { ...ids, ...order }),
        /** A configuration of the two; its id. */
        async config(settings: Json): Promise<string> {
          const { status, body } = await post('/sync/config', { ...ids, ...settings });
          if (status !== 201) throw new Error(JSON.stringify(body));
          return String(body['id']);
        },
        /** What the tab says, its header too. */
        rows: (): Cell[][] => book.rows(book.tabs()[0] ?? ''),
        /** The stock of each SKU. */
        stock: () => Object.fromEntries(shop.variants().map(({ sku, available }) => [sku, available])),
        /** Calls that changed the spreadsheet so far. */
        writes: () =>
          google.emulator.calls.filter(({ path, kind }) => kind === 'write' && path.includes(`/${book.id}`))
            .length,
        /** Mutations the shop was sent so far. */
        mutations: () =>
          shop.calls.filter(({ operation = '' }) => /Set|Update|BulkMutation/.test(operation)).length,
      };
    },

    setPlan: (accountId: string, plan: SyncPlan) => givePlan(app, accountId, plan, 'sync'),

    async close() {
      await server.close();
      await app.close();
      await shopify.close();
      await google.close();
    },
  };
}

/** One product of one variant for each SKU and its stock. */
export function stocked(stock: Readonly<Record<string, number>>): ProductSeed[] {
  return Object.entries(stock).map(([sku, available]) => ({
    title: `Product ${sku}`,
    variants: [{ sku, available }],
  }));
}

/** SKUs S001, S002 … with so many pieces each. */
export function shelf(count: number, available = 5): Record<string, number> {
  const skus = Array.from({ length: count }, (_sku, nth) => `S${String(nth + 1).padStart(3, '0')}`);
  return Object.fromEntries(skus.map((sku) => [sku, available]));
}

export const HEADER = ['SKU', 'Stock'] as const;
