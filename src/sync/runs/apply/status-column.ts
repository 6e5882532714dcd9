import { isRemark, type SyncError } from '../../change.ts';
import type { SyncSettings } from '../../config.ts';
import { type Columns, columnsNow, type Layout } from '../../plan/layout.ts';
import type { Cell, CellWrite, SheetRows } from '../../ports/sheet-client.ts';
import { cellKey } from '../../values/sync-key.ts';
import type { ApplyWork } from './apply.ts';
import { isSameRow } from './moved-cells/grid.ts';
import type { CellFate } from './sheet-row.ts';
import { pickRows, writeVerified } from './verified-write.ts';

const OK = 'ok';

type FatedRow = { readonly row: number; readonly fate: ReadonlyMap<number, CellFate> };

/** The status of rows that are being written, where it changes. */
export function statusWrites(
  { run, localize }: ApplyWork,
  column: number,
  rows: readonly FatedRow[],
  notes: readonly SyncError[],
  entered: ReadonlyMap<number, readonly Cell[]>,
): CellWrite[] {
  const texts = sentences([...run.errors, ...notes], localize);
  return rows.flatMap(({ row, fate }) => {
    if (row === run.layout?.header_row) return [];
    const held = [...fate.values()].find((one) => one.is === 'held');
    const text = held ? localize({ key: held.code }) : (texts.get(row) ?? OK);
    return writeOf(row, column, entered.get(row)?.[column], text);
  });
}

/**
 * Writes the status of every row after the last batch: one reading of the tab, and one write where something changes; protected
 * cells stay as they are. Rows
 * that are marked because their item is not in the store keep their status. A run that has not read all rows, such as an
 * undo, writes none. A row that moves while this is done gets its status from the next run.
 */
export async function writeStatus(work: ApplyWork): Promise<void> {
  const { run, sides, localize, signal } = work;
  const { layout } = run;
  if (!layout || layout.status_column === null) return;
  const stale = await work.staleRows();
  if (!stale) return;
  const { rows } = await sides.sheet.read(layout.tab, signal);
  const texts = sentences([...run.errors, ...(await work.notes())], localize);
  const marked = run.settings.options.stale_rows === 'mark' ? stale : new Set();
  const writes: CellWrite[] = [];
  for (const { row, cells, column, isItem } of statusRows(rows, layout, run.settings)) {
    const text = texts.get(row) ?? (isItem ? OK : undefined);
    if (text !== undefined && !marked.has(row)) writes.push(...writeOf(row, column, cells[column], text));
  }
  if (writes.length === 0) return;
  const before = await sides.sheet.readAllEntered(layout.tab, signal);
  const anchors = {
    headerRow: layout.header_row,
    keyColumn: await keyColumnOf(before, layout, run.settings),
  };
  const cells = await unmoved(writes, { rows, before, headerRow: layout.header_row });
  const { damaged } = await writeVerified(work, { batch: 0, before, anchors, cells });
  if (damaged.length > 0) await work.commit(0, [], damaged);
}

async function keyColumnOf(rows: SheetRows, layout: Layout, settings: SyncSettings): Promise<number> {
  const header = (await pickRows(rows, [layout.header_row])).get(layout.header_row) ?? [];
  return columnsNow(layout, settings, header).key_column ?? -1;
}

/** The writes whose rows are as they were when they were decided; none where the header is not. */
async function unmoved(
  writes: readonly CellWrite[],
  { rows, before, headerRow }: { rows: SheetRows; before: SheetRows; headerRow: number },
): Promise<CellWrite[]> {
  const wanted = [headerRow, ...writes.map(({ row }) => row)];
  const then = await pickRows(rows, wanted);
  const now = await pickRows(before, wanted);
  const isAsBefore = (row: number) => isSameRow(then.get(row) ?? [], now.get(row) ?? [], { formulas: true });
  return isAsBefore(headerRow) ? writes.filter(({ row }) => isAsBefore(row)) : [];
}

/** The rows below the header, where that has a status column. */
function* statusRows(rows: SheetRows, layout: Layout, settings: SyncSettings) {
  let columns: Columns | undefined;
  let row = 0;
  for (const cells of rows) {
    row++;
    const { status_column: column = null, key_column = null } = columns ?? {};
    if (column !== null) {
      const isItem = key_column !== null && cellKey(cells[key_column] ?? '') !== null;
      yield { row, cells, column, isItem };
    }
    if (row === layout.header_row) columns = columnsNow(layout, settings, cells);
  }
}

function writeOf(row: number, column: number, now: Cell | undefined, text: string): CellWrite[] {
  return now === text ? [] : [{ row, column, values: [text] }];
}

/** Remarks are no status, except that a quantity is not written. */
function isStatus(note: SyncError): boolean {
  return !isRemark(note) || note.key === 'untracked';
}

/** By row; the first note of each. */
function sentences(
  notes: readonly SyncError[],
  localize: ApplyWork['localize'],
): ReadonlyMap<number, string> {
  const texts = new Map<number, string>();
  for (const note of notes)
    if (note.row !== undefined && isStatus(note) && !texts.has(note.row)) texts.set(note.row, localize(note));
  return texts;
}
