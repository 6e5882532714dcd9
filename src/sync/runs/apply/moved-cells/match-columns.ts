import { createMatching, type Grid, type Matching, markOf, widthOf } from './grid.ts';

type MatchedColumns = Matching & {
  /** The header row after, from 0; undefined: it is gone. */
  readonly header: number | undefined;
};

/** Rows below its old place in which the header is looked for. */
const HEADER_REACH = 50;

/**
 * Finds the columns of a tab again: by their headers, and those whose header is not unique, or was overwritten with one
 * of the `written` marks, by what they contain. `header` is the header row before, from 0.
 */
export function matchColumns(
  before: Grid,
  after: Grid,
  { header, written }: { readonly header: number; readonly written: ReadonlySet<string> },
): MatchedColumns {
  const matching = createMatching();
  const { to, from, link, isOpen } = matching;
  const width = Math.max(widthOf(before), widthOf(after));
  const names = marksOf(before, header, width);
  const found = findHeader(after, header, names);
  const now = found === undefined ? names : marksOf(after, found, width);
  if (isUnmoved(names, now, written)) {
    for (let column = 0; column < width; column++) link(column, column);
    return { to, from, header: found };
  }
  for (const [column, name] of names.entries())
    if (name !== '' && isOnly(names, name) && isOnly(now, name)) link(column, now.indexOf(name));
  matchByContent(written);
  matchByContent(new Set());
  matchOverwritten();
  for (const column of indexes(width))
    if (isOpen(column, column) && names[column] === '') link(column, column);
  return { to, from, header: found };

  /** Columns with nothing but a header, which one of our headers has overwritten. */
  function matchOverwritten(): void {
    const lost = indexes(width).filter((column) => !to.has(column) && names[column] !== '');
    const ours = indexes(width).filter((column) => !from.has(column) && now[column] !== '');
    for (const [nth, column] of ours.filter((one) => written.has(now[one] ?? '')).entries()) {
      const was = lost[nth];
      if (was !== undefined) link(was, column);
    }
  }

  /** Values we wrote may have landed in another column, so they identify a column less than the rest. */
  function matchByContent(ignored: ReadonlySet<string>): void {
    const open = indexes(width).filter((column) => !to.has(column));
    const free = indexes(width).filter((column) => !from.has(column));
    const contents = new Map(open.map((column) => [column, contentOf(before, column, header, ignored)]));
    const others = new Map(free.map((column) => [column, contentOf(after, column, found, ignored)]));
    const pairs = open.flatMap((column) =>
      free.map((other) => ({ column, other, shared: sharedOf(contents.get(column), others.get(other)) })),
    );
    for (const { column, other, shared } of pairs.sort((a, b) => b.shared - a.shared))
      if (shared > 0 && isOpen(column, other)) link(column, other);
  }
}

/** Every header is where it was; in the place of one there may be one of ours. Two of them could have changed places. */
function isUnmoved(names: readonly string[], now: readonly string[], written: ReadonlySet<string>): boolean {
  const isNamed = (name: string, at: number) => name === names[at];
  const isOurs = (name: string, at: number) => {
    const was = names[at] ?? '';
    return written.has(name) && !names.includes(name) && (was === '' || !now.includes(was));
  };
  const overwritten = now.filter((name, at) => !isNamed(name, at) && names[at] !== '');
  return overwritten.length <= 1 && now.every((name, at) => isNamed(name, at) || isOurs(name, at));
}

/** The row that has most of the names; of several the nearest to where it was. */
function findHeader(after: Grid, header: number, names: readonly string[]): number | undefined {
  const wanted = names.filter((name) => name !== '');
  if (wanted.length === 0) return header;
  let best = { row: -1, score: 0 };
  for (const [row, cells] of after.slice(0, header + HEADER_REACH).entries()) {
    const has = new Set(cells.map(markOf));
    const score = wanted.filter((name) => has.has(name)).length;
    const isNearer = Math.abs(row - header) < Math.abs(best.row - header);
    if (score > best.score || (score > 0 && score === best.score && isNearer)) best = { row, score };
  }
  return best.score > 0 ? best.row : undefined;
}

function marksOf(grid: Grid, row: number, width: number): string[] {
  return indexes(width).map((column) => markOf(grid[row]?.[column]));
}

/** How often each cell is in a column, without its header, what is empty and what is ignored. */
function contentOf(
  grid: Grid,
  column: number,
  header: number | undefined,
  ignored: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const content = new Map<string, number>();
  for (const [row, cells] of grid.entries()) {
    const mark = markOf(cells[column]);
    if (row !== header && mark !== '' && !ignored.has(mark)) content.set(mark, (content.get(mark) ?? 0) + 1);
  }
  return content;
}

function sharedOf(
  one: ReadonlyMap<string, number> = new Map(),
  other: ReadonlyMap<string, number> = new Map(),
) {
  let shared = 0;
  for (const [mark, count] of one) shared += Math.min(count, other.get(mark) ?? 0);
  return shared;
}

function isOnly(names: readonly string[], name: string): boolean {
  return names.indexOf(name) >= 0 && names.indexOf(name) === names.lastIndexOf(name);
}

function indexes(count: number): number[] {
  return Array.from({ length: count }, (_, nth) => nth);
}
