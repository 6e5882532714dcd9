import { z } from 'zod';
import {
  atomically,
  type Book,
  closed,
  type Entered,
  put,
  refuseBeyond,
  refuseProtected,
  type Sheet,
  sheetById,
} from './book.ts';
import { invalid, parseBody } from './faults.ts';
import {
  CreateMetadata,
  createMetadata,
  DeleteMetadata,
  deleteMetadata,
  describeMetadata,
} from './metadata.ts';
import {
  AppendDimension,
  addSheet,
  appendDimension,
  deleteSheet,
  propertiesOf,
  SheetProperties,
  updateSheet,
} from './tabs.ts';

const Whole = z.int().min(0);
const GridRange = z
  .object({
    sheetId: Whole,
    startRowIndex: Whole.default(0),
    endRowIndex: Whole.default(Infinity),
    startColumnIndex: Whole.default(0),
    endColumnIndex: Whole.default(Infinity),
  })
  .transform(({ sheetId, startRowIndex, endRowIndex, startColumnIndex, endColumnIndex }) => ({
    sheetId,
    area: { top: startRowIndex, left: startColumnIndex, bottom: endRowIndex, right: endColumnIndex },
  }));
const CopyPaste = z.object({
  source: GridRange,
  destination: GridRange,
  pasteType: z.enum(['PASTE_NORMAL', 'PASTE_VALUES']).default('PASTE_NORMAL'),
  pasteOrientation: z.literal('NORMAL').default('NORMAL'),
});

/**
 * Copies cells. PASTE_VALUES is documented as values only, without formulas: a formula arrives as what it shows, and a text
 * stays the text it is, also one that begins with `=`. Empty cells empty those they are pasted over.
 */
function copyPaste(book: Book, { source, destination, pasteType }: z.output<typeof CopyPaste>): void {
  const from = sheetById(book, source.sheetId);
  const to = sheetById(book, destination.sheetId);
  const cut = closedIn(from, source.area);
  const { top, left } = closedIn(to, destination.area);
  const height = cut.bottom - cut.top;
  const width = cut.right - cut.left;
  const pasted = { top, left, bottom: top + height, right: left + width };
  refuseBeyond(to, pasted, closed(to, pasted).name);
  refuseProtected(to, pasted);
  for (let row = 0; row < height; row++) {
    const cells = from.cells[cut.top + row]?.slice(cut.left, cut.right) ?? [];
    const values = Array.from({ length: width }, (_, column) => pastedAs(cells[column] ?? '', pasteType));
    put(to, top + row, left, values);
  }
}

function pastedAs(cell: Entered, pasteType: 'PASTE_NORMAL' | 'PASTE_VALUES'): Entered {
  return pasteType === 'PASTE_VALUES' && typeof cell === 'object' ? cell.shown : cell;
}

function closedIn(sheet: Sheet, area: z.output<typeof GridRange>['area']) {
  const range = closed(sheet, area);
  refuseBeyond(sheet, area, range.name);
  if (range.bottom <= range.top || range.right <= range.left)
    throw invalid('Invalid requests[0].copyPaste: empty range');
  return range;
}

const Extended = z.union([
  z.object({ numberValue: z.number() }).transform(({ numberValue }) => numberValue),
  z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.object({ boolValue: z.boolean() }).transform(({ boolValue }) => boolValue),
  z
    .object({ formulaValue: z.string() })
    .transform(({ formulaValue }) => ({ formula: formulaValue, shown: '#N/A' })),
]);
const UpdateCells = z.object({
  fields: z.string(),
  start: z.object({ sheetId: Whole, rowIndex: Whole.default(0), columnIndex: Whole.default(0) }),
  rows: z.array(
    z.object({ values: z.array(z.object({ userEnteredValue: Extended.optional() })).default([]) }),
  ),
});

/** One entry has one of these. */
const Request = z.strictObject({
  addSheet: z.object({ properties: SheetProperties.default({}) }).optional(),
  deleteSheet: z.object({ sheetId: Whole }).optional(),
  appendDimension: AppendDimension.optional(),
  updateSheetProperties: z.object({ properties: SheetProperties, fields: z.string() }).optional(),
  updateCells: UpdateCells.optional(),
  copyPaste: CopyPaste.optional(),
  createDeveloperMetadata: CreateMetadata.optional(),
  deleteDeveloperMetadata: DeleteMetadata.optional(),
});
type Request = z.output<typeof Request>;
const BatchUpdate = z.object({ requests: z.array(Request).min(1) });

/** `spreadsheets.batchUpdate`: the requests happen in their order, all or none. */
export function batchUpdate(book: Book, body: unknown) {
  const { requests } = parseBody(BatchUpdate, body);
  const replies = atomically(book, () => requests.map((request) => change(book, request)));
  return { spreadsheetId: book.id, replies };
}

/** `spreadsheets.get` without grid data. */
export function describeBook(book: Book) {
  return {
    spreadsheetId: book.id,
    properties: { title: book.title, locale: book.locale, timeZone: 'Etc/GMT' },
    sheets: book.sheets.map((sheet) => ({ properties: propertiesOf(book, sheet) })),
    spreadsheetUrl: `https://docs.google.com/spreadsheets/d/${book.id}/edit`,
    ...(book.metadata.length > 0 && { developerMetadata: book.metadata.map(describeMetadata) }),
  };
}

function change(book: Book, request: Request): Record<string, unknown> {
  if (request.addSheet) return { addSheet: { properties: addSheet(book, request.addSheet.properties) } };
  if (request.createDeveloperMetadata) {
    return {
      createDeveloperMetadata: { developerMetadata: createMetadata(book, request.createDeveloperMetadata) },
    };
  }
  if (request.deleteDeveloperMetadata) {
    return {
      deleteDeveloperMetadata: {
        deletedDeveloperMetadata: deleteMetadata(book, request.deleteDeveloperMetadata),
      },
    };
  }
  changeQuietly(book, request);
  return {};
}

/** Those that answer nothing. */
function changeQuietly(book: Book, request: Request): void {
  if (request.deleteSheet) deleteSheet(book, request.deleteSheet.sheetId);
  else if (request.appendDimension) appendDimension(book, request.appendDimension);
  else if (request.updateSheetProperties) updateSheet(book, request.updateSheetProperties);
  else if (request.updateCells) updateCells(book, request.updateCells);
  else if (request.copyPaste) copyPaste(book, request.copyPaste);
  else throw invalid('Invalid requests[0]: must specify one kind of request');
}

function updateCells(book: Book, { start, rows }: z.output<typeof UpdateCells>): void {
  const sheet = sheetById(book, start.sheetId);
  const width = rows.reduce((most, { values }) => Math.max(most, values.length), 1);
  const area = {
    top: start.rowIndex,
    left: start.columnIndex,
    bottom: start.rowIndex + rows.length,
    right: start.columnIndex + width,
  };
  refuseBeyond(sheet, area, closed(sheet, area).name);
  rows.forEach(({ values }, index) => {
    const entered = values.map(({ userEnteredValue }) => userEnteredValue ?? '');
    put(sheet, start.rowIndex + index, start.columnIndex, entered);
  });
}
