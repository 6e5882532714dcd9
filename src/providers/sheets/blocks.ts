import type { Cell, CellWrite } from '../../sync/ports/sheet.ts';

/** A rectangle of cells to write; rows count from 1, columns from 0. */
export type Block = { readonly row: number; readonly column: number; readonly values: Cell[][] };

/** The same cells in as few rectangles as rows of equal columns give. No cell is to be given twice. */
export function toBlocks(cells: readonly CellWrite[]): Block[] {
  const blocks: Block[] = [];
  // By their columns: what the row below goes on with.
  const open = new Map<string, Block>();
  for (const { row, column, values } of joined(cells)) {
    const key = `${column} ${values.length}`;
    const above = open.get(key);
    if (above && above.row + above.values.length === row) {
      above.values.push(values);
      continue;
    }
    const block = { row, column, values: [values] };
    open.set(key, block);
    blocks.push(block);
  }
  return blocks;
}

/** The last row and the number of columns that the blocks need. */
export function extentOf(blocks: readonly Block[]): { rows: number; columns: number } {
  let rows = 0;
  let columns = 0;
  for (const { row, column, values } of blocks) {
    rows = Math.max(rows, row + values.length - 1);
    columns = Math.max(columns, column + (values[0]?.length ?? 0));
  }
  return { rows, columns };
}

type Run = { readonly row: number; readonly column: number; readonly values: Cell[] };

/** Runs in the order of rows and columns, those beside each other made one. */
function joined(cells: readonly CellWrite[]): Run[] {
  const sorted = [...cells].sort((a, b) => a.row - b.row || a.column - b.column);
  const runs: Run[] = [];
  for (const { row, column, values } of sorted) {
    if (values.length === 0) continue;
    const last = runs.at(-1);
    if (last?.row === row && last.column + last.values.length === column) last.values.push(...values);
    else runs.push({ row, column, values: [...values] });
  }
  return runs;
}
