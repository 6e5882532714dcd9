import type { Mapping, SyncOptions } from '../config.ts';
import type { PlannedChange } from './changes-store.ts';
import type { JoinedRow } from './join-store.ts';

/** What is said of rows whose item the store no longer has. */
export type Marking = {
  /** In the words of the run's language. */
  readonly text: string;
  /** Where rows have a status: what they say. */
  readonly statuses: ReadonlyMap<number, string> | null;
};

/** What becomes of a row of which the store has nothing, where the sheet follows the store. */
export function planStale(
  row: JoinedRow,
  { stale_rows }: SyncOptions,
  { mappings, marking }: { readonly mappings: readonly Mapping[]; readonly marking: Marking },
): PlannedChange[] {
  switch (stale_rows) {
    case 'keep':
      return [];
    case 'clear':
      return mappings.flatMap(({ store_field }, nth) => clearCell(row, store_field, row.sheet[nth] ?? null));
    case 'mark':
      return marking.statuses ? statusChange(row, marking.statuses.get(row.row) ?? null, marking.text) : [];
  }
}

/** A row that was marked, and whose item is there again. */
export function unmark(row: JoinedRow, { statuses, text }: Marking): PlannedChange[] {
  return statuses?.get(row.row) === text ? statusChange(row, text, null) : [];
}

function clearCell(
  row: JoinedRow,
  field: PlannedChange['field'],
  from: PlannedChange['from'],
): PlannedChange[] {
  return from === null ? [] : [{ ...changeOf(row), field, kind: 'clear', from, to: null }];
}

function statusChange(row: JoinedRow, from: PlannedChange['from'], to: PlannedChange['to']): PlannedChange[] {
  return from === to ? [] : [{ ...changeOf(row), field: 'status', kind: 'set', from, to }];
}

function changeOf({ key, row, variant_id, product_id, item_id }: JoinedRow) {
  const ids = { variantId: variant_id, productId: product_id, itemId: item_id };
  return { key, row, ...ids, side: 'sheet', base: null, state: 'planned', code: null, params: null } as const;
}
