import type { SyncSettings } from '../config.ts';
import type { PlannedChange } from './changes-store.ts';
import type { FoundLayout } from './find-layout.ts';
import type { Layout } from './layout.ts';

/** The header of an empty tab, and that of a status column which is new. */
export function headerChanges(
  { layout, writesStatus }: Extract<FoundLayout, { layout: Layout }>,
  { mappings, options }: SyncSettings,
): PlannedChange[] {
  const mapped = mappings.map(({ store_field, sheet_column }) => header(layout, store_field, sheet_column));
  const key = header(layout, 'key', options.key_column ?? options.key);
  const own = hasOwnKey(layout) ? [...mapped, key] : mapped;
  const status = writesStatus ? [header(layout, 'status', options.status_column ?? null)] : [];
  return layout.writes_header ? [...own, ...status] : status;
}

/** The key has a column that no field is mapped to. */
export function hasOwnKey({ columns, key_column }: Layout): boolean {
  return !columns.includes(key_column);
}

function header(layout: Layout, field: PlannedChange['field'], to: PlannedChange['to']): PlannedChange {
  const nothing = { variantId: null, productId: null, itemId: null, from: null, base: null } as const;
  const planned = { side: 'sheet', kind: 'append', state: 'planned', code: null, params: null } as const;
  return { ...nothing, ...planned, key: '', row: layout.header_row, field, to };
}
