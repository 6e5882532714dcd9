import type { Change, SyncNoteKey } from '../../change.ts';
import { columnsNow, type Layout } from '../../plan/layout.ts';
import { ANY_LOCALE, needsLocale } from '../../plan/read-cell.ts';
import type { Cell, CellWrite } from '../../ports/sheet-client.ts';
import { cellKey, foldKey } from '../../values/sync-key.ts';
import { currencyScale, type Writing } from '../../values/value.ts';
import { type ApplyWork, batchKey, commitGroups } from './apply.ts';
import type { ChangeOutcome } from './change-outcome.ts';
import {
  type CellFate,
  cellOf,
  columnOf,
  decideRow,
  isBlank,
  type RowFate,
  type SheetPlace,
} from './sheet-row.ts';
import { statusWrites } from './status-column.ts';

/**
 * Writes the cells of a batch, in one write. Just before it the rows are read as they were entered, with the header: a
 * formula is never overwritten, a row that changed concurrently is skipped, columns that people moved are found again, and
 * what is there already, as after a crash, is not written again.
 */
export async function applyToSheet(work: ApplyWork, batch: number): Promise<void> {
  const changes = await work.unfinished(batch);
  if (changes.length === 0) return;
  const { tab } = layoutOf(work);
  await work.send(batch, changes);
  const rows = [...Map.groupBy(changes, ({ row }) => row ?? 0)];
  const { entered, place } = await readPlace(work, rows);
  const decided = rows.map(([row, own]) => ({
    row,
    own,
    fate: decideRow(own, entered.get(row) ?? [], place),
  }));
  const written = decided.flatMap(({ row, own, fate }) => (fate === 'taken' ? [] : [{ row, own, fate }]));
  const moved = await moveAppends(work, batch, place, decided);
  const all = [...written, ...moved.written];
  const cells = [
    ...all.flatMap((one) => writesOf(one, place)),
    ...(await statusOf(work, place, all, entered)),
  ];
  const { signal } = work;
  if (cells.length > 0)
    await work.sides.sheet.write(tab, cells, { key: batchKey(work.run.id, batch, cells), signal });
  await commitGroups(work, batch, [...all.map(outcomesOf), moved.given]);
}

type Rows = readonly (readonly [row: number, own: readonly Change[]])[];

/** Rows as they were entered, and where their columns are by the header as it is, or as it is about to be written. */
export async function readPlace(
  work: ApplyWork,
  rows: Rows,
): Promise<{ entered: ReadonlyMap<number, readonly Cell[]>; place: SheetPlace }> {
  const { run, sides } = work;
  const layout = layoutOf(work);
  const entered = await readRows(work, [layout.header_row, ...rows.map(([row]) => row)]);
  const planned = {
    layout,
    settings: run.settings,
    writing: { locale: ANY_LOCALE, scale: currencyScale(sides.currency) },
    sharesRows: run.trigger === 'revert',
  };
  const header = [...(entered.get(layout.header_row) ?? [])];
  const own = rows.flatMap(([, changes]) => changes.filter(({ key }) => key === ''));
  const fate = decideRow(own, header, planned);
  for (const change of own)
    if (fate !== 'taken' && fate.get(change.seq)?.is === 'to_write')
      header[columnOf(change, planned) ?? header.length] = cellOf(change);
  const place = { ...planned, layout: columnsNow(layout, run.settings, header) };
  return { entered, place: { ...place, writing: await writingOf(work, rows, entered, place) } };
}

/** Requests the spreadsheet's locale where one of the cells cannot be read without it. */
async function writingOf(
  { sides, signal }: ApplyWork,
  rows: Rows,
  entered: ReadonlyMap<number, readonly Cell[]>,
  place: SheetPlace,
): Promise<Writing> {
  const { writing } = place;
  const asks = ([row, own]: Rows[number]) =>
    own.some((change) => {
      const { key, field } = change;
      if (key === '' || field === 'key' || field === 'status') return false;
      const cell = entered.get(row)?.[columnOf(change, place) ?? -1];
      return needsLocale(field, cell, writing.scale);
    });
  return rows.some(asks) ? { ...writing, locale: await sides.sheet.locale(signal) } : writing;
}

function layoutOf({ run }: ApplyWork): Layout {
  if (!run.layout) throw new Error(`the run ${run.id} has changes of the sheet but no layout`);
  return run.layout;
}

function readRows(work: ApplyWork, rows: readonly number[]): Promise<ReadonlyMap<number, readonly Cell[]>> {
  return work.sides.sheet.readEntered(layoutOf(work).tab, rows, work.signal);
}

/** A row with the decision on each of its changes. */
type FatedRow = {
  readonly row: number;
  readonly own: readonly Change[];
  readonly fate: ReadonlyMap<number, CellFate>;
};

type Decided = { readonly row: number; readonly own: readonly Change[]; readonly fate: RowFate };

/**
 * New rows whose place was taken go below all there is, which is written down before they are written. An item that
 * a person has entered concurrently is skipped.
 */
async function moveAppends(
  work: ApplyWork,
  batch: number,
  { layout: { key_column } }: SheetPlace,
  decided: readonly Decided[],
): Promise<{ written: FatedRow[]; given: ChangeOutcome[] }> {
  const taken = decided.filter(({ fate }) => fate === 'taken');
  if (taken.length === 0) return { written: [], given: [] };
  const isHeader = ({ own }: Decided) => own[0]?.key === '';
  const { rows } = await work.sides.sheet.read(layoutOf(work).tab, work.signal);
  const keys = new Set<string>();
  for (const row of rows) keys.add(foldKey(cellKey(row[key_column ?? -1] ?? '') ?? ''));
  const isThere = (one: Decided) => isHeader(one) || keys.has(foldKey(one.own[0]?.key ?? ''));
  const given = taken.filter(isThere).flatMap(({ own }) => own.map(({ seq }) => someoneElse(seq)));
  const left = taken.filter((one) => !isThere(one));
  const below = Math.max(rows.length, await work.lastRow()) + 1;
  const free = await freeRows(work, below, left.length);
  const written = free.flatMap((row, nth) => {
    const own = left[nth]?.own;
    return own ? [{ row, own, fate: allWritten(own) }] : [];
  });
  await work.moveRows(
    batch,
    written.flatMap(({ row, own }) => own.map(({ seq }) => ({ seq, row }))),
  );
  return { written, given };
}

/** The first rows from `below` that nothing was entered in: a formula may show nothing. */
async function freeRows(work: ApplyWork, below: number, count: number): Promise<number[]> {
  const free: number[] = [];
  let from = below;
  // Twice as many each time: a column of formulas may go down to the end of the tab.
  for (let size = count; free.length < count; size *= 2) {
    const rows = Array.from({ length: size }, (_, nth) => from + nth);
    const entered = await readRows(work, rows);
    free.push(...rows.filter((row) => (entered.get(row) ?? []).every(isBlank)));
    from += size;
  }
  return free.slice(0, count);
}

function someoneElse(seq: number): ChangeOutcome {
  return { seq, state: 'skipped', code: 'sheet_changed' };
}

function allWritten(changes: readonly Change[]): FatedRow['fate'] {
  return new Map(changes.map(({ seq }) => [seq, { is: 'to_write' }]));
}

/** The cells of a row that are written, those beside each other together. */
function writesOf({ row, own, fate }: FatedRow, place: SheetPlace): CellWrite[] {
  const cells = own
    .filter(({ seq }) => fate.get(seq)?.is === 'to_write')
    .map((change) => ({ column: columnOf(change, place) ?? -1, cell: cellOf(change) }))
    .filter(({ column }) => column >= 0)
    .sort((a, b) => a.column - b.column);
  const writes: { row: number; column: number; values: Cell[] }[] = [];
  for (const { column, cell } of cells) {
    const last = writes.at(-1);
    if (last && last.column + last.values.length === column) last.values.push(cell);
    else writes.push({ row, column, values: [cell] });
  }
  return writes;
}

async function statusOf(
  work: ApplyWork,
  { layout: { status_column } }: SheetPlace,
  rows: readonly FatedRow[],
  entered: ReadonlyMap<number, readonly Cell[]>,
): Promise<CellWrite[]> {
  if (status_column === null) return [];
  // What marks a row is itself what its status says.
  const others = rows.filter(({ own }) => own.every(({ field }) => field !== 'status'));
  return statusWrites(work, status_column, others, await work.notes(), entered);
}

function outcomesOf({ own, fate }: FatedRow): ChangeOutcome[] {
  return own.map((change): ChangeOutcome => {
    const one = fate.get(change.seq);
    if (one?.is !== 'held') return { seq: change.seq, state: 'applied' };
    const { code } = one;
    return { seq: change.seq, state: 'skipped', code, inDoubt: isInDoubt(change, code) };
  });
}

/**
 * It was sent, and the cell now has neither its old nor the target value; or it is half of a sum whose other half the store
 * has, in a formula: one that shows the store's quantity would follow it, and be added up again at each run.
 */
export function isInDoubt({ state, field, kind, base }: Change, code: SyncNoteKey): boolean {
  if (field !== 'inventory_quantity' || kind !== 'set') return false;
  return (state === 'sent' && code === 'sheet_changed') || (base !== null && code === 'formula_cell');
}
