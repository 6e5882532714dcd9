import type { Cell } from '../../sync/ports/sheet-client.ts';
import { type Area, parseA1, toA1 } from './a1.ts';
import { invalid, protectedCell } from './faults.ts';

/** What somebody put into a cell. Nothing calculates here: a formula carries what it shows. An empty text is an empty cell. */
export type Entered = Cell | Formula;
type Formula = { readonly formula: string; readonly shown: Cell };

export type Sheet = {
  readonly id: number;
  title: string;
  hidden: boolean;
  rowCount: number;
  columnCount: number;
  /** Rows are replaced and never changed, so that a copy of this list is a copy of all. */
  cells: (readonly Entered[])[];
  /** Cells that the app's user may not change. */
  protected?: readonly Area[];
};

export type Metadata = {
  readonly id: number;
  readonly key: string;
  readonly value: string;
  readonly visibility: string;
  readonly location: MetadataLocation;
};

type MetadataLocation = {
  readonly sheetId?: number | undefined;
  readonly spreadsheet?: boolean | undefined;
  readonly dimensionRange?:
    | {
        readonly sheetId: number;
        readonly dimension: string;
        readonly startIndex: number;
        readonly endIndex: number;
      }
    | undefined;
};

/** One spreadsheet. Plain data: it can be kept as JSON. */
export type Book = {
  readonly id: string;
  title: string;
  locale: string;
  /** True if everyone is denied access. */
  forbidden: boolean;
  /** True if the app's user may only look. */
  readOnly?: boolean;
  sheets: Sheet[];
  metadata: Metadata[];
  nextId: number;
};

/** Cells of one spreadsheet file at most. */
const MOST_CELLS = 10_000_000;

export function sheetById(book: Book, id: number): Sheet {
  const sheet = book.sheets.find((one) => one.id === id);
  if (!sheet) throw invalid(`Invalid requests[0]: No grid with id: ${id}`);
  return sheet;
}

/** The tab and the cells that a range of a request means. @throws Refusal where there are none. */
export function locate(book: Book, range: string): { sheet: Sheet; area: Area } {
  const parsed = parseA1(range);
  const sheet = parsed && book.sheets.find(({ title }) => title === (parsed.title ?? book.sheets[0]?.title));
  if (!parsed || !sheet) throw invalid(`Unable to parse range: ${range}`);
  refuseBeyond(sheet, parsed.area, range);
  return { sheet, area: parsed.area };
}

/** As `locate`, of a tab by its id. */
export function locateIn(book: Book, { sheetId, ...ends }: GridRange): { sheet: Sheet; area: Area } {
  const sheet = sheetById(book, sheetId);
  const area = {
    top: ends.startRowIndex ?? 0,
    left: ends.startColumnIndex ?? 0,
    bottom: ends.endRowIndex ?? Infinity,
    right: ends.endColumnIndex ?? Infinity,
  };
  refuseBeyond(sheet, area, JSON.stringify(ends));
  return { sheet, area };
}

type GridRange = {
  readonly sheetId: number;
  readonly startRowIndex?: number | undefined;
  readonly endRowIndex?: number | undefined;
  readonly startColumnIndex?: number | undefined;
  readonly endColumnIndex?: number | undefined;
};

/** @throws Refusal where the cells lie outside of the tab's grid. */
export function refuseBeyond({ rowCount, columnCount }: Sheet, area: Area, range: string): void {
  const rows = area.bottom === Infinity ? area.top + 1 : area.bottom;
  const columns = area.right === Infinity ? area.left + 1 : area.right;
  if (rows <= rowCount && columns <= columnCount) return;
  throw invalid(`Range (${range}) exceeds grid limits. Max rows: ${rowCount}, max columns: ${columnCount}`);
}

/** @throws Refusal where one of the cells is protected. */
export function refuseProtected({ protected: areas = [] }: Sheet, area: Area): void {
  const isHit = areas.some(
    (one) => one.top < area.bottom && area.top < one.bottom && one.left < area.right && area.left < one.right,
  );
  if (isHit) throw protectedCell();
}

/** An area with its open ends closed by the grid, and its name. */
export function closed(sheet: Sheet, area: Area): Area & { readonly name: string } {
  const bottom = Math.min(area.bottom, sheet.rowCount);
  const right = Math.min(area.right, sheet.columnCount);
  return { ...area, bottom, right, name: toA1(sheet.title, { ...area, bottom, right }) };
}

/** Puts cells beside each other into one row; null leaves a cell as it is. */
export function put(sheet: Sheet, row: number, column: number, values: readonly (Entered | null)[]): void {
  while (sheet.cells.length <= row) sheet.cells.push([]);
  const cells = [...(sheet.cells[row] ?? [])];
  while (cells.length < column) cells.push('');
  values.forEach((value, index) => {
    cells[column + index] = value ?? cells[column + index] ?? '';
  });
  sheet.cells[row] = cells;
}

/** All of it happens or nothing does. */
export function atomically<T>(book: Book, change: () => T): T {
  const { sheets, metadata, nextId } = book;
  const kept = sheets.map((sheet) => ({ ...sheet, cells: sheet.cells.slice() }));
  try {
    book.metadata = metadata.slice();
    const result = change();
    const size = book.sheets.reduce((sum, { rowCount, columnCount }) => sum + rowCount * columnCount, 0);
    if (size > MOST_CELLS) {
      throw invalid(
        `This action would increase the number of cells in the workbook above the limit of ${MOST_CELLS} cells.`,
      );
    }
    return result;
  } catch (error) {
    Object.assign(book, { sheets: kept, metadata, nextId });
    throw error;
  }
}

/** Ids are as spread as the service's own, and the same in every run. */
export function freshId(book: Book): number {
  book.nextId += 1;
  return Math.imul(book.nextId, 0x9e3779b1) >>> 1;
}
