import { Fault } from '../../errors.ts';
import type { StoreDescription } from '../ports/store-client.ts';
import { lackingScopes, scopeToWrite } from '../ports/store-scopes.ts';
import type { Run } from '../runs/run.ts';

/**
 * Requires the scopes that writing the mapped fields takes: nothing is written where one of them is missing.
 * @throws Fault store_refused.field_scope, which names the field
 */
export function requireFieldScopes(
  { direction, settings: { mappings, options } }: Pick<Run, 'direction' | 'settings'>,
  { name: store, scopes: granted }: StoreDescription,
): void {
  if (direction === 'store_to_sheet' || granted === undefined) return;
  for (const { store_field: field } of mappings) {
    const [scope] = field === options.key ? [] : lackingScopes([scopeToWrite(field)], granted);
    if (scope !== undefined) throw new Fault('store_refused.field_scope', { store, field, scope });
  }
}
