import { z } from 'zod';
import { type Area, toA1 } from './a1.ts';
import {
  atomically,
  type Book,
  closed,
  locate,
  locateIn,
  put,
  refuseBeyond,
  refuseProtected,
  type Sheet,
} from './book.ts';
import { enter, type InputOption, shownIn, tableAt, turned } from './cell-text.ts';
import { invalid, parseBody } from './faults.ts';

const Dimension = z.enum(['DIMENSION_UNSPECIFIED', 'ROWS', 'COLUMNS']).default('ROWS');
const Render = z.enum(['FORMATTED_VALUE', 'UNFORMATTED_VALUE', 'FORMULA']).default('FORMATTED_VALUE');
const Values = z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])));
const ValueRange = z.object({
  range: z.string().optional(),
  majorDimension: Dimension,
  values: Values.default([]),
});
type ValueRange = z.output<typeof ValueRange>;
const BatchUpdate = z.object({
  valueInputOption: z.string().optional(),
  data: z.array(ValueRange).default([]),
});
const Index = z.int().min(0).optional();
const DataFilter = z.object({
  gridRange: z.object({
    sheetId: z.int().default(0),
    startRowIndex: Index,
    endRowIndex: Index,
    startColumnIndex: Index,
    endColumnIndex: Index,
  }),
});
const BatchGetByDataFilter = z.object({
  dataFilters: z.array(DataFilter).default([]),
  valueRenderOption: Render,
  majorDimension: Dimension,
});
const BatchUpdateByDataFilter = z.object({
  valueInputOption: z.string().optional(),
  data: z.array(ValueRange.omit({ range: true }).extend({ dataFilter: DataFilter })).default([]),
});
const BatchClear = z.object({ ranges: z.array(z.string()).default([]) });

/** The `spreadsheets.values` calls on one spreadsheet. Each happens wholly or not at all. */
export function valuesApi(book: Book, query: URLSearchParams) {
  return {
    get: (range: string) => read(range),

    batchGet: () => ({ spreadsheetId: book.id, valueRanges: query.getAll('ranges').map(read) }),

    update: (range: string, body: unknown) => {
      const data = parseBody(ValueRange, body);
      const option = inputOption(query.get('valueInputOption'));
      return atomically(book, () => write(locate(book, range), range, data, option));
    },

    batchGetByDataFilter: (body: unknown) => {
      const { dataFilters, valueRenderOption, majorDimension } = parseBody(BatchGetByDataFilter, body);
      const valueRanges = dataFilters.map((dataFilter) => ({
        valueRange: shown(locateIn(book, dataFilter.gridRange), valueRenderOption, majorDimension),
        dataFilters: [dataFilter],
      }));
      return { spreadsheetId: book.id, valueRanges };
    },

    batchUpdate: (body: unknown) => {
      const { data, valueInputOption } = parseBody(BatchUpdate, body);
      const option = inputOption(valueInputOption);
      const places = data.map(({ range = '' }) => locate(book, range));
      const responses = atomically(book, () =>
        data.map((one) => write(locate(book, one.range ?? ''), one.range ?? '', one, option)),
      );
      return { ...totals(places, responses), responses };
    },

    batchUpdateByDataFilter: (body: unknown) => {
      const { data, valueInputOption } = parseBody(BatchUpdateByDataFilter, body);
      const option = inputOption(valueInputOption);
      const places = data.map(({ dataFilter }) => locateIn(book, dataFilter.gridRange));
      const responses = atomically(book, () =>
        data.map((one) => {
          const place = locateIn(book, one.dataFilter.gridRange);
          const { spreadsheetId: _, ...updated } = write(
            place,
            closed(place.sheet, place.area).name,
            one,
            option,
          );
          return { ...updated, dataFilter: one.dataFilter };
        }),
      );
      return { ...totals(places, responses), responses };
    },

    clear: (range: string) => ({
      spreadsheetId: book.id,
      clearedRange: atomically(book, () => clear(range)),
    }),

    batchClear: (body: unknown) => {
      const { ranges } = parseBody(BatchClear, body);
      return { spreadsheetId: book.id, clearedRanges: atomically(book, () => ranges.map(clear)) };
    },

    /** Below the last row of the table that the range begins in. The same call twice appends twice. */
    append: (range: string, body: unknown) => {
      const data = parseBody(ValueRange, body);
      const option = inputOption(query.get('valueInputOption'));
      return atomically(book, () => {
        const { sheet, area } = locate(book, range);
        const table = tableAt(sheet, area);
        const height = data.values.length;
        if (query.get('insertDataOption') === 'INSERT_ROWS') {
          sheet.cells.splice(table.bottom, 0, ...data.values.map(() => []));
          sheet.rowCount += height;
        }
        sheet.rowCount = Math.max(sheet.rowCount, table.bottom + height);
        const place = { ...area, top: table.bottom, bottom: table.bottom + 1, right: area.left + 1 };
        const updates = write({ sheet, area: place }, toA1(sheet.title, place), data, option);
        return {
          spreadsheetId: book.id,
          ...(table.bottom > table.top && { tableRange: closed(sheet, table).name }),
          updates,
        };
      });
    },
  };

  function read(range: string) {
    const option = parseBody(Render, query.get('valueRenderOption') ?? undefined);
    const dimension = parseBody(Dimension, query.get('majorDimension') ?? undefined);
    return shown(locate(book, range), option, dimension);
  }

  function shown(
    { sheet, area }: Place,
    option: z.output<typeof Render>,
    majorDimension: z.output<typeof Dimension>,
  ) {
    const rows = shownIn(sheet, area, option, book.locale);
    const values = majorDimension === 'COLUMNS' ? turned(rows) : rows;
    return { range: closed(sheet, area).name, majorDimension, ...(values.length > 0 && { values }) };
  }

  function totals(places: readonly Place[], responses: readonly Counted[]) {
    const sum = (of: (response: (typeof responses)[number]) => number) =>
      responses.reduce((total, response) => total + of(response), 0);
    return {
      spreadsheetId: book.id,
      totalUpdatedRows: sum(({ updatedRows }) => updatedRows),
      totalUpdatedColumns: sum(({ updatedColumns }) => updatedColumns),
      totalUpdatedCells: sum(({ updatedCells }) => updatedCells),
      totalUpdatedSheets: new Set(places.map(({ sheet }) => sheet.id)).size,
    };
  }

  /** `range` is how the request named the place. */
  function write(
    { sheet, area }: Place,
    range: string,
    { values, majorDimension }: Pick<ValueRange, 'values' | 'majorDimension'>,
    option: InputOption,
  ) {
    const rows = majorDimension === 'COLUMNS' ? turned(values) : values;
    const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
    const right = area.left + width;
    const written = {
      ...area,
      bottom: area.top + Math.max(1, rows.length),
      right: Math.max(right, area.left + 1),
    };
    refuseBeyond(sheet, written, range);
    refuseProtected(sheet, written);
    refuseOverflow(area, written, range);
    let cells = 0;
    rows.forEach((row, index) => {
      cells += row.filter((value) => value !== null).length;
      const entered = row.map((value) => (value === null ? null : enter(value, option, book.locale)));
      put(sheet, area.top + index, area.left, entered);
    });
    return {
      spreadsheetId: book.id,
      updatedRange: toA1(sheet.title, written),
      updatedRows: rows.length,
      updatedColumns: width,
      updatedCells: cells,
    };
  }

  function clear(range: string): string {
    const { sheet, area } = locate(book, range);
    const { top, bottom, left, right, name } = closed(sheet, area);
    for (let row = top; row < Math.min(bottom, sheet.cells.length); row++) {
      const width = Math.min(right, sheet.cells[row]?.length ?? 0) - left;
      if (width > 0) put(sheet, row, left, new Array<string>(width).fill(''));
    }
    return name;
  }
}

type Place = { readonly sheet: Sheet; readonly area: Area };
type Counted = {
  readonly updatedRows: number;
  readonly updatedColumns: number;
  readonly updatedCells: number;
};

/** More than one cell is named: what is written must not be larger. */
function refuseOverflow(area: Area, { bottom, right }: Area, range: string): void {
  const single = area.bottom === area.top + 1 && area.right === area.left + 1;
  if (single || (bottom <= area.bottom && right <= area.right)) return;
  throw invalid(
    `Requested writing within range [${range}], but tried writing to row or column outside of it`,
  );
}

function inputOption(text: string | null | undefined): InputOption {
  if (text === 'RAW' || text === 'USER_ENTERED') return text;
  throw invalid("'valueInputOption' is required but not specified");
}
