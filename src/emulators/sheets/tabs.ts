import { z } from 'zod';
import { type Book, freshId, type Sheet, sheetById } from './book.ts';
import { invalid } from './faults.ts';

const Whole = z.int().min(0);
const GridProperties = z.object({ rowCount: Whole.optional(), columnCount: Whole.optional() });
export const SheetProperties = z.object({
  sheetId: Whole.optional(),
  title: z.string().min(1).max(100).optional(),
  index: Whole.optional(),
  hidden: z.boolean().optional(),
  gridProperties: GridProperties.optional(),
});
type SheetProperties = z.output<typeof SheetProperties>;

export const AppendDimension = z.object({
  sheetId: Whole,
  dimension: z.enum(['ROWS', 'COLUMNS']),
  length: z.int().min(1),
});

export function appendDimension(
  book: Book,
  { sheetId, dimension, length }: z.output<typeof AppendDimension>,
): void {
  sheetById(book, sheetId)[dimension === 'ROWS' ? 'rowCount' : 'columnCount'] += length;
}

export function addSheet(
  book: Book,
  { sheetId, title, index, hidden = false, gridProperties }: SheetProperties,
) {
  const id = sheetId ?? freshId(book);
  if (book.sheets.some((sheet) => sheet.id === id)) {
    throw invalid(`Invalid requests[0].addSheet: Sheet with ID: ${id} already exists.`);
  }
  const sheet: Sheet = {
    id,
    title: title ?? `Sheet${book.sheets.length + 1}`,
    hidden,
    rowCount: gridProperties?.rowCount ?? 1000,
    columnCount: gridProperties?.columnCount ?? 26,
    cells: [],
  };
  refuseTakenTitle(book, sheet.title);
  book.sheets.splice(index ?? book.sheets.length, 0, sheet);
  return propertiesOf(book, sheet);
}

export function deleteSheet(book: Book, id: number): void {
  const sheet = sheetById(book, id);
  const left = book.sheets.filter((one) => one !== sheet);
  if (!left.some(({ hidden }) => !hidden)) {
    throw invalid("Invalid requests[0].deleteSheet: You can't remove all the visible sheets in a document.");
  }
  book.sheets = left;
}

export function updateSheet(
  book: Book,
  { properties, fields }: { readonly properties: SheetProperties; readonly fields: string },
): void {
  const sheet = sheetById(book, properties.sheetId ?? 0);
  const names = new Set(fields.split(','));
  const has = (name: string) => names.has('*') || names.has(name);
  if (has('title') && properties.title !== undefined && properties.title !== sheet.title) {
    refuseTakenTitle(book, properties.title);
    sheet.title = properties.title;
  }
  if (has('hidden')) sheet.hidden = properties.hidden ?? false;
  const { rowCount, columnCount } = properties.gridProperties ?? {};
  if ((has('gridProperties') || has('gridProperties.rowCount')) && rowCount) {
    sheet.rowCount = rowCount;
    sheet.cells = sheet.cells.slice(0, rowCount);
  }
  if ((has('gridProperties') || has('gridProperties.columnCount')) && columnCount) {
    sheet.columnCount = columnCount;
    sheet.cells = sheet.cells.map((row) => row.slice(0, columnCount));
  }
}

export function propertiesOf(book: Book, { id, title, hidden, rowCount, columnCount }: Sheet) {
  return {
    sheetId: id,
    title,
    index: book.sheets.findIndex((sheet) => sheet.id === id),
    sheetType: 'GRID',
    gridProperties: { rowCount, columnCount },
    ...(hidden && { hidden }),
  };
}

function refuseTakenTitle(book: Book, title: string): void {
  if (!book.sheets.some((sheet) => sheet.title.toLowerCase() === title.toLowerCase())) return;
  throw invalid(
    `Invalid requests[0].addSheet: A sheet with the name "${title}" already exists. Please enter another name.`,
  );
}
