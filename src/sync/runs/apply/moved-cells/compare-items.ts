import { foldKey } from '../../../values/sync-key.ts';
import { type Grid, isSame, markOf, type WrittenCell, widthOf } from './grid.ts';
import type { Anchors, WriteFate } from './locate-writes.ts';
import { matchColumns } from './match-columns.ts';

type Given = {
  /** What was to be written, by its place in the tab before. */
  readonly cells: readonly WrittenCell[];
  /** The marks of all that was written since, also to put cells back. */
  readonly written: ReadonlySet<string>;
  readonly anchors: Anchors;
  /** Cells have been put back, which may have landed elsewhere in turn. Until then, what differs may have been typed. */
  readonly isLater: boolean;
  /**
   * Keys may have been overwritten: a row whose key is gone comes back whole, unless its neighbors tell that a person has
   * deleted it. A new item's row would come back without what people keep beside it.
   */
  readonly losesKeys: boolean;
  /** Keys have been put back, which may have landed on other rows: their neighbors no longer tell what was deleted. */
  readonly hasPutKeys: boolean;
};

export type Compared = Anchors & {
  /** In the order of the cells; undefined: no key tells where its place is. */
  readonly fates: readonly (WriteFate | undefined)[];
  /** What is to be put back; rows that were overwritten, below all others. */
  readonly back: readonly WrittenCell[];
};

/**
 * Compares what each item had before with what it has now, whatever happened in between: people may have moved rows and
 * columns around each of several writes. An item is known by its key. Undefined where the key's column is gone.
 */
export function compareItems(
  before: Grid,
  after: Grid,
  { cells, written, anchors, isLater, losesKeys, hasPutKeys }: Given,
): Compared | undefined {
  const header = anchors.headerRow - 1;
  const columns = matchColumns(before, after, { header, written });
  const { keyColumn } = anchors;
  const keyNow = columns.to.get(keyColumn);
  if (keyNow === undefined || columns.header === undefined) return undefined;
  const headerNow = columns.header;
  const targets = new Map(cells.map((cell) => [`${cell.row - 1} ${cell.column}`, cell]));
  const rows = rowsByKey(after, keyNow, headerNow);
  const items = itemsBefore();
  const old = [...items].filter(([, row]) => keyOf(row) !== '');
  const deleted = deletedRows([['', header], ...old], new Map([...rows, ['', headerNow]]));
  const back: WrittenCell[] = [];
  const width = Math.max(widthOf(before), widthOf(after));
  const indexes = Array.from({ length: width }, (_, column) => column);
  let below = after.length;
  for (const [key, row] of items) putBackItem(row, rows.get(key));
  if (isLater) putBackCells(header, headerNow);
  const hasMoved = keyNow !== keyColumn || [...items].some(([key, row]) => rows.get(key) !== row);
  for (const [row, now] of isLater || hasMoved ? after.entries() : [])
    if (row > headerNow && isRemnant(now)) clear(row, now);
  return { fates: cells.map(fateOf), back, headerRow: headerNow + 1, keyColumn: keyNow };

  /** By key, also the new ones; not those whose key is written over, and not keys that several rows have. */
  function itemsBefore(): ReadonlyMap<string, number> {
    const known = rowsByKey(before, keyColumn, header);
    for (const [key, row] of known)
      if (row === undefined || targets.has(`${row} ${keyColumn}`)) known.delete(key);
    for (const { row, column, value } of cells) {
      const isNew = column === keyColumn && row - 1 !== header && markOf(before[row - 1]?.[column]) === '';
      if (isNew) known.set(foldKey(markOf(value)), row - 1);
    }
    return new Map([...known].flatMap(([key, row]) => (row === undefined ? [] : [[key, row] as const])));
  }

  function putBackItem(row: number, now: number | undefined): void {
    const isLost = keyOf(row) !== '' && !rows.has(keyOf(row));
    if (now !== undefined && isLater) putBackCells(row, now);
    if (isLost && losesKeys && (hasPutKeys || !deleted.has(row))) restore(before[row] ?? []);
  }

  function putBackCells(row: number, now: number): void {
    for (let column = 0; column < width; column++) {
      const from = columns.from.get(column) ?? -1;
      const cell = after[now]?.[column];
      const old = before[row]?.[from] ?? '';
      const target = targets.get(`${row} ${from}`)?.value ?? old;
      const isForeign = !isSame(cell, old) && !isSame(cell, target) && isOurs(markOf(cell));
      // Formulas are not put back: a person has been told.
      if (isForeign && markOf(old) !== '=') back.push({ row: now + 1, column, value: old });
    }
  }

  function isOurs(mark: string): boolean {
    return mark === '' || written.has(mark);
  }

  function keyOf(row: number): string {
    return foldKey(markOf(before[row]?.[keyColumn]));
  }

  /** The row was overwritten as a whole. */
  function restore(was: Grid[number]): void {
    below += 1;
    for (const [column, value] of was.entries()) {
      const at = columns.to.get(column);
      if (at !== undefined && markOf(value) !== '') back.push({ row: below, column: at, value });
    }
  }

  /** What our writes left in a row that is no item's and was not there. */
  function isRemnant(now: Grid[number]): boolean {
    if (markOf(now[keyNow ?? -1]) !== '') return false;
    const marks = now.map(markOf).filter((mark) => mark !== '');
    if (marks.length === 0 || !marks.every((mark) => written.has(mark))) return false;
    return !before.some((was) =>
      indexes.every((column) => isSame(now[column], was[columns.from.get(column) ?? -1])),
    );
  }

  function clear(row: number, now: Grid[number]): void {
    for (const [column, cell] of now.entries())
      if (markOf(cell) !== '') back.push({ row: row + 1, column, value: '' });
  }

  function fateOf({ row, column, value }: WrittenCell): WriteFate | undefined {
    const key = foldKey(
      markOf(before[row - 1]?.[keyColumn]) || markOf(targets.get(`${row - 1} ${keyColumn}`)?.value),
    );
    if (items.get(key) !== row - 1) return undefined;
    const now = rows.get(key);
    const at = columns.to.get(column);
    if (now === undefined || at === undefined) return { is: 'gone' };
    const place = { row: now + 1, column: at };
    const cell = after[now]?.[at];
    if (isSame(cell, value)) return { is: 'landed', at: place };
    return { is: isSame(cell, before[row - 1]?.[column]) ? 'missed' : 'changed', at: place };
  }
}

/**
 * The rows before whose neighbors have come together: what was overwritten still has its row. Not where a row between
 * them is no item's, since that one may be gone and an item's row overwritten; and none where the rows that are left have
 * another order. In: the row of each key before, without new items, which are not where rows move to; and after.
 */
function deletedRows(
  items: readonly (readonly [key: string, row: number])[],
  rows: ReadonlyMap<string, number | undefined>,
): ReadonlySet<number> {
  const all = items.toSorted(([, one], [, other]) => one - other);
  const left = all.flatMap(([key, was], nth) => {
    const now = rows.get(key);
    return now === undefined ? [] : [{ nth, was, now }];
  });
  const pairs = left.slice(1).map((below, nth) => ({ above: left[nth] ?? below, below }));
  if (pairs.some(({ above, below }) => below.now <= above.now)) return new Set();
  const deleted = pairs.flatMap(({ above, below }) => {
    const lost = all.slice(above.nth + 1, below.nth).map(([, row]) => row);
    const areItems = lost.length === below.was - above.was - 1;
    return areItems && below.now === above.now + 1 ? lost : [];
  });
  return new Set(deleted);
}

/** Undefined: several rows have the key. */
function rowsByKey(grid: Grid, column: number, header: number): Map<string, number | undefined> {
  const rows = new Map<string, number | undefined>();
  for (const [row, cells] of grid.entries()) {
    const key = foldKey(markOf(cells[column]));
    if (row > header && key !== '' && key !== '=') rows.set(key, rows.has(key) ? undefined : row);
  }
  return rows;
}
