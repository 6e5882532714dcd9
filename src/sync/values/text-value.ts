import { createHash } from 'node:crypto';
import type { Cell } from '../ports/sheet-client.ts';
import { PENDING_IMAGE } from '../ports/store-fields.ts';
import { isPicture } from '../ports/store-images.ts';
import { atScale, decimalOf, normalDecimal } from './decimal.ts';
import { type Canonical, type StoreField, specOf } from './field.ts';

/** What a cell of Google Sheets holds at most. */
const MAX_CELL = 50_000;

/** Of a longer text, the beginning that its cell shows. */
const SHOWN = 500;

const LINE = 255;
const MAX_TAGS = 250;

/** A value as the Admin API has it, in its one spelling. */
export function rawValue(field: StoreField, raw: string | null, scale: number): Canonical {
  const text = raw === null ? '' : oneSpelling(raw);
  if (text === '') return null;
  const { kind, choices } = specOf(field);
  switch (kind) {
    case 'money':
      return atScale(normalDecimal(text) ?? text, scale);
    case 'tags':
      return tagsOf(text) ?? null;
    case 'choice':
      return choices?.[text] ?? text.toLowerCase();
    default:
      return fitting(text);
  }
}

/**
 * A text that is too long for a cell is shown as its beginning, its length and a hash: the cell changes when
 * the text does, and `isExcerpt` keeps it from the store.
 */
function fitting(text: string): string {
  if (text.length <= MAX_CELL) return text;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return `${text.slice(0, SHOWN).toWellFormed().trimEnd()} […${text.length} #${hash}]`;
}

/** Whether a value is the beginning of a text that was too long for a cell. */
export function isExcerpt(value: Canonical): boolean {
  return value !== null && EXCERPT.test(value);
}

const EXCERPT = / \[…\d+ #[0-9a-f]{12}\]$/;

/** Lines end alike on both sides, and nothing stands around a text. */
function oneSpelling(text: string): string {
  return (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text).trim();
}

/** Tags in one order, each once whatever its case, as the store keeps them. Undefined: one of them is too long, or they are too many. */
export function tagsOf(text: string): string | undefined {
  const byName = new Map<string, string>();
  for (const part of text.split(',')) {
    const tag = part.trim();
    if (tag !== '' && !byName.has(tag.toLowerCase())) byName.set(tag.toLowerCase(), tag);
  }
  const tags = [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, tag]) => tag);
  if (tags.length === 0 || tags.length > MAX_TAGS || tags.some((tag) => tag.length > LINE)) return undefined;
  return tags.join(', ');
}

/** The choice that a cell names, whatever its case; undefined: none of them. */
export function choiceOf(field: StoreField, text: string): string | undefined {
  const word = text.toLowerCase();
  return Object.values(specOf(field).choices ?? {}).find((choice) => choice === word);
}

/** A text as its field takes it; undefined where it does not. */
export function textIn(field: StoreField, text: string): string | undefined {
  const one = oneSpelling(text);
  switch (specOf(field).form) {
    case 'line':
      return one.length <= LINE && !one.includes('\n') ? one : undefined;
    case 'handle':
      return one.length <= LINE && HANDLE.test(one) ? one : undefined;
    case 'image':
      return one === PENDING_IMAGE || isPicture(one) ? one : undefined;
    case 'hs_code':
      return HS_CODE.test(one) ? one : undefined;
    default:
      return one;
  }
}

/** What the store keeps as it is: small letters of any script, digits, and single hyphens between them. */
const HANDLE = /^[\p{Ll}\p{Lo}\p{M}\p{N}_]+(?:-[\p{Ll}\p{Lo}\p{M}\p{N}_]+)*$/u;
const HS_CODE = /^\d{6,13}$/;

/** A metafield keeps numbers, true and false as text. */
export function metafieldText(cell: Cell): Cell {
  if (typeof cell === 'boolean') return String(cell);
  return typeof cell === 'number' ? (decimalOf(cell) ?? cell) : oneSpelling(cell);
}
