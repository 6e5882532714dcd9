import { mapInTurns } from '../../../../platform/map-in-turns.ts';
import { compareItems } from './compare-items.ts';
import { type Grid, isSameRow, markOf, overlaid, type WrittenCell } from './grid.ts';
import { type Anchors, type Located, locateWrites, type WriteFate } from './locate-writes.ts';

export type Looked = {
  /** In the order of the cells that were to be written: as the tab is now. */
  readonly fates: readonly WriteFate[];
  /** The cells to put back. */
  readonly repairs: readonly WrittenCell[];
  /** Where header and key are now. */
  readonly at: Anchors;
};

/**
 * Looks at a tab after each of several writes: what was to be written, and what then was put back. What the last write
 * did is told from the reading before it; then every item is compared with what it had before all of them.
 * In: a tab before, what was to be written, and the tab after. Out: the fate of every cell, and what to put back.
 * Invariant: what had landed and was typed over since stays as it is.
 */
export function createLook(before: Grid, cells: readonly WrittenCell[], anchors: Anchors) {
  const marks = new Set(cells.map(({ value }) => markOf(value)));
  let last = before;
  let written = cells;
  let at = anchors;
  let first: readonly WriteFate[] | undefined;
  let isLater = false;
  let losesKeys = cells.some(({ column }) => column === anchors.keyColumn);
  let hasPutKeys = false;
  /** Protected cells are tried once. */
  const protectedCells = new Set<string>();
  const isOpen = (cell: WrittenCell) => !protectedCells.has(`${placeOf(cell)} ${markOf(cell.value)}`);

  return {
    async next(now: Grid): Promise<Looked> {
      const ofLast = (await isAsWritten(last, now, written)) ? [] : lookAtLast(now);
      const known = { cells, written: marks, anchors, isLater, losesKeys, hasPutKeys };
      const items = compareItems(before, now, known);
      if (items) at = items;
      last = now;
      return {
        fates: cells.map((_, nth) =>
          isLater ? (items?.fates[nth] ?? first?.[nth] ?? LANDED) : settled(items?.fates[nth], first?.[nth]),
        ),
        repairs: (ofLast.length > 0 ? ofLast : (items?.back ?? [])).filter(isOpen),
        at,
      };
    },

    /** Cells that were put back, and those that could not be. */
    wrote(repairs: readonly WrittenCell[], refused: readonly WrittenCell[]): void {
      for (const { value } of repairs) marks.add(markOf(value));
      for (const cell of refused) protectedCells.add(`${placeOf(cell)} ${markOf(cell.value)}`);
      hasPutKeys ||= repairs.some(({ column }) => column === at.keyColumn);
      written = repairs;
      isLater = true;
    },
  };

  function lookAtLast(now: Grid): WrittenCell[] {
    const located = locateWrites(last, now, written, at);
    const keyColumn = at.keyColumn;
    losesKeys ||=
      located.keyColumn !== keyColumn || (isLater && written.some(({ column }) => column === keyColumn));
    const repairs = repairsOf(located, isLater ? written : []);
    first ??= located.fates;
    at = located;
    return repairs;
  }
}

/** A cell whose value had landed and is now another one, not ours, was typed over. */
function settled(now: WriteFate | undefined, first: WriteFate | undefined): WriteFate {
  if (!now || (now.is === 'changed' && first?.is === 'landed')) return first ?? LANDED;
  return now;
}

const LANDED: WriteFate = { is: 'landed' };

/** Whether a tab holds what it held before and what was written, all of it where it was. */
async function isAsWritten(before: Grid, now: Grid, cells: readonly WrittenCell[]): Promise<boolean> {
  const written = Map.groupBy(cells, ({ row }) => row - 1);
  const rows = Array.from({ length: Math.max(before.length, now.length) }, (_, row) => row);
  const same = await mapInTurns(rows, (row) =>
    isSameRow(overlaid(before[row] ?? [], written.get(row) ?? []), now[row] ?? []),
  );
  return !same.includes(false);
}

/** The cells to put back: those that hold values of others, and those whose own value has missed them. */
function repairsOf({ fates, misplaced }: Located, repairs: readonly WrittenCell[]): WrittenCell[] {
  const again = fates.flatMap(({ is, at }, nth) => {
    const value = repairs[nth]?.value;
    return is === 'missed' && at && value !== undefined ? [{ ...at, value }] : [];
  });
  const places = new Set(again.map(placeOf));
  const others = misplaced.filter(({ row, column }) => !places.has(placeOf({ row, column })));
  return [...again, ...others.map(({ row, column, was }) => ({ row, column, value: was }))];
}

function placeOf({ row, column }: Pick<WrittenCell, 'row' | 'column'>): string {
  return `${row} ${column}`;
}
