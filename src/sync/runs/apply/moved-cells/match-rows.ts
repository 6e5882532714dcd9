import { foldKey } from '../../../values/sync-key.ts';
import {
  createMatching,
  type Grid,
  isBlankRow,
  isSame,
  type Matching,
  markOf,
  type WrittenCell,
} from './grid.ts';

type Given = {
  readonly columns: Matching;
  /** The key's column before. */
  readonly keyColumn: number;
  readonly headers: { readonly before: number; readonly after: number | undefined };
  /** What was written, by row of the grid before. */
  readonly groups: ReadonlyMap<number, readonly WrittenCell[]>;
  /** The marks of all that was written. */
  readonly written: ReadonlySet<string>;
};

/** Rows that are alike to some row, the most alike last, and how much they are. */
type Ranking = { readonly scores: ReadonlyMap<number, number>; readonly rows: number[] };

/** In ascending order: rows of the tab before that are not matched, those of them we did not write to, and matched rows after. */
type Open = {
  readonly lost: readonly number[];
  readonly foreign: readonly number[];
  readonly matched: readonly number[];
};

type Fits = (row: number) => boolean;

/**
 * Finds the rows of a tab again: by their keys, then by all they contain, then by what was not overwritten. Rows with
 * nothing left are matched with the rows of our writes in their place. A row that was empty and got a new item is
 * matched with the row of that item.
 */
export function matchRows(before: Grid, after: Grid, given: Given): Matching {
  const { columns, keyColumn, headers, groups, written } = given;
  const matching = createMatching();
  const { to, from, link, isOpen } = matching;
  const pairs = [...columns.to];
  const keyNow = columns.to.get(keyColumn);
  if (headers.after !== undefined) link(headers.before, headers.after);
  const filledBefore = filledRows(before);
  const filledAfter = filledRows(after);
  const marksBefore = remembered((row) => pairs.map(([column]) => markOf(before[row]?.[column])));
  const marksAfter = remembered((row) => pairs.map(([, column]) => markOf(after[row]?.[column])));
  matchKeys();
  matchEqual();
  matchBetween();
  matchSimilar();
  matchOverwritten();
  matchNew();
  return { to, from };

  function openBefore(): number[] {
    return filledBefore.filter((row) => !to.has(row));
  }

  function openAfter(): number[] {
    return filledAfter.filter((row) => !from.has(row));
  }

  /** A key that was written itself says nothing: it may be on another row, or be put back. */
  function matchKeys(): void {
    if (keyNow === undefined) return;
    const isOwn = (grid: Grid, column: number) => (row: number) => !written.has(markOf(grid[row]?.[column]));
    const now = uniqueKeys(after, openAfter().filter(isOwn(after, keyNow)), keyNow);
    for (const [key, row] of uniqueKeys(before, openBefore().filter(isOwn(before, keyColumn)), keyColumn)) {
      const found = row === undefined ? undefined : now.get(key);
      if (row !== undefined && found !== undefined) link(row, found);
    }
  }

  function matchEqual(): void {
    const alike = Map.groupBy(openAfter(), (row) => marksAfter(row).join(BETWEEN));
    for (const row of openBefore()) {
      const found = alike.get(marksBefore(row).join(BETWEEN)) ?? [];
      const at = found.includes(row) && isOpen(row, row) ? row : found.find((one) => isOpen(row, one));
      if (at !== undefined) link(row, at);
    }
  }

  /** As many rows as there were between two that are matched, which differ in nothing but what was written. */
  function matchBetween(): void {
    const known = [...to].filter(([row]) => row < before.length).sort(([a], [b]) => a - b);
    for (const [nth, [below, belowNow]] of known.entries()) {
      const [above, aboveNow] = known[nth - 1] ?? [below, belowNow];
      const by = belowNow - below;
      if (aboveNow - above !== by) continue;
      const rows = Array.from({ length: Math.max(0, below - above - 1) }, (_, at) => above + 1 + at);
      const isSure = (row: number) => isOpen(row, row + by) && isFitting(row, row + by);
      if (rows.every(isSure)) for (const row of rows) link(row, row + by);
    }
  }

  function isFitting(row: number, at: number): boolean {
    const now = marksAfter(at);
    return marksBefore(row).every((mark, nth) => mark === now[nth] || written.has(now[nth] ?? ''));
  }

  /** By cells that were not written, then also by such that happen to have a value of ours. */
  function matchSimilar(): void {
    const lost = openBefore();
    if (lost.length === 0) return;
    const index = indexOf(lost);
    const keys = new Set(
      [...groups.values()].flat().map((cell) => (cell.column === keyColumn ? markOf(cell.value) : '')),
    );
    const isNew = (row: number) => keys.has(markOf(after[row]?.[keyNow ?? -1]));
    linkSimilar(openAfter(), index, written);
    linkSimilar(
      openAfter().filter((row) => !isNew(row)),
      index,
      new Set(),
    );
  }

  /** Rows that differ in nothing but what no lost row has are alike to each of these, and are compared once. */
  function linkSimilar(
    rows: readonly number[],
    index: ReadonlyMap<string, readonly number[]>,
    ignored: ReadonlySet<string>,
  ): void {
    const ranked = new Map<string, Ranking>();
    for (const row of rows) {
      const marks = marksAfter(row);
      const isKnown = (mark: string, nth: number) => mark === '' || index.has(`${nth} ${mark}`);
      const known = marks.map((mark, nth) => (isKnown(mark, nth) ? mark : Number(written.has(mark))));
      const name = JSON.stringify(known);
      const ranking = ranked.get(name) ?? rankingOf(marks, candidatesOf(marks, index, ignored));
      ranked.set(name, ranking);
      const best = bestOf(row, ranking);
      if (best !== undefined) link(best, row);
    }
  }

  /** The rows that have its rarest mark. */
  function candidatesOf(
    marks: readonly string[],
    index: ReadonlyMap<string, readonly number[]>,
    ignored: ReadonlySet<string>,
  ): readonly number[] {
    const found = marks
      .map((mark, nth) => (ignored.has(mark) ? undefined : index.get(`${nth} ${mark}`)))
      .filter((rows) => rows !== undefined)
      .sort((a, b) => a.length - b.length);
    return found[0] ?? [];
  }

  /** The rows that have a cell, by its column and mark; empty ones are none. */
  function indexOf(rows: readonly number[]): ReadonlyMap<string, readonly number[]> {
    const index = new Map<string, number[]>();
    for (const row of rows)
      for (const [nth, mark] of marksBefore(row).entries()) {
        if (mark === '') continue;
        const name = `${nth} ${mark}`;
        index.set(name, index.get(name) ?? []);
        index.get(name)?.push(row);
      }
    return index;
  }

  function rankingOf(marks: readonly string[], candidates: readonly number[]): Ranking {
    const scores = new Map<number, number>();
    for (const row of candidates) {
      const score = likeness(marksBefore(row), marks);
      if (score > 0 && !to.has(row)) scores.set(row, score);
    }
    const ranked = [...scores].sort(([, a], [, b]) => b - a).map(([row]) => row);
    return { scores, rows: ranked.reverse() };
  }

  /**
   * The row that is most like it; of several the one that was in the same place. Else it does not matter which: they differ
   * in nothing but what was overwritten, and all of that is put back.
   */
  function bestOf(row: number, { scores, rows }: Ranking): number | undefined {
    while (rows.length > 0 && to.has(rows.at(-1) ?? -1)) rows.pop();
    const best = rows.at(-1);
    if (best === undefined) return undefined;
    return !to.has(row) && scores.get(row) === scores.get(best) ? row : best;
  }

  /**
   * How many cells are the same, less those that differ and were not written. Of equally alike rows, the one with fewer
   * overwritten cells is more alike: where a write has emptied cells, an almost empty row could have been any of them.
   */
  function likeness(was: readonly string[], now: readonly string[]): number {
    let score = 0;
    let differing = 0;
    for (const [nth, mark] of now.entries()) {
      if (mark === was[nth]) {
        score += mark === '' ? 0 : 1;
        continue;
      }
      differing += 1;
      if (!written.has(mark)) score -= 1;
    }
    return score - differing / (now.length + 1);
  }

  /** Rows that are gone while our write is in the place that rows were pushed or pulled into. */
  function matchOverwritten(): void {
    const lost = openBefore();
    const foreign = lost.filter((one) => !groups.has(one));
    const matched = [...from.keys()].filter((at) => at < after.length).sort((a, b) => a - b);
    for (const [row, cells] of groups) {
      if (lost.length === 0) return;
      const found = from.has(row) ? undefined : overwrittenBy(row, cells, { lost, foreign, matched });
      if (found === undefined) continue;
      link(found, row);
      remove(lost, found);
      remove(foreign, found);
      if (row < after.length) matched.splice(placeIn(matched, row), 0, row);
    }
  }

  function overwrittenBy(row: number, cells: readonly WrittenCell[], open: Open): number | undefined {
    if (!cells.every(({ column, value }) => isSame(after[row]?.[column], value))) return undefined;
    const isCleared = cells.every(({ value }) => markOf(value) === '');
    // Only a place that was empty has had a row pushed into it, and only one that was not is cleared.
    if (isCleared === isBlankRow(before[row])) return undefined;
    const now = marksAfter(row);
    const isFitting = (one: number) =>
      marksBefore(one).every((mark, nth) => mark === now[nth] || written.has(now[nth] ?? ''));
    return isCleared ? clearedOf(row, open, isFitting) : pushedInto(row, open, isFitting);
  }

  /** Where rows above were deleted, none was pushed into the empty place of a new one. */
  function pushedInto(row: number, { lost, matched }: Open, isFitting: Fits): number | undefined {
    const above = nearestAbove(row, matched);
    return above === undefined || above.at < above.was ? undefined : lost.find(isFitting);
  }

  function clearedOf(row: number, { lost, foreign, matched }: Open, isFitting: Fits): number | undefined {
    const above = nearestAbove(row, matched)?.was ?? -1;
    const below = from.get(matched[placeIn(matched, row)] ?? -1) ?? Number.POSITIVE_INFINITY;
    const between = (rows: readonly number[]) =>
      rows.slice(placeIn(rows, above + 1), placeIn(rows, below)).find(isFitting);
    return between(foreign) ?? between(lost) ?? foreign.find(isFitting);
  }

  /** The nearest matched row above, and where it was; a row beyond the end of the tab has none. */
  function nearestAbove(
    row: number,
    matched: readonly number[],
  ): { readonly at: number; readonly was: number } | undefined {
    const at = row > after.length ? undefined : matched[placeIn(matched, row) - 1];
    const was = at === undefined ? undefined : from.get(at);
    return at === undefined || was === undefined ? undefined : { at, was };
  }

  function matchNew(): void {
    const byKey = Map.groupBy(openAfter(), (row) => markOf(after[row]?.[keyNow ?? -1]));
    for (const [row, cells] of groups) {
      if (to.has(row) || !isBlankRow(before[row])) continue;
      const key = markOf(cells.find(({ column }) => column === keyColumn)?.value);
      const found = key === '' ? undefined : (byKey.get(key) ?? []);
      const at =
        (found ?? [row]).find((one) => one === row && !from.has(one)) ?? found?.find((one) => !from.has(one));
      if (at !== undefined) link(row, at);
    }
  }
}

const BETWEEN = '\u0001';

/** What a function says of each row, asked once. */
function remembered<T>(ask: (row: number) => T): (row: number) => T {
  const known = new Map<number, T>();
  return (row) => {
    const told = known.get(row) ?? ask(row);
    known.set(row, told);
    return told;
  };
}

/** How many of ascending numbers are below one. */
function placeIn(numbers: readonly number[], wanted: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function remove(numbers: number[], one: number): void {
  const at = placeIn(numbers, one);
  if (numbers[at] === one) numbers.splice(at, 1);
}

function filledRows(grid: Grid): number[] {
  return grid.flatMap((cells, row) => (isBlankRow(cells) ? [] : [row]));
}

/** The row of each key; undefined where several have it. */
function uniqueKeys(
  grid: Grid,
  rows: readonly number[],
  column: number,
): ReadonlyMap<string, number | undefined> {
  const keys = new Map<string, number | undefined>();
  for (const row of rows) {
    const key = foldKey(markOf(grid[row]?.[column]));
    if (key !== '' && key !== '=') keys.set(key, keys.has(key) ? undefined : row);
  }
  return keys;
}
