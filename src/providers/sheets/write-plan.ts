import type { Cell, CellWrite, Tab, TabName } from '../../sync/ports/sheet-client.ts';
import type { Api, Restructuring } from './api.ts';
import { blockRange, findTab, type Look, look } from './ranges.ts';

type Room = { readonly tab: Tab; readonly found: Look; readonly added: readonly number[] };

/**
 * Makes a tab as large as it has to be, in one try: looks, then appends what is lacking and does what else `more` says of
 * what was seen. Two requests, or one where nothing is to be done. A repeat looks again and so never appends twice.
 */
export async function makeRoom(
  api: Api,
  name: TabName,
  needed: { readonly rows: number; readonly columns: number },
  signal: AbortSignal,
  more: (tab: Tab, found: Look) => Restructuring[] = () => [],
): Promise<Room> {
  const found = await look(api, signal);
  const tab = findTab(found, name);
  const requests = [
    ...lacking(tab.id, 'ROWS', needed.rows - tab.rows),
    ...lacking(tab.id, 'COLUMNS', needed.columns - tab.columns),
    ...more(tab, found),
  ];
  const added = requests.length > 0 ? await api.restructure(requests, signal) : [];
  return { tab, found, added };
}

function lacking(sheetId: number, dimension: 'ROWS' | 'COLUMNS', length: number): Restructuring[] {
  return length > 0 ? [{ appendDimension: { sheetId, dimension, length } }] : [];
}

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

/** Bytes of one request: the service recommends 2 MB at most. */
export const MOST_BYTES = 1_800_000;

/** About what `copyPaste` takes for one block. */
const COPY_BYTES = 330;

/** Bytes of all blocks in one request. */
export function directBytes(tabId: number, blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + bytesOf(blockRange(tabId, block)) + 50, 100);
}

/** Bytes of the request that copies all blocks to their place. */
export function copyBytes(blocks: readonly Block[]): number {
  return blocks.length * COPY_BYTES;
}

/** The rows in parts that are small enough for a request each; a row alone always is a part. */
export function inParts(rows: readonly Cell[][]): { readonly first: number; readonly values: Cell[][] }[] {
  const parts: { first: number; values: Cell[][] }[] = [];
  let room = 0;
  rows.forEach((row, index) => {
    const bytes = bytesOf(row) + 1;
    const open = parts.at(-1);
    if (open && bytes <= room) {
      open.values.push(row);
      room -= bytes;
      return;
    }
    parts.push({ first: index, values: [row] });
    room = MOST_BYTES - 200 - bytes;
  });
  return parts;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
