import type { Cell } from '../../../ports/sheet-client.ts';

/** The cells of a tab as they were entered. Rows and columns count from 0; what is beyond the end of a row is empty. */
export type Grid = readonly (readonly Cell[])[];

/** One cell that was written. The row counts from 1, as in a CellWrite; the column from 0. */
export type WrittenCell = { readonly row: number; readonly column: number; readonly value: Cell };

/** Which row or column of the grid before is which of the grid after, from 0. */
export type Matching = {
  readonly to: ReadonlyMap<number, number>;
  readonly from: ReadonlyMap<number, number>;
};

/**
 * What two cells are compared by. All formulas are alike: those that refer to other cells are rewritten when rows move.
 * A cell formatted as text may give a number back as text.
 */
export function markOf(cell: Cell | undefined): string {
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  if (typeof cell === 'string' && cell.startsWith('=')) return '=';
  return String(cell ?? '').trim();
}

export function isSame(one: Cell | undefined, other: Cell | undefined): boolean {
  return markOf(one) === markOf(other);
}

/** With `formulas`, a formula equals any cell, since it may show that value. */
export function isSameRow(one: readonly Cell[], other: readonly Cell[], { formulas = false } = {}): boolean {
  const longer = one.length > other.length ? one : other;
  return longer.every((_, column) => {
    const [mark, second] = [markOf(one[column]), markOf(other[column])];
    return mark === second || (formulas && (mark === '=' || second === '='));
  });
}

export function isBlankRow(row: readonly Cell[] | undefined): boolean {
  return (row ?? []).every((cell) => markOf(cell) === '');
}

/** A row with cells that were written into it. */
export function overlaid(row: readonly Cell[], cells: readonly WrittenCell[]): readonly Cell[] {
  const expected = [...row];
  for (const { column, value } of cells) {
    while (expected.length < column) expected.push('');
    expected[column] = value;
  }
  return expected;
}

export function widthOf(grid: Grid): number {
  return grid.reduce((most, { length }) => Math.max(most, length), 0);
}

/** A matching that is being made: each row or column is matched once. */
export function createMatching() {
  const to = new Map<number, number>();
  const from = new Map<number, number>();
  return {
    to,
    from,
    link(before: number, after: number): void {
      to.set(before, after);
      from.set(after, before);
    },
    isOpen: (before: number, after: number): boolean => !to.has(before) && !from.has(after),
  };
}
