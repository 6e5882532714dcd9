import type { SyncNoteKey } from '../change.ts';
import { STORE_FIELDS, type StoreField, specOf } from '../ports/store-fields.ts';

export { FIELDS, isQuantity, placeOf, STORE_FIELDS, type StoreField, specOf } from '../ports/store-fields.ts';

/** Of the mapped fields, those that the store keeps at a level; without mappings, of all that have a name. */
export function fieldsOf(
  level: ReturnType<typeof specOf>['level'],
  fields: readonly StoreField[] = STORE_FIELDS,
): StoreField[] {
  return fields.filter((field) => specOf(field).level === level);
}

/**
 * A value in its one spelling, whichever side it came from, so that two are the same when their texts are: `12`, `9.90` at
 * the currency's scale, `0.5`, `true`, text without space around it. Null: there is none, which never means zero or false.
 */
export type Canonical = string | null;

/** What a cell should have held: a key of the locale section `sync`, said in the place of {expected} in invalid_value. */
export type Expected = Extract<SyncNoteKey, `expected.${string}`>;

export function expectedOf(field: StoreField, scale: number): Expected {
  const { kind, form } = specOf(field);
  switch (kind) {
    case 'quantity':
    case 'integer':
      return 'expected.whole_number';
    case 'decimal':
      return 'expected.number';
    case 'money':
      return AMOUNTS[scale] ?? 'expected.amount_2';
    case 'boolean':
      return 'expected.boolean';
    case 'tags':
      return 'expected.tags';
    case 'choice':
      return CHOICES[field] ?? 'expected.text';
    case 'text':
    case 'metafield':
      return (form && FORMS[form]) ?? 'expected.text';
  }
}

const AMOUNTS: Readonly<Record<number, Expected>> = { 0: 'expected.amount_0', 3: 'expected.amount_3' };

const CHOICES: Readonly<Record<string, Expected>> = {
  product_status: 'expected.product_status',
  inventory_policy: 'expected.inventory_policy',
  weight_unit: 'expected.weight_unit',
};

const FORMS: Readonly<Record<string, Expected>> = {
  line: 'expected.line',
  handle: 'expected.handle',
  hs_code: 'expected.hs_code',
  image: 'expected.image',
};

/** Whether an empty cell may empty the field in the store. */
export function canBeEmpty(field: StoreField): boolean {
  return specOf(field).empty !== undefined;
}
