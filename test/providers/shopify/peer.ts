import type { ProductSeed } from '../../../src/emulators/shopify/records.ts';
import type { ShopifyEmulatorOptions } from '../../../src/emulators/shopify/shopify.ts';
import { createShopifyStores } from '../../../src/providers/shopify/shopify.ts';
import type { StoreClient } from '../../../src/sync/ports/store-client.ts';
import { type ShopifyPeer, startShopifyPeer } from '../../peers/shopify.ts';
import { SHOP, TOKEN, throttlesOf, type VirtualClock, virtualClock } from './wire.ts';

export type Peer = {
  readonly shop: ShopifyPeer['emulator'];
  readonly clock: VirtualClock;
  /** Id of the primary place. */
  readonly here: string;
  readonly url: string;
  open(): StoreClient;
  /** The operations asked for, in their order. */
  operations(): readonly (string | undefined)[];
  close(): Promise<void>;
};

/** A shop on a local port, and the adapter to it. On their shared virtual clock a wait takes no real time. */
export async function startPeer(
  options: Omit<ShopifyEmulatorOptions, 'clock' | 'domain' | 'token'>,
): Promise<Peer> {
  const clock = virtualClock();
  const emulated = { now: clock.now, sleep: async (ms: number) => clock.advance(ms) };
  const peer = await startShopifyPeer({ ...options, domain: SHOP, token: TOKEN, clock: emulated });
  const stores = createShopifyStores({
    apiVersion: '2026-10',
    baseUrl: peer.url,
    throttles: throttlesOf(clock),
    clock,
  });
  return {
    shop: peer.emulator,
    clock,
    here: peer.emulator.locations()[0]?.id ?? '',
    url: peer.url,
    open: () => stores.open({ domain: SHOP, credentials: { token: TOKEN } }),
    operations: () => peer.emulator.calls.map(({ operation, path }) => operation ?? path),
    close: () => peer.close(),
  };
}

/** So many products of five variants: SKU-1 with 1 in stock, SKU-2 with 2 … */
export function productsOf(count: number): readonly ProductSeed[] {
  return Array.from({ length: count }, (_product, index) => ({
    title: `Product ${index + 1}`,
    variants: Array.from({ length: 5 }, (_variant, nth) => {
      const number = index * 5 + nth + 1;
      return {
        sku: `SKU-${number}`,
        price: '9.90',
        available: number % 100,
        barcode: `${4_000_000 + number}`,
      };
    }),
  }));
}
