import { createAdminApiClient } from '@shopify/admin-api-client';
import type { ProductSeed } from '../../../src/emulators/shopify/records.ts';
import {
  createShopifyEmulator,
  type ShopifyEmulator,
  type ShopifyEmulatorOptions,
} from '../../../src/emulators/shopify/shopify.ts';

type Json = Readonly<Record<string, unknown>>;

/** Two mugs and a plate, in one place that stocks them and one that does not. */
export const SHELF: readonly ProductSeed[] = [
  {
    title: 'Mug',
    variants: [
      {
        sku: 'MUG-S',
        price: '12.00',
        available: 5,
        barcode: '2000000000015',
        weight: { value: 380, unit: 'GRAMS' },
      },
      { sku: 'MUG-L', price: '15.50', available: 3 },
    ],
  },
  { title: 'Plate', variants: [{ sku: 'PLATE', price: '21.00', available: { Shop: 8, Store: 40 } }] },
];

export type OpenShop = {
  readonly emulator: ShopifyEmulator;
  readonly clock: VirtualClock;
  /** By the names of the emulator's places. */
  readonly place: (name?: string) => string;
  readonly item: (sku: string) => string;
  readonly variant: (sku: string) => string;
  readonly product: (sku: string) => string;
  readonly stock: (sku: string, place?: string) => number | null | undefined;
  /** What Shopify's own client makes of it. */
  ask(text: string, variables?: Json): Promise<Answer>;
};

/** `errors` as the service sent them; `data` of any operation. */
export type Answer = {
  readonly data: ReturnType<typeof JSON.parse>;
  readonly status: number | undefined;
  readonly errors: readonly { readonly message: string; readonly code: unknown }[];
  readonly cost: ReturnType<typeof JSON.parse>;
};

/** A shop in this process, asked by the real client, on a clock that only moves when it is told to. */
export function openShop(options: ShopifyEmulatorOptions = {}, apiVersion = '2026-10'): OpenShop {
  const clock = virtualClock();
  const shop = { locations: ['Shop', 'Store'], products: SHELF };
  const emulator = createShopifyEmulator({ shop, clock, ...options });
  const client = createAdminApiClient({
    storeDomain: emulator.domain,
    apiVersion,
    accessToken: emulator.token,
    customFetchApi: emulator.fetch,
    logger: () => {},
  });
  const row = (sku: string) => {
    const found = emulator.variants().find((variant) => variant.sku === sku);
    if (!found) throw new Error(`no SKU ${sku}`);
    return found;
  };

  return {
    emulator,
    clock,
    place: (name = 'Shop') => emulator.locations().find((location) => location.name === name)?.id ?? '',
    item: (sku) => row(sku).itemId,
    variant: (sku) => row(sku).variantId,
    product: (sku) => row(sku).productId,
    stock: (sku, place) => emulator.variants(place).find((variant) => variant.sku === sku)?.available,
    async ask(text, variables = {}) {
      const { data, errors, extensions } = await client.request(text, { variables });
      const said = errors?.graphQLErrors ?? [];
      return {
        data,
        status: errors?.networkStatusCode,
        errors: said.map(({ message, extensions: details }) => ({ message, code: details?.['code'] })),
        cost: extensions?.['cost'],
      };
    },
  };
}

export type VirtualClock = {
  now(): number;
  sleep(ms: number): Promise<void>;
};

/** Time that passes when somebody sleeps. */
export function virtualClock(start = Date.UTC(2026, 10, 21)): VirtualClock {
  let time = start;
  return {
    now: () => time,
    async sleep(ms) {
      time += ms;
    },
  };
}
