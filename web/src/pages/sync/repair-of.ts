export type Repair = 'sheet' | 'stores' | 'sheets' | 'conflict' | 'activate' | 'add_columns' | 'again';

const REPAIRS: Readonly<Record<string, Repair>> = {
  header_not_found: 'add_columns',
  not_stocked: 'activate',
  conflict: 'conflict',
  equal_moves: 'conflict',
  negative_quantity: 'conflict',
  leading_zeros: 'conflict',
  missing_key_in_row: 'sheet',
  duplicate_in_sheet: 'sheet',
  not_in_store: 'sheet',
  invalid_value: 'sheet',
  formula_cell: 'sheet',
  formula_overwritten: 'sheet',
  protected_cell: 'sheet',
  titles_differ: 'sheet',
  product_values_differ: 'sheet',
  items_differ: 'sheet',
  cannot_clear: 'sheet',
  rows_moved: 'sheet',
};

/** Credentials or a place that no longer work; what only did not respond is read again. */
const CONNECTION = /^(store|sheet)_(unauthorized|forbidden|frozen|not_found)$/;

/** What repairs an error, by its code. What is in no list passes, or was repaired in the store: read again. */
export function repairOf(code: string): Repair {
  const [, side] = CONNECTION.exec(code) ?? [];
  if (side !== undefined) return side === 'store' ? 'stores' : 'sheets';
  return REPAIRS[code] ?? 'again';
}
