import type { Cell } from '../ports/sheet-client.ts';

/** How far down a header is looked for. */
const SEARCHED_ROWS = 10;
const MOST = 200;
const NAME_CHARS = 200;

/**
 * The headers of a tab, to choose from: the texts of that row among the first ones that has most of them. Below the
 * header there are numbers, and above it at most a title.
 */
export function headerColumns(rows: Iterable<readonly Cell[]>): string[] {
  const [first = [], ...others] = Iterator.from(rows).take(SEARCHED_ROWS).map(textsOf);
  return others.reduce((best, texts) => (texts.length > best.length ? texts : best), first);
}

function textsOf(cells: readonly Cell[]): string[] {
  const texts = cells.flatMap((cell) => (typeof cell === 'string' ? cell.trim() : []));
  const names = texts.filter((text) => text !== '' && text.length <= NAME_CHARS);
  return [...new Set(names)].slice(0, MOST);
}
