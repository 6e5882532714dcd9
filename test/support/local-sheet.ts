import { setImmediate } from 'node:timers/promises';
import { Fault } from '../../src/errors.ts';
import type { Cell, CellWrite, SheetClient, TabName } from '../../src/sync/ports/sheet-client.ts';

/** A formula as it was entered, and what it comes to. */
export type Formula = { readonly formula: string; readonly result: Cell };
export type LocalCell = Cell | Formula;

/** What a call does, for the hooks. */
export type SheetCall =
  | { readonly name: 'describe' | 'locale' | 'read' | 'readAllEntered' }
  | { readonly name: 'readEntered'; readonly rows: readonly number[] }
  | { readonly name: 'write'; readonly cells: readonly CellWrite[]; readonly key: string };

export type LocalSheet = {
  readonly client: SheetClient;
  /** As the planner is given it. */
  readonly tab: TabName;
  /** The results of all cells, from row 1; empty cells at the end of a row and empty rows at the end are left out. */
  rows(): Cell[][];
  /** Sets one cell as a person would. Rows count from 1, columns from 0; an empty text empties it. */
  set(row: number, column: number, cell: LocalCell): void;
  insertRow(before: number, cells: readonly LocalCell[]): void;
  deleteRow(row: number): void;
  /** Has the sheet refuse every write that this cell is in, until the function that it returns is called. */
  protect(row: number, column: number): () => void;
  rename(title: string): void;
  /** How its people write, which they may change. */
  locale: string;
  /** The calls so far, the writes with their cells. */
  readonly log: SheetCall[];
  /** Before a call does anything: may change the sheet, or throw what the call fails with. */
  before: (call: SheetCall) => void | Promise<void>;
  /** When it has been done: throwing here loses the answer. */
  after: (call: SheetCall) => void | Promise<void>;
};

type Options = {
  /** From row 1. */
  readonly rows?: readonly (readonly LocalCell[])[];
  readonly title?: string;
  readonly id?: number;
  readonly locale?: string;
};

/** A spreadsheet of one tab in memory that keeps the rules of the port: a write holds as a whole or not at all. */
export function createLocalSheet(options: Options = {}): LocalSheet {
  const { rows = [], id = 7 } = options;
  let title = options.title ?? 'Sheet1';
  let cells: LocalCell[][] = rows.map((row) => [...row]);
  const guarded = new Set<string>();
  const spent = { reads: 0, writes: 0 };

  const sheet: LocalSheet = {
    client: {
      describe: (signal) =>
        call({ name: 'describe' }, signal, () => ({
          title: 'Local',
          locale: sheet.locale,
          tabs: [{ id, title, rows: Math.max(1000, cells.length), columns: 26 }],
        })),
      requireEditor: async () => {},
      locale: (signal) => call({ name: 'locale' }, signal, () => sheet.locale),
      read: (tab, signal) =>
        call({ name: 'read' }, signal, () => {
          find(tab);
          return { tab: { title, id }, rows: sheet.rows() };
        }),
      readAllEntered: (tab, signal) =>
        call({ name: 'readAllEntered' }, signal, () => {
          find(tab);
          return trimmedRows(cells.map((row) => trimmed(row.map(entered))));
        }),
      readEntered: (tab, wanted, signal) =>
        call({ name: 'readEntered', rows: wanted }, signal, () => {
          find(tab);
          return new Map(wanted.map((row) => [row, trimmed((cells[row - 1] ?? []).map(entered))]));
        }),
      write: (tab, writes, { key, signal }) =>
        call({ name: 'write', cells: writes, key }, signal, () => {
          find(tab);
          if (writes.some(isProtected)) throw new Fault('sheet_refused.protected', { spreadsheet: 'local' });
          const next = cells.map((row) => [...row]);
          for (const write of writes) put(next, write);
          cells = next;
        }),
      calls: () => ({ ...spent }),
    },
    tab: { title, id },
    rows: () => trimmedRows(cells.map((row) => trimmed(row.map(result)))),
    set: (row, column, cell) => put(cells, { row, column, values: [cell] }),
    insertRow(before, row) {
      while (cells.length < before - 1) cells.push([]);
      cells.splice(before - 1, 0, [...row]);
    },
    deleteRow: (row) => void cells.splice(row - 1, 1),
    protect(row, column) {
      guarded.add(`${row} ${column}`);
      return () => void guarded.delete(`${row} ${column}`);
    },
    rename(to) {
      title = to;
    },
    locale: options.locale ?? 'en_US',
    log: [],
    before: () => {},
    after: () => {},
  };
  return sheet;

  async function call<T>(asked: SheetCall, signal: AbortSignal, work: () => T): Promise<T> {
    await setImmediate();
    signal.throwIfAborted();
    if (asked.name === 'write') spent.writes += 1;
    else spent.reads += 1;
    sheet.log.push(asked);
    await sheet.before(asked);
    const answer = work();
    await sheet.after(asked);
    return answer;
  }

  function isProtected({ row, column, values }: CellWrite): boolean {
    return values.some((_, nth) => guarded.has(`${row} ${column + nth}`));
  }

  function find(tab: TabName): void {
    if (tab.id === id || (tab.id === null && tab.title === title)) return;
    throw new Fault('sheet_not_found.tab', { tab: tab.title, tabs: title });
  }
}

function put(
  cells: LocalCell[][],
  { row, column, values }: { row: number; column: number; values: readonly LocalCell[] },
): void {
  while (cells.length < row) cells.push([]);
  const target = cells[row - 1] ?? [];
  while (target.length < column) target.push('');
  target.splice(column, values.length, ...values);
}

function entered(cell: LocalCell): Cell {
  return typeof cell === 'object' ? cell.formula : cell;
}

function result(cell: LocalCell): Cell {
  return typeof cell === 'object' ? cell.result : cell;
}

function trimmed(row: readonly Cell[]): Cell[] {
  return row.slice(0, row.findLastIndex((cell) => cell !== '') + 1);
}

function trimmedRows(rows: Cell[][]): Cell[][] {
  return rows.slice(0, rows.findLastIndex((row) => row.length > 0) + 1);
}
