import { mapInTurns } from '../../../platform/map-in-turns.ts';
import type { Change, SyncNoteKey } from '../../change.ts';
import { columnsNow } from '../../plan/layout.ts';
import { ANY_LOCALE, needsLocale } from '../../plan/read-cell.ts';
import type { Cell, CellWrite, SheetRows } from '../../ports/sheet-client.ts';
import { isQuantity } from '../../values/field.ts';
import { cellKey, foldKey } from '../../values/sync-key.ts';
import { currencyScale, type Writing } from '../../values/value.ts';
import { type ApplyWork, commitGroups, layoutOf } from './apply.ts';
import type { ChangeOutcome } from './change-outcome.ts';
import { holdMisplaced } from './hold-misplaced.ts';
import {
  type CellFate,
  cellOf,
  columnOf,
  decideRow,
  enteredOtherwise,
  type RowFate,
  type SheetPlace,
} from './sheet-row.ts';
import { statusWrites } from './status-column.ts';
import { pickRows, type VerifiedWrite, writeVerified } from './verified-write.ts';

/**
 * Writes the cells of a batch, in one write where none is protected. Just before it the tab is read as it was entered: a
 * formula is never overwritten, a row that changed concurrently is skipped, columns that people moved are found again, and
 * what is there already, as after a crash, is not written again. Just after it the rows are read again, for people may have moved them.
 */
export async function applyToSheet(work: ApplyWork, batch: number): Promise<void> {
  const changes = await work.unfinished(batch);
  if (changes.length === 0) return;
  await work.send(batch, changes);
  const rows = [...Map.groupBy(changes, ({ row }) => row ?? 0)];
  const before = await work.sides.sheet.readAllEntered(layoutOf(work.run).tab, work.signal);
  const sent = changes.filter(({ state }) => state === 'sent');
  if (sent.length > 0) await holdMisplaced(work, batch, sent, before);
  const { entered, place } = await placeIn(work, rows, before);
  const decided = await mapInTurns(rows, ([row, own]) => ({
    row,
    own,
    fate: decideRow(own, entered.get(row) ?? [], place),
  }));
  const written = decided.flatMap(({ row, own, fate }) => (fate === 'taken' ? [] : [{ row, own, fate }]));
  const moved = await moveAppends(work, batch, { place, decided, before });
  const all = [...written, ...moved.written];
  const kept = (await mapInTurns(all, (one) => keptOf(one, place, entered))).flat();
  if (kept.length > 0) await work.keepEntered(batch, kept);
  const writes = await mapInTurns(all, (one) => writesOf(one, place));
  const cells = [...writes.flat(), ...(await statusOf(work, place, all, entered))];
  const { key_column: keyColumn } = place.layout;
  const anchors = { headerRow: layoutOf(work.run).header_row, keyColumn: keyColumn ?? -1 };
  const { fateAt, damaged } = await writeVerified(work, { batch, before, anchors, cells });
  const outcomes = await mapInTurns(all, (one) => outcomesOf(one, place, fateAt));
  const settled = [...outcomes, moved.given];
  await commitGroups(work, batch, settled, damaged);
  const lost = headersLost(changes, settled.flat());
  if (lost.length > 0) await work.skipCells(lost);
}

/** The fields of headers that were not written: a column without one is not filled. */
function headersLost(changes: readonly Change[], outcomes: readonly ChangeOutcome[]): string[] {
  const applied = new Set(outcomes.filter(({ state }) => state === 'applied').map(({ seq }) => seq));
  return changes.filter(({ seq, key }) => key === '' && !applied.has(seq)).map(({ field }) => field);
}

type Rows = readonly (readonly [row: number, own: readonly Change[]])[];

type Entered = ReadonlyMap<number, readonly Cell[]>;

/** Rows as they were entered, and where their columns are by the header as it is, or as it is about to be written. */
export async function placeIn(
  work: ApplyWork,
  rows: Rows,
  tab: SheetRows,
): Promise<{ entered: Entered; place: SheetPlace }> {
  const { run, sides } = work;
  const layout = layoutOf(work.run);
  const entered = await pickRows(tab, [layout.header_row, ...rows.map(([row]) => row)]);
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
  entered: Entered,
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
  { place, decided, before }: { place: SheetPlace; decided: readonly Decided[]; before: SheetRows },
): Promise<{ written: FatedRow[]; given: ChangeOutcome[] }> {
  const taken = decided.filter(({ fate }) => fate === 'taken');
  if (taken.length === 0) return { written: [], given: [] };
  const isHeader = ({ own }: Decided) => own[0]?.key === '';
  const keys = new Set<string>();
  for (const row of before) keys.add(foldKey(cellKey(row[place.layout.key_column ?? -1] ?? '') ?? ''));
  const isThere = (one: Decided) => isHeader(one) || keys.has(foldKey(one.own[0]?.key ?? ''));
  const given = taken.filter(isThere).flatMap(({ own }) => own.map(({ seq }) => someoneElse(seq)));
  const left = taken.filter((one) => !isThere(one));
  const below = Math.max(before.length, await work.lastRow()) + 1;
  const written = left.map(({ own }, nth) => ({ row: below + nth, own, fate: allWritten(own) }));
  await work.moveRows(
    batch,
    written.flatMap(({ row, own }) => own.map(({ seq }) => ({ seq, row }))),
  );
  return { written, given };
}

function someoneElse(seq: number) {
  return { seq, state: 'skipped', code: 'sheet_changed' } as const;
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

/** The cells that an undo could not restore by their values. */
function keptOf({ row, own, fate }: FatedRow, place: SheetPlace, entered: Entered) {
  return own.flatMap((change) => {
    if (fate.get(change.seq)?.is !== 'to_write') return [];
    const was = enteredOtherwise(change, entered.get(row)?.[columnOf(change, place) ?? -1] ?? '');
    return was === undefined ? [] : [{ seq: change.seq, was }];
  });
}

async function statusOf(
  work: ApplyWork,
  { layout: { status_column } }: SheetPlace,
  rows: readonly FatedRow[],
  entered: Entered,
): Promise<CellWrite[]> {
  if (status_column === null) return [];
  // What marks a row is itself what its status says.
  const others = rows.filter(({ own }) => own.every(({ field }) => field !== 'status'));
  return statusWrites(work, status_column, others, await work.notes(), entered);
}

function outcomesOf(
  { row, own, fate }: FatedRow,
  place: SheetPlace,
  fateAt: VerifiedWrite['fateAt'],
): ChangeOutcome[] {
  return own.map((change): ChangeOutcome => {
    const { seq } = change;
    const one = fate.get(seq);
    if (one?.is === 'held')
      return { seq, state: 'skipped', code: one.code, inDoubt: isInDoubt(change, one.code) };
    const is = one?.is === 'to_write' ? fateAt(row, columnOf(change, place) ?? -1) : 'landed';
    if (is === 'landed') return { seq, state: 'applied' };
    if (is === 'refused') return { seq, state: 'failed', code: 'protected_cell' };
    // Where its place has another value, it is not known whether ours was there before.
    const inDoubt = is === 'changed' && isInDoubt({ ...change, state: 'sent' }, 'sheet_changed');
    return { ...someoneElse(seq), inDoubt };
  });
}

/**
 * It was sent, and the cell now has neither its old nor the target value; or it is half of a sum whose other half the store
 * has, in a formula: one that shows the store's quantity would follow it, and be added up again at each run.
 */
export function isInDoubt({ state, field, kind, base }: Change, code: SyncNoteKey): boolean {
  if (!isQuantity(field) || kind !== 'set') return false;
  return (state === 'sent' && code === 'sheet_changed') || (base !== null && code === 'formula_cell');
}
