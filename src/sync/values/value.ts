import type { Cell } from '../ports/sheet-client.ts';
import type { ProductChange, StoreVariant, VariantChange, WeightUnit } from '../ports/store-client.ts';
import { atScale, decimalOf, exactNumber, normalDecimal } from './decimal.ts';
import {
  type Canonical,
  canBeEmpty,
  type Expected,
  expectedOf,
  FIELDS,
  isQuantity,
  type StoreField,
  specOf,
} from './field.ts';
import { numberText } from './number-text.ts';
import { cellText } from './sync-key.ts';
import { choiceOf, metafieldText, rawValue, tagsOf, textIn } from './text-value.ts';

/** The spreadsheet's locale (`es_ES`), and the decimals of the store's currency. */
export type Writing = { readonly locale: string; readonly scale: number };

/**
 * What the store has. An amount with more decimals than its currency, which a store should not have, keeps them: it is
 * shown as it is, and refused from the sheet.
 */
export function storeValue(field: StoreField, variant: StoreVariant, scale: number): Canonical {
  switch (field) {
    case 'sku':
    case 'title':
    case 'barcode':
      return variant[field]?.trim() || null;
    case 'price':
      return atScale(normalDecimal(variant.price.trim()) ?? variant.price, scale);
    case 'inventory_quantity':
      return variant.available === null ? null : String(variant.available);
    case 'weight':
      return variant.weight && decimalOf(variant.weight.value);
    case 'grams':
      return variant.weight && String(gramsOf(variant.weight));
    case 'requires_shipping':
      return String(variant.requiresShipping);
    case 'taxable':
      return String(variant.taxable);
    default:
      return rawValue(field, variant.more?.[field] ?? null, scale);
  }
}

/**
 * The value of a cell, or what it should have contained. A blank cell has the value null. Nothing is rounded or guessed. A quantity may be
 * below zero, as a store that sold too many has it: that it is not written to a store is a matter of plan/decide.ts.
 */
export function cellValue(
  field: StoreField,
  cell: Cell,
  how: Writing,
): { readonly value: Canonical } | { readonly expected: Expected } {
  if (typeof cell === 'string' && cell.trim() === '') return { value: null };
  const { kind } = specOf(field);
  if (kind === 'metafield') return textOf(metafieldText(cell));
  if (kind === 'text' || kind === 'tags' || kind === 'choice') return formed(field, textOf(cell), how.scale);
  const value = kind === 'boolean' ? booleanOf(cell, how.locale) : numberOf(kind, cell, how);
  return value === null ? { expected: expectedOf(field, how.scale) } : { value };
}

/** A text in the form that its field has. */
function formed(
  field: StoreField,
  read: ReturnType<typeof textOf>,
  scale: number,
): ReturnType<typeof textOf> {
  if ('expected' in read || read.value === null) return read;
  const { kind } = specOf(field);
  const value =
    kind === 'tags'
      ? tagsOf(read.value)
      : kind === 'choice'
        ? choiceOf(field, read.value)
        : textIn(field, read.value);
  return value === undefined ? { expected: expectedOf(field, scale) } : { value };
}

function textOf(cell: Cell): { readonly value: Canonical } | { readonly expected: Expected } {
  const read = cellText(cell);
  return 'text' in read ? { value: read.text } : { expected: `expected.${read.unreadable}` };
}

function booleanOf(cell: Cell, locale: string): Canonical {
  return typeof cell === 'boolean' ? String(cell) : booleanText(String(cell), locale);
}

type NumberKind = 'money' | 'quantity' | 'decimal' | 'integer';

function numberOf(kind: NumberKind, cell: Cell, { locale, scale }: Writing): Canonical {
  const decimal = decimalIn(cell, locale);
  // Longer ones would not come back from a cell as they were.
  if (decimal === null || exactNumber(decimal) === null) return null;
  const point = decimal.indexOf('.');
  const decimals = point < 0 ? 0 : decimal.length - point - 1;
  if (decimals > decimalsOf(kind, scale)) return null;
  if (!isWithin(kind, Number(decimal))) return null;
  return kind === 'money' ? atScale(decimal, scale) : decimal;
}

function decimalIn(cell: Cell, locale: string): string | null {
  if (typeof cell === 'boolean') return null;
  return typeof cell === 'number' ? decimalOf(cell) : numberText(cell, locale);
}

function decimalsOf(kind: NumberKind, scale: number): number {
  if (kind === 'decimal') return Number.POSITIVE_INFINITY;
  return kind === 'money' ? scale : 0;
}

function isWithin(kind: NumberKind, number: number): boolean {
  if (kind === 'quantity') return Math.abs(number) <= MAX_QUANTITY;
  return number >= 0 && (kind === 'money' || number <= MAX_QUANTITY);
}

/** The store refuses quantities above this; nothing weighs as much. */
export const MAX_QUANTITY = 1_000_000_000;

/** What is written into a cell, RAW, so that text stays text. */
export function sheetCell(field: StoreField | 'key' | 'status', value: Canonical): Cell {
  if (value === null) return '';
  if (field === 'key' || field === 'status') return value;
  switch (specOf(field).kind) {
    case 'text':
    case 'tags':
    case 'choice':
    case 'metafield':
      return value;
    case 'boolean':
      return value === 'true';
    default:
      return exactNumber(value) ?? value;
  }
}

/** The parts of a product or variant that a value changes; a quantity changes none, it is set by another call. */
type ChangedFields = Pick<ProductChange, 'title'> & Omit<VariantChange, 'variantId'>;

/**
 * The fields to send to the store. `unit` and `weight` are the variant's own, null where it has none yet. A value of null
 * empties what can be empty and changes nothing else.
 */
export function variantFields(
  field: StoreField,
  value: Canonical,
  unit: WeightUnit | null,
  weight: string | null = null,
): ChangedFields {
  if (field === 'sku' || field === 'barcode') return { [field]: value };
  if (value === null) return canBeEmpty(field) ? { more: { [field]: null } } : {};
  switch (field) {
    case 'title':
    case 'price':
      return { [field]: value };
    case 'taxable':
      return { taxable: value === 'true' };
    case 'requires_shipping':
      return { requiresShipping: value === 'true' };
    case 'weight':
      return { weight: { value: Number(value), unit: unit ?? UNIT_WITHOUT_WEIGHT } };
    case 'grams':
      return { weight: { value: Number(value), unit: 'GRAMS' } };
    case 'weight_unit':
      return { weight: { value: Number(weight ?? 0), unit: unitNamed(value) } };
    case 'image':
      return {};
    default:
      return isQuantity(field) ? {} : { more: { [field]: value } };
  }
}

function unitNamed(name: string): WeightUnit {
  return UNITS.find((unit) => FIELDS.weight_unit.choices?.[unit] === name) ?? UNIT_WITHOUT_WEIGHT;
}

const UNITS = ['GRAMS', 'KILOGRAMS', 'OUNCES', 'POUNDS'] as const satisfies readonly WeightUnit[];

/** Decimals of a currency's amounts. A code that is not known has two, as nearly all have. */
export function currencyScale(currency: string): number {
  const code = currency.toLowerCase();
  if (WHOLE.includes(code)) return 0;
  return THOUSANDTHS.includes(code) ? 3 : 2;
}

// As ISO 4217 has it. Intl does not serve: it leaves out decimals that are seldom paid in cash, such as those of the Serbian dinar.
const WHOLE = 'bif clp djf gnf isk jpy kmf krw pyg rwf ugx vnd vuv xaf xof xpf'.split(' ');
const THOUSANDTHS = 'bhd iqd jod kwd lyd omr tnd'.split(' ');

/** What stands for true or false in a cell that is kept as text: the words of Sheets in its language, and 1 and 0. */
function booleanText(text: string, locale: string): 'true' | 'false' | null {
  const word = text.trim().toUpperCase();
  const [yes, no] = WORDS[locale.slice(0, 2)] ?? ENGLISH;
  if (word === ENGLISH[0] || word === yes || word === '1') return 'true';
  return word === ENGLISH[1] || word === no || word === '0' ? 'false' : null;
}

type Words = readonly [yes: string, no: string];

const ENGLISH: Words = ['TRUE', 'FALSE'];

const WORDS: Readonly<Record<string, Words>> = {
  de: ['WAHR', 'FALSCH'],
  es: ['VERDADERO', 'FALSO'],
  fr: ['VRAI', 'FAUX'],
  it: ['VERO', 'FALSO'],
  pt: ['VERDADEIRO', 'FALSO'],
};

const UNIT_WITHOUT_WEIGHT: WeightUnit = 'KILOGRAMS';

/** Whole grams. Worked out at 15 digits: 0.5015 kg are 502 g, not the 501.4999… of binary numbers. */
function gramsOf({ value, unit }: NonNullable<StoreVariant['weight']>): number {
  return Math.round(Number((value * GRAMS[unit]).toPrecision(15)));
}

const GRAMS: Readonly<Record<WeightUnit, number>> = {
  GRAMS: 1,
  KILOGRAMS: 1000,
  OUNCES: 28.349523125,
  POUNDS: 453.59237,
};
