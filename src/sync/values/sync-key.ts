import type { SyncKey } from '../config.ts';
import type { Cell } from '../ports/sheet-client.ts';
import type { StoreVariant } from '../ports/store-client.ts';
import { decimalOf } from './decimal.ts';

/** The key that finds a variant in the sheet; null: it has none. */
export function keyOf(key: SyncKey, variant: StoreVariant): string | null {
  switch (key) {
    case 'sku':
    case 'barcode':
    case 'handle':
      return variant[key]?.trim() || null;
    case 'variant_id':
      return numberOf(variant.variantId);
  }
}

/**
 * The key that finds a row in the store; null: it has no reliable one. This includes errors, checkboxes and
 * numbers of more than 15 digits, whose last digits the sheet has lost. A variant may be named by its whole id
 * or by the number in it.
 */
export function cellKey(cell: Cell): string | null {
  const read = cellText(cell);
  return 'text' in read && read.text !== null ? numberOf(read.text) : null;
}

function numberOf(text: string): string {
  return /^gid:\/\/shopify\/ProductVariant\/(\d+)$/.exec(text)?.[1] ?? text;
}

/** The same for spellings that differ by case alone: what is tried where the exact spelling is not found. */
export function foldKey(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // By way of capitals and back: ß and the Greek final sigma are otherwise letters of their own.
  return text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

const ASCII = /^\p{ASCII}*$/u;

/** A cell read as text; null: it is blank. */
type CellText = { readonly text: string | null } | { readonly unreadable: 'text' | 'exact_text' };

/**
 * A cell as the text it shows. Codes that the sheet took for numbers come back as their digits, unless they had more
 * than 15: a spreadsheet does not keep the rest, and one rounded code may be another's. An error such as `#N/A` is no
 * text: it would end up as the title of a product.
 */
export function cellText(cell: Cell): CellText {
  if (typeof cell === 'boolean') return { unreadable: 'text' };
  if (typeof cell === 'number') {
    const text = decimalOf(cell);
    return text === null ? { unreadable: 'exact_text' } : { text };
  }
  const text = cell.trim();
  if (ERRORS.has(text)) return { unreadable: 'text' };
  return { text: text || null };
}

/** The errors of Sheets in both our languages, and what it shows while a cell is worked out. */
const ERRORS = new Set([
  ...['#NULL!', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#N/A', '#ERROR!', 'Loading...'],
  ...['#¡NULO!', '#¡DIV/0!', '#¡VALOR!', '#¡REF!', '#¿NOMBRE?', '#¡NUM!', '#N/D', '#¡ERROR!', 'Cargando...'],
]);
