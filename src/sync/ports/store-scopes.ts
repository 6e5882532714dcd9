import { isQuantity } from './store-fields.ts';

/** The kinds of values that syncs write in a store: fields of products and variants, and stock. */
export const STORE_WRITES = ['products', 'inventory'] as const;
export type StoreWrites = (typeof STORE_WRITES)[number];

/** The scopes of the Admin API that reading takes, and writing these. The right to write includes the right to read. */
export function scopesFor(writes: readonly StoreWrites[]): string[] {
  const own = STORE_WRITES.map((part) => `${writes.includes(part) ? 'write' : 'read'}_${part}`);
  return [...own, 'read_locations'];
}

/** Those of the scopes that have not been granted. */
export function lackingScopes(scopes: readonly string[], granted: readonly string[]): string[] {
  return scopes.filter(
    (scope) => !granted.includes(scope) && !granted.includes(scope.replace(/^read_/, 'write_')),
  );
}

/** The scope that writing a field takes. */
export function scopeToWrite(field: string): string {
  return isQuantity(field) ? 'write_inventory' : 'write_products';
}
