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

/**
 * Finds the rows of a tab again: by their keys, then by all they contain, then by what was not overwritten. Rows of which
 * nothing is left are matched with the rows of our writes in their place. A row that was empty and got a new item is
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
  matchKeys();
  matchEqual();
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

  /** By cells that were not written, then also by such that happen to have a value of ours. */
  function matchSimilar(): void {
    const lost = openBefore();
    if (lost.length === 0) return;
    const index = indexOf(lost);
    const keys = new Set(
      [...groups.values()].flat().map((cell) => (cell.column === keyColumn ? markOf(cell.value) : '')),
    );
    const isNew = (row: number) => keys.has(markOf(after[row]?.[keyNow ?? -1]));
    for (const row of openAfter()) linkSimilar(row, index, written);
    for (const row of openAfter()) if (!isNew(row)) linkSimilar(row, index, new Set());
  }

  function linkSimilar(
    row: number,
    index: ReadonlyMap<string, readonly number[]>,
    ignored: ReadonlySet<string>,
  ): void {
    const marks = marksAfter(row);
    const candidates = marks
      .map((mark, nth) => (ignored.has(mark) ? undefined : index.get(`${nth} ${mark}`)))
      .filter((rows) => rows !== undefined)
      .sort((a, b) => a.length - b.length)[0];
    const best = bestOf(row, marks, candidates ?? []);
    if (best !== undefined) link(best, row);
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

  /**
   * The row that is most like it; of several the one that was in the same place. Else it does not matter which: they differ
   * in nothing but what was overwritten, and all of that is put back.
   */
  function bestOf(row: number, marks: readonly string[], candidates: readonly number[]): number | undefined {
    let best: number[] = [];
    let most = 0;
    for (const candidate of candidates) {
      const score = to.has(candidate) ? 0 : likeness(marksBefore(candidate), marks);
      if (score > most) best = [];
      most = Math.max(most, score);
      if (score > 0 && score === most) best.push(candidate);
    }
    return best.includes(row) ? row : best[0];
  }

  function likeness(was: readonly string[], now: readonly string[]): number {
    let score = 0;
    for (const [nth, mark] of now.entries()) {
      if (mark === was[nth]) score += mark === '' ? 0 : 1;
      else if (!written.has(mark)) score -= 1;
    }
    return score;
  }

  /** Rows that are gone while our write is in the place that rows were pushed or pulled into. */
  function matchOverwritten(): void {
    let lost = openBefore();
    for (const [row, cells] of groups) {
      if (lost.length === 0) return;
      const found = from.has(row) ? undefined : overwrittenBy(row, cells, lost);
      if (found === undefined) continue;
      link(found, row);
      lost = lost.filter((one) => one !== found);
    }
  }

  function overwrittenBy(
    row: number,
    cells: readonly WrittenCell[],
    lost: readonly number[],
  ): number | undefined {
    if (!cells.every(({ column, value }) => isSame(after[row]?.[column], value))) return undefined;
    const now = marksAfter(row);
    const fitting = lost.filter((one) =>
      marksBefore(one).every((mark, nth) => mark === now[nth] || written.has(now[nth] ?? '')),
    );
    const isCleared = cells.every(({ value }) => markOf(value) === '');
    return isCleared ? clearedOf(row, fitting) : pushedInto(row, fitting);
  }

  /** Where rows above were deleted, none was pushed into the empty place of a new one. */
  function pushedInto(row: number, lost: readonly number[]): number | undefined {
    if (!isBlankRow(before[row])) return undefined;
    const above = nearest(row, -1);
    return above === undefined || above.at < above.was ? undefined : lost[0];
  }

  function clearedOf(row: number, lost: readonly number[]): number | undefined {
    if (isBlankRow(before[row])) return undefined;
    const above = nearest(row, -1)?.was ?? -1;
    const below = nearest(row, 1)?.was ?? Number.POSITIVE_INFINITY;
    const between = lost.filter((one) => one > above && one < below);
    const foreign = (rows: readonly number[]) => rows.find((one) => !groups.has(one));
    return foreign(between) ?? between[0] ?? foreign(lost);
  }

  /** The nearest matched row above or below, and where it was. */
  function nearest(row: number, step: 1 | -1): { readonly at: number; readonly was: number } | undefined {
    for (let at = row + step; at >= 0 && at < after.length; at += step) {
      const was = from.get(at);
      if (was !== undefined) return { at, was };
    }
    return undefined;
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

  function marksBefore(row: number): string[] {
    return pairs.map(([column]) => markOf(before[row]?.[column]));
  }

  function marksAfter(row: number): string[] {
    return pairs.map(([, column]) => markOf(after[row]?.[column]));
  }
}

const BETWEEN = '\u0001';

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
