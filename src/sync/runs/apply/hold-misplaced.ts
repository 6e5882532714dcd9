import type { Change } from '../../change.ts';
import { findLayout, type Layout } from '../../plan/layout.ts';
import { ANY_LOCALE, readCell } from '../../plan/read-cell.ts';
import type { SheetRows } from '../../ports/sheet-client.ts';
import type { Canonical, StoreField } from '../../values/field.ts';
import { cellKey, foldKey } from '../../values/sync-key.ts';
import { currencyScale } from '../../values/value.ts';
import { type ApplyWork, layoutOf } from './apply.ts';

/**
 * Holds cells of other items that a write without a response may have landed on: where rows or columns have moved since
 * the plan, those that had another value in the plan and have one of the write by now. In: the changes that were sent, and
 * the tab as it was entered. Out: the row of each key by now, from 1.
 */
export async function holdMisplaced(
  work: ApplyWork,
  batch: number,
  sent: readonly Change[],
  tab: SheetRows,
): Promise<ReadonlyMap<string, number>> {
  const { settings } = work.run;
  const layout = layoutOf(work.run);
  const addsColumns = layout.added.length > 0;
  const found = findLayout({ tab: layout.tab, rows: tab }, settings, { addsColumns });
  if ('missing' in found) return new Map();
  const rows = keyRows(tab, found.layout);
  if (!isMoved(sent, rows, { planned: layout, now: found.layout })) return rows;
  const suspects = suspectsIn(work, sent, { tab, rows, layout: found.layout });
  const read = await work.readValues(suspects.map(({ key }) => foldKey(key)));
  const damaged = suspects.filter(({ key, nth, value }) => {
    const values = read.get(foldKey(key));
    return values !== undefined && values[nth] !== value;
  });
  const cells = damaged.map(({ key, row, field }) => ({ key, row, field, code: 'rows_moved' }) as const);
  if (cells.length > 0) await work.commit(batch, [], cells);
  return rows;
}

/** By folded key; a key that several rows have is none. */
function keyRows(tab: SheetRows, { header_row, key_column }: Layout): ReadonlyMap<string, number> {
  const rows = new Map<string, number>();
  const twice = new Set<string>();
  let row = 0;
  for (const cells of tab) {
    row++;
    const key = cellKey(cells[key_column] ?? '');
    if (row <= header_row || key === null) continue;
    if (rows.has(foldKey(key))) twice.add(foldKey(key));
    rows.set(foldKey(key), row);
  }
  for (const key of twice) rows.delete(key);
  return rows;
}

function isMoved(
  sent: readonly Change[],
  rows: ReadonlyMap<string, number>,
  { planned, now }: { readonly planned: Layout; readonly now: Layout },
): boolean {
  if (planned.header_row !== now.header_row || planned.key_column !== now.key_column) return true;
  if (planned.columns.some((column, nth) => column !== now.columns[nth])) return true;
  return sent.some(({ key, row, kind }) => key !== '' && kind === 'set' && rows.get(foldKey(key)) !== row);
}

type Suspect = {
  readonly key: string;
  readonly row: number;
  readonly field: StoreField;
  /** The position of its mapping. */
  readonly nth: number;
  readonly value: Canonical;
};

/** Cells that have a value which was sent to another one. */
function suspectsIn(
  { run: { settings }, sides }: ApplyWork,
  sent: readonly Change[],
  now: { readonly tab: SheetRows; readonly rows: ReadonlyMap<string, number>; readonly layout: Layout },
): Suspect[] {
  const values = new Set(sent.map(({ to }) => to));
  const own = new Map(sent.map(({ key, field, to }) => [`${foldKey(key)} ${field}`, to]));
  const writing = { locale: ANY_LOCALE, scale: currencyScale(sides.currency) };
  const suspects: Suspect[] = [];
  let row = 0;
  for (const cells of now.tab) {
    row++;
    const key = cellKey(cells[now.layout.key_column] ?? '');
    if (key === null || now.rows.get(foldKey(key)) !== row) continue;
    for (const [nth, { store_field: field }] of settings.mappings.entries()) {
      const value = readCell(field, cells[now.layout.columns[nth] ?? -1], writing).text;
      if (values.has(value) && own.get(`${foldKey(key)} ${field}`) !== value)
        suspects.push({ key, row, field, nth, value });
    }
  }
  return suspects;
}
