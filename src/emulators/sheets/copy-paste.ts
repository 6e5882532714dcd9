import { z } from 'zod';
import { type Book, closed, type Entered, put, refuseBeyond, type Sheet, sheetById } from './book.ts';
import { invalid } from './refusal.ts';

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
export const CopyPaste = z.object({
  source: GridRange,
  destination: GridRange,
  pasteType: z.enum(['PASTE_NORMAL', 'PASTE_VALUES']).default('PASTE_NORMAL'),
  pasteOrientation: z.literal('NORMAL').default('NORMAL'),
});

/**
 * Copies cells. PASTE_VALUES is documented as values only, without formulas: a formula arrives as what it shows, and a text
 * stays the text it is, also one that begins with `=`. Empty cells empty those they are pasted over.
 */
export function copyPaste(book: Book, { source, destination, pasteType }: z.output<typeof CopyPaste>): void {
  const from = sheetById(book, source.sheetId);
  const to = sheetById(book, destination.sheetId);
  const cut = closedIn(from, source.area);
  const { top, left } = closedIn(to, destination.area);
  const height = cut.bottom - cut.top;
  const width = cut.right - cut.left;
  const pasted = { top, left, bottom: top + height, right: left + width };
  refuseBeyond(to, pasted, closed(to, pasted).name);
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
