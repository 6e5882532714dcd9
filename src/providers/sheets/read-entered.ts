import type { Cell, TabName } from '../../sync/ports/sheet-client.ts';
import type { Api } from './api.ts';
import { isRefused } from './faults.ts';
import { findTab, idOf, look, rowsRange } from './ranges.ts';
import type { Patiently } from './retry.ts';

type Span = { readonly first: number; readonly last: number };

/** Ranges of one request. */
const MOST_RANGES = 100;
/** More than these are a reading of the whole tab. */
const MOST_SPANS = 300;
/** Rows between two that are asked for come along: they cost less than a range. */
const GAP = 3;

/** Rows as they were entered; a row that is empty or below the tab's end has no cells. */
export async function readEntered(
  parts: { readonly api: Api; readonly patiently: Patiently },
  tab: TabName,
  rows: readonly number[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, readonly Cell[]>> {
  const { api, patiently } = parts;
  const asked = [...new Set(rows)].sort((a, b) => a - b);
  const last = asked.at(-1);
  if (last === undefined) return new Map();
  const id = await idOf(parts, tab, signal);
  try {
    return await readRows(asked);
  } catch (error) {
    if (!isRefused(error)) throw error;
    const found = findTab(await patiently(() => look(api, signal), signal), { ...tab, id });
    if (last <= found.rows) throw error;
    const inside = await readRows(asked.filter((row) => row <= found.rows));
    return new Map(asked.map((row) => [row, inside.get(row) ?? []]));
  }

  async function readRows(wanted: readonly number[]): Promise<Map<number, readonly Cell[]>> {
    const spans = spansOf(wanted);
    const read = spans.length > MOST_SPANS ? await readAll(wanted) : await readSpans(spans);
    return new Map(wanted.map((row) => [row, read.get(row) ?? []]));
  }

  async function readAll(wanted: readonly number[]): Promise<Map<number, readonly Cell[]>> {
    const { rows: all } = await patiently(() => api.values({ sheetId: id }, 'FORMULA', signal), signal);
    const isWanted = new Set(wanted);
    const read = new Map<number, readonly Cell[]>();
    let row = 0;
    for (const cells of all) if (isWanted.has(++row)) read.set(row, cells);
    return read;
  }

  async function readSpans(spans: readonly Span[]): Promise<Map<number, Cell[]>> {
    const read = new Map<number, Cell[]>();
    for (let at = 0; at < spans.length; at += MOST_RANGES) {
      const part = spans.slice(at, at + MOST_RANGES);
      const ranges = part.map(({ first, last: end }) => rowsRange(id, first, end));
      for (const [row, cells] of await patiently(() => api.entered(ranges, signal), signal))
        read.set(row, cells);
    }
    return read;
  }
}

function spansOf(rows: readonly number[]): Span[] {
  const spans: { first: number; last: number }[] = [];
  for (const row of rows) {
    const open = spans.at(-1);
    if (open && row - open.last <= GAP + 1) open.last = row;
    else spans.push({ first: row, last: row });
  }
  return spans;
}
