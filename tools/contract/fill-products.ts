import { createProductFiller, hasProductReference } from '../../src/sync/connections/product-references.ts';
import type { Call } from './define.ts';
import { requireScope } from './require-scope.ts';

/**
 * Fills `product:` references in the data of a call; of many rows, one after the other with the same function. Reading a
 * product takes what `list_products` takes.
 * @throws Fault insufficient_scope.key, plan_required, and those of `createProductFiller`
 */
export function productFiller({ app, caller, signal }: Call) {
  const fill = createProductFiller((store, product) =>
    app.sync.stores.product(caller.accountId, store, product, signal),
  );
  return async <Data>(data: Data): Promise<Data> => {
    if (!hasProductReference(data)) return data;
    requireScope('list_products', 'sync:read', caller);
    if (caller.byPlan) await app.entitlements.requireApi(caller.accountId, 'sync');
    return fill(data);
  };
}
