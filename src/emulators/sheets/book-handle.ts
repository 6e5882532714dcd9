import type { Cell } from '../../sync/ports/sheet-client.ts';
import { parseA1, WHOLE } from './a1.ts';
import { type Book, type Entered, freshId, put, type Sheet } from './book.ts';
import { enter, shownIn } from './cell-text.ts';

export type BookHandle = ReturnType<typeof openBook>;

/** What a person can do to a spreadsheet in the browser. Rows count from 1. */
export function openBook(book: Book) {
  return {
    id: book.id,
    tabs: (): string[] => book.sheets.map(({ title }) => title),
    tabId: (title: string): number => tab(title).id,
    grid: (title: string) => ({ rows: tab(title).rowCount, columns: tab(title).columnCount }),
    /** All cells as they are shown. */
    rows: (title: string): Cell[][] => shownIn(tab(title), WHOLE, 'UNFORMATTED_VALUE', book.locale),

    cell(title: string, at: string): Entered {
      const { top, left } = place(at);
      return tab(title).cells[top]?.[left] ?? '';
    },

    /** Types into a cell; `shown` is what a formula shows. */
    type(title: string, at: string, value: Cell, shown?: Cell): void {
      const { top, left } = place(at);
      const typed = enter(value, 'USER_ENTERED', book.locale);
      const entered = typeof typed === 'object' ? { ...typed, shown: shown ?? typed.shown } : typed;
      const sheet = tab(title);
      sheet.rowCount = Math.max(sheet.rowCount, top + 1);
      sheet.columnCount = Math.max(sheet.columnCount, left + 1);
      put(sheet, top, left, [entered]);
    },

    insertRow(title: string, row: number, values: readonly Cell[] = []): void {
      const sheet = tab(title);
      sheet.cells.splice(row - 1, 0, [...values]);
      sheet.rowCount += 1;
    },

    deleteRow(title: string, row: number): void {
      const sheet = tab(title);
      sheet.cells.splice(row - 1, 1);
      sheet.rowCount -= 1;
    },

    /** Columns count from 0. */
    insertColumn(title: string, column: number): void {
      const sheet = tab(title);
      sheet.cells = sheet.cells.map((row) => (row.length > column ? row.toSpliced(column, 0, '') : row));
      sheet.columnCount += 1;
    },

    moveColumn(title: string, from: number, to: number): void {
      const sheet = tab(title);
      const width = sheet.cells.reduce((most, { length }) => Math.max(most, length), Math.max(from, to) + 1);
      sheet.cells = sheet.cells.map((row) => {
        const cells = Array.from({ length: width }, (_, column) => row[column] ?? '');
        return cells.toSpliced(from, 1).toSpliced(to, 0, cells[from] ?? '');
      });
    },

    /** By a column, from 0; the rows above `from` stay. */
    sortRows(title: string, column: number, { from = 2, descending = false } = {}): void {
      const sheet = tab(title);
      const sign = descending ? -1 : 1;
      const sorted = sheet.cells
        .slice(from - 1)
        .sort((a, b) => sign * textOf(a[column]).localeCompare(textOf(b[column]), 'en', { numeric: true }));
      sheet.cells.splice(from - 1, sorted.length, ...sorted);
    },

    addTab(title: string, rows: readonly (readonly Cell[])[] = []): number {
      const sheet = sheetOf({ title, rows }, freshId(book));
      book.sheets.push(sheet);
      return sheet.id;
    },
    renameTab(title: string, to: string): void {
      tab(title).title = to;
    },
    deleteTab(title: string): void {
      const gone = tab(title);
      book.sheets = book.sheets.filter((sheet) => sheet !== gone);
    },
    setLocale(locale: string): void {
      book.locale = locale;
    },
    /** Denies everyone access to the spreadsheet, or restores it. */
    forbid(forbidden = true): void {
      book.forbidden = forbidden;
    },
    /** Shares the spreadsheet to be looked at only, or to be edited again. */
    shareToView(readOnly = true): void {
      book.readOnly = readOnly;
    },
    /** Lets no app write into these cells, such as `B2:B9`. */
    protect(title: string, at: string): void {
      const sheet = tab(title);
      sheet.protected = [...(sheet.protected ?? []), place(at)];
    },
  };

  function tab(title: string): Sheet {
    const sheet = book.sheets.find((one) => one.title === title);
    if (!sheet) throw new Error(`${book.id} has no tab ${title}`);
    return sheet;
  }
}

export type NewTab = {
  readonly title: string;
  readonly rows?: readonly (readonly Cell[])[];
  readonly rowCount?: number;
  readonly columnCount?: number;
};

/** A tab with these cells, no smaller than a new one is. */
export function sheetOf({ title, rows = [], rowCount = 1000, columnCount = 26 }: NewTab, id: number): Sheet {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return {
    id,
    title,
    hidden: false,
    rowCount: Math.max(rowCount, rows.length),
    columnCount: Math.max(columnCount, width),
    cells: rows.map((row) => [...row]),
  };
}

function place(at: string) {
  const area = parseA1(at)?.area;
  if (!area) throw new Error(`${at} is no cell`);
  return area;
}

function textOf(cell: Entered | undefined): string {
  return String(typeof cell === 'object' ? cell.shown : (cell ?? ''));
}
