import type { Cell } from '../ports/sheet-client.ts';
import { decimalOf } from './decimal.ts';

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
