import { DEMO_TOKEN, type DemoService } from '../../sync/demo/demo.ts';
import { DEMO_SHOP } from './demo.ts';
import { createShopifyEmulator } from './emulator.ts';

type Snapshot = Parameters<ReturnType<typeof createShopifyEmulator>['restore']>[0];

/** The demo store as it was left, or new. `state` is a snapshot of one. */
export function createDemoShop(state: unknown): DemoService {
  const shop = createShopifyEmulator({ shop: DEMO_SHOP, token: DEMO_TOKEN, bulkMs: 0 });
  // Written by `snapshot` below, so it needs no second look.
  const restore = (left: unknown) => shop.restore(left as Snapshot);
  if (state !== undefined) restore(state);
  return {
    fetch: shop.fetch,
    snapshot: shop.snapshot,
    restore,
    setStock(sku, stock) {
      if (!shop.variants().some((variant) => variant.sku === sku)) return false;
      shop.setQuantity(sku, stock);
      return true;
    },
  };
}
