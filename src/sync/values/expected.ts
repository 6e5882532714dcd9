import type { SyncNoteKey } from '../change.ts';
import { FIELDS, type StoreField } from '../field.ts';

/** What a cell should have held: a key of the locale section `sync`, said in the place of {expected} in invalid_value. */
export type Expected = Extract<SyncNoteKey, `expected.${string}`>;

export function expectedOf(field: StoreField, scale: number): Expected {
  switch (FIELDS[field].kind) {
    case 'quantity':
    case 'integer':
      return 'expected.whole_number';
    case 'decimal':
      return 'expected.number';
    case 'money':
      return AMOUNTS[scale] ?? 'expected.amount_2';
    case 'boolean':
      return 'expected.boolean';
    case 'text':
      return 'expected.text';
  }
}

const AMOUNTS: Readonly<Record<number, Expected>> = { 0: 'expected.amount_0', 3: 'expected.amount_3' };
