import type { Cell } from '../../sync/ports/sheet.ts';
import type { Entered } from './book.ts';

export type InputOption = 'RAW' | 'USER_ENTERED';
export type RenderOption = 'FORMATTED_VALUE' | 'UNFORMATTED_VALUE' | 'FORMULA';

/** What a formula shows that nobody gave a result for: nothing calculates here. */
const NOT_CALCULATED = '#N/A';

/** Languages in which people write 1.234,5 for what others write 1,234.5. */
const COMMA_LANGUAGES = new Set(
  'ca cs da de el es fi fr hr hu id it nb nl no pl pt ro ru sk sl sv tr uk'.split(' '),
);

/** What a cell holds after this was put into it: as it is, or as though somebody had typed it. */
export function enter(value: Cell, option: InputOption, locale: string): Entered {
  if (option === 'RAW' || typeof value !== 'string') return value;
  if (value.startsWith("'")) return value.slice(1);
  if (value.startsWith('=') && value.length > 1) return { formula: value, shown: NOT_CALCULATED };
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  return typedNumber(value.trim(), locale) ?? value;
}

/** What a reader is shown of a cell. */
export function render(cell: Entered, option: RenderOption, locale: string): Cell {
  if (option === 'FORMULA') return typeof cell === 'object' ? cell.formula : cell;
  const shown = typeof cell === 'object' ? cell.shown : cell;
  if (option === 'UNFORMATTED_VALUE' || typeof shown === 'string') return shown;
  if (typeof shown === 'boolean') return shown ? 'TRUE' : 'FALSE';
  return String(shown).replace('.', writesComma(locale) ? ',' : '.');
}

function typedNumber(text: string, locale: string): number | undefined {
  const [point, group] = writesComma(locale) ? [',', '\\.'] : ['\\.', ','];
  const form = new RegExp(`^[+-]?(?:\\d{1,3}(?:${group}\\d{3})+|\\d+)?(?:${point}\\d+)?(%)?$`);
  const match = form.exec(text);
  if (!match || !/\d/.test(text)) return undefined;
  const plain = text.replaceAll(new RegExp(`${group}|%`, 'g'), '').replace(new RegExp(point), '.');
  return match[1] ? Number(plain) / 100 : Number(plain);
}

function writesComma(locale: string): boolean {
  return COMMA_LANGUAGES.has(locale.split('_')[0] ?? '') && locale !== 'es_MX';
}
