import type { SyncNoteKey } from '../change.ts';

/** The store fields that a sheet column can be mapped to, and what each is. */
export const FIELDS = {
  sku: { kind: 'text', level: 'item' },
  title: { kind: 'text', level: 'product' },
  price: { kind: 'money', level: 'variant' },
  inventory_quantity: { kind: 'quantity', level: 'quantity' },
  barcode: { kind: 'text', level: 'variant' },
  weight: { kind: 'decimal', level: 'item' },
  grams: { kind: 'integer', level: 'item' },
  requires_shipping: { kind: 'boolean', level: 'item' },
  taxable: { kind: 'boolean', level: 'variant' },
} as const satisfies Record<string, { kind: FieldKind; level: FieldLevel }>;

export type StoreField = keyof typeof FIELDS;

// The type of Object.keys forgets the names.
export const STORE_FIELDS = Object.keys(FIELDS) as [StoreField, ...StoreField[]];

type FieldKind = 'text' | 'money' | 'quantity' | 'decimal' | 'integer' | 'boolean';

/** Where the store keeps it: one value a product, a variant, an inventory item, or an item at a place. */
type FieldLevel = 'product' | 'variant' | 'item' | 'quantity';

/** The fields that the store keeps at a level. */
export function fieldsOf(level: FieldLevel): StoreField[] {
  return STORE_FIELDS.filter((field) => FIELDS[field].level === level);
}

/**
 * A value in its one spelling, whichever side it came from, so that two are the same when their texts are: `12`, `9.90` at
 * the currency's scale, `0.5`, `true`, text without space around it. Null: there is none, which never means zero or false.
 */
export type Canonical = string | null;

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
