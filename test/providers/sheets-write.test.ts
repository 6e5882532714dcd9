import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extentOf, toBlocks } from '../../src/providers/sheets/write-plan.ts';
import type { Cell, CellWrite } from '../../src/sync/ports/sheet-client.ts';
import { openWorkshop, signal } from './sheets-workshop.ts';

const SHEET1 = { title: 'Sheet1', id: 0 };
const write = { key: 'run 1 batch 1', signal };

describe('a write that fits into one request', () => {
  test('is one call, however many places it is for', async () => {
    const { client, book } = await openWorkshop({
      tabs: [
        {
          title: 'Sheet1',
          rows: [
            ['SKU', 'Stock'],
            ['A', 1],
            ['B', 2],
            ['C', 3],
          ],
        },
      ],
    });
    await client.write(
      SHEET1,
      [
        { row: 4, column: 1, values: [30] },
        { row: 2, column: 1, values: [10] },
        { row: 5, column: 0, values: ['D', 40, true] },
      ],
      write,
    );
    expect(book.rows('Sheet1')).toEqual([
      ['SKU', 'Stock'],
      ['A', 10],
      ['B', 2],
      ['C', 30],
      ['D', 40, true],
    ]);
    expect(client.calls()).toEqual({ reads: 0, writes: 1 });
  });

  test('keeps text as text whatever it looks like', async () => {
    const { client, book } = await openWorkshop();
    const values = ['=HYPERLINK("x")', '00123', '1-2', "'quoted", 'TRUE', '+1', '@x', '1,5'];
    await client.write(SHEET1, [{ row: 1, column: 0, values }], write);
    expect(book.rows('Sheet1')).toEqual([values]);
    expect(book.cell('Sheet1', 'A1')).toBe('=HYPERLINK("x")');
  });

  test('empties a cell with an empty text, and leaves those beside it alone', async () => {
    const { client, book } = await openWorkshop({ tabs: [{ title: 'Sheet1', rows: [['A', 1, 'mine']] }] });
    book.type('Sheet1', 'D1', '=B1', 1);
    await client.write(SHEET1, [{ row: 1, column: 1, values: [''] }], write);
    expect(book.rows('Sheet1')).toEqual([['A', '', 'mine', 1]]);
    expect(book.cell('Sheet1', 'D1')).toEqual({ formula: '=B1', shown: 1 });
  });

  test('of nothing asks nothing', async () => {
    const { client } = await openWorkshop();
    await client.write(SHEET1, [], write);
    await client.write(SHEET1, [{ row: 1, column: 0, values: [] }], write);
    expect(client.calls()).toEqual({ reads: 0, writes: 0 });
  });

  test('makes the tab larger where it must, and only by what is lacking', async () => {
    const { client, book } = await openWorkshop({
      tabs: [{ title: 'Sheet1', rows: [['SKU']], rowCount: 2, columnCount: 2 }],
    });
    await client.write(SHEET1, [{ row: 4, column: 1, values: ['x', 'y'] }], write);
    expect(book.grid('Sheet1')).toEqual({ rows: 4, columns: 3 });
    expect(book.rows('Sheet1')).toEqual([['SKU'], [], [], ['', 'x', 'y']]);
  });

  test('does not make it larger twice when the answer to that is lost', async () => {
    const { client, book, emulator } = await openWorkshop({ tabs: [{ title: 'Sheet1', rowCount: 2 }] });
    emulator.troubles.plan({ trouble: 'drop_after', on: 'appendDimension' });
    await client.write(SHEET1, [{ row: 10, column: 0, values: ['x'] }], write);
    expect(book.grid('Sheet1')).toEqual({ rows: 10, columns: 26 });
  });

  test('goes to a tab that has been renamed, and not to what has its name now', async () => {
    const { client, book } = await openWorkshop();
    book.renameTab('Sheet1', 'Stock');
    book.addTab('Sheet1', [['another']]);
    await client.write(SHEET1, [{ row: 1, column: 0, values: ['x'] }], write);
    expect([book.rows('Stock'), book.rows('Sheet1')]).toEqual([[['x']], [['another']]]);
  });

  test('to a tab that is gone is refused, and nothing is written', async () => {
    const { client, book } = await openWorkshop({ tabs: [{ title: 'Sheet1' }, { title: 'Other' }] });
    book.deleteTab('Sheet1');
    await expect(client.write(SHEET1, [{ row: 1, column: 0, values: ['x'] }], write)).rejects.toMatchObject({
      key: 'sheet_not_found.tab',
    });
    expect(book.rows('Other')).toEqual([]);
  });

  test('changes nothing more when it is written again', async () => {
    const { client, book, emulator } = await openWorkshop();
    emulator.troubles.plan('drop_after');
    const cells = [{ row: 2, column: 0, values: ['A', 1] }];
    await client.write(SHEET1, cells, write);
    await client.write(SHEET1, cells, write);
    expect(book.rows('Sheet1')).toEqual([[], ['A', 1]]);
    expect(client.calls()).toEqual({ reads: 0, writes: 3 });
  });

  test('says what the service says when it refuses', async () => {
    const { client } = await openWorkshop();
    await expect(
      client.write(SHEET1, [{ row: 1, column: 400_000, values: ['x'] }], write),
    ).rejects.toMatchObject({
      key: 'sheet_refused.request',
      params: { reason: expect.stringContaining('above the limit of 10000000 cells') },
    });
  });
});

describe('blocks', () => {
  test('are the rows of equal columns below each other, whatever order they come in', () => {
    const cells = [
      { row: 3, column: 1, values: [3] },
      { row: 2, column: 1, values: [2] },
      { row: 2, column: 4, values: ['x'] },
      { row: 2, column: 5, values: ['y'] },
      { row: 5, column: 1, values: [5] },
    ];
    expect(toBlocks(cells)).toEqual([
      { row: 2, column: 1, values: [[2], [3]] },
      { row: 2, column: 4, values: [['x', 'y']] },
      { row: 5, column: 1, values: [[5]] },
    ]);
    expect(extentOf(toBlocks(cells))).toEqual({ rows: 5, columns: 6 });
  });

  test('write what the cells one after another would', () => {
    const cell = fc.record({
      row: fc.integer({ min: 1, max: 6 }),
      column: fc.integer({ min: 0, max: 5 }),
      values: fc.array(fc.integer({ min: 0, max: 99 }), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 12 }), (cells) => {
        const distinct = withoutOverlap(cells);
        expect(gridOf(toBlocks(distinct))).toEqual(
          gridOf(distinct.map((one) => ({ ...one, values: [one.values] }))),
        );
      }),
    );
  });
});

function withoutOverlap(cells: readonly CellWrite[]): CellWrite[] {
  const taken = new Set<string>();
  return cells.filter(({ row, column, values }) => {
    const places = values.map((_, index) => `${row} ${column + index}`);
    if (places.some((place) => taken.has(place))) return false;
    for (const place of places) taken.add(place);
    return true;
  });
}

function gridOf(blocks: readonly { row: number; column: number; values: readonly (readonly Cell[])[] }[]) {
  const grid: Record<string, Cell> = {};
  for (const { row, column, values } of blocks) {
    values.forEach((cells, down) => {
      cells.forEach((cell, right) => {
        grid[`${row + down} ${column + right}`] = cell;
      });
    });
  }
  return grid;
}
