import { isUtf8 } from 'node:buffer';
import { Fault } from '../errors.ts';

export type PageRequest = { readonly limit: number; readonly cursor?: string | undefined };

/** `next_cursor` is null on the last page. */
export type Page<Item> = { items: readonly Item[]; next_cursor: string | null };

const LAST = 2_147_483_647;

/** Reads the cursor of a list that runs from high numbers to low. @throws Fault validation_failed */
export function byNumber({ limit, cursor }: PageRequest): { before: number; limit: number } {
  const before = cursor === undefined ? LAST : Number(decode(cursor, /^\d{1,10}$/));
  if (before > LAST) throw new Fault('validation_failed.cursor');
  return { before, limit };
}

/** Reads the cursor of a list sorted by name. */
export function byName({ limit, cursor }: PageRequest): { after: string; limit: number } {
  return { after: cursor === undefined ? '' : decode(cursor, /^[^\0]+$/), limit };
}

/** A list that has one page. */
export const onePage = <Item>(items: readonly Item[]): Page<Item> => ({ items, next_cursor: null });

/** The page out of `limit + 1` rows: the extra row only shows that there are more. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  key: (row: Row) => string | number,
  present: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const items = shown.map(present);
  if (rows.length <= limit || last === undefined) return onePage(items);
  return { items, next_cursor: Buffer.from(String(key(last))).toString('base64url') };
}

function decode(cursor: string, form: RegExp): string {
  const bytes = Buffer.from(cursor, 'base64url');
  const text = bytes.toString();
  // Most words are valid base64, but do not decode to text.
  const isText = isUtf8(bytes) && bytes.toString('base64url') === cursor;
  if (!isText || !form.test(text)) throw new Fault('validation_failed.cursor');
  return text;
}
