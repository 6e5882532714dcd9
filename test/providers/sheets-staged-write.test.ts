import { describe, expect, test } from 'vitest';
import type { SheetsEmulator } from '../../src/emulators/sheets/sheets.ts';
import type { CellWrite, SheetClient } from '../../src/sync/ports/sheet-client.ts';
import { openWorkshop, readAll, signal } from './sheets-workshop.ts';

const SHEET1 = { title: 'Sheet1', id: 0 };
const write = { key: 'run 1 batch 1', signal };
/** 3,500 of these are too many for one request. */
const wide = (index: number) => [`SKU-${index}`, index, 'x'.repeat(600)];
const manyRows = (count: number): CellWrite[] =>
  Array.from({ length: count }, (_, index) => ({ row: index + 2, column: 0, values: wide(index) }));

/** The process is gone when all is in the hidden tab and nothing has been copied yet. */
async function dieBeforeTheCopy(emulator: SheetsEmulator, client: SheetClient): Promise<void> {
  emulator.troubles.plan({ trouble: 'hang', on: 'copyPaste' });
  const dying = new AbortController();
  const writing = client.write(SHEET1, manyRows(3_500), { ...write, signal: dying.signal });
  await expect.poll(() => emulator.troubles.waiting()).toBe(0);
  dying.abort();
  await expect(writing).rejects.toThrow();
}

describe('a write too large for one request', () => {
  test('goes through a hidden tab, which is gone afterwards', async () => {
    const { client, book, emulator } = await openWorkshop();
    await client.write(SHEET1, manyRows(3_500), write);
    expect(book.tabs()).toEqual(['Sheet1']);
    expect(book.rows('Sheet1')).toEqual([[], ...Array.from({ length: 3_500 }, (_, index) => wide(index))]);
    expect(client.calls()).toEqual({ reads: 1, writes: 4 });
    expect(Math.max(...emulator.calls.map(({ bytes }) => bytes))).toBeLessThanOrEqual(1_800_000);
  });

  test('keeps text that begins with = as text', async () => {
    const { client, book } = await openWorkshop();
    const cells = manyRows(3_500);
    await client.write(SHEET1, [{ row: 1, column: 0, values: ['=1+1', "'=2", '007'] }, ...cells], write);
    expect(client.calls().writes).toBeGreaterThan(2);
    expect(book.cell('Sheet1', 'A1')).toBe('=1+1');
    expect(book.cell('Sheet1', 'B1')).toBe("'=2");
    expect(book.cell('Sheet1', 'C1')).toBe('007');
  });

  test('leaves what lies between its places alone, and empties what it is to empty', async () => {
    const { client, book } = await openWorkshop({
      tabs: [{ title: 'Sheet1', rows: [['a', 'b', 'c', 'd']] }],
    });
    book.type('Sheet1', 'B9000', '=1', 1);
    const cells = [
      { row: 1, column: 1, values: ['', 'C'] },
      ...manyRows(3_500),
      { row: 9_000, column: 2, values: ['last'] },
    ];
    await client.write(SHEET1, cells, write);
    const rows = book.rows('Sheet1');
    expect(rows[0]).toEqual(['a', '', 'C', 'd']);
    expect(rows[3_500]).toEqual(wide(3_499));
    expect(rows[8_999]).toEqual(['', 1, 'last']);
    expect(book.cell('Sheet1', 'B9000')).toEqual({ formula: '=1', shown: 1 });
  });

  test('shows nothing of itself before all of it is there', async () => {
    const { client, book, emulator } = await openWorkshop({
      tabs: [{ title: 'Sheet1', rows: [['before']] }],
    });
    const aborted = new AbortController();
    emulator.troubles.plan({ trouble: 'hang', on: 'copyPaste' });
    const writing = client.write(SHEET1, manyRows(3_500), { ...write, signal: aborted.signal });
    await expect.poll(() => emulator.calls.length).toBe(5);
    aborted.abort(new Error('stopped'));
    await expect(writing).rejects.toThrow('stopped');
    expect(book.rows('Sheet1')).toEqual([['before']]);
    expect(book.tabs()).toEqual(['Sheet1', expect.stringContaining('Stallhand staging 0 ')]);
  });

  test('that died before its end is written whole by the next try, which removes what was left', async () => {
    const { emulator, book, open } = await openWorkshop();
    await dieBeforeTheCopy(emulator, await open());
    expect(book.tabs()).toHaveLength(2);

    await (await open()).write(SHEET1, manyRows(3_500), write);
    expect(book.tabs()).toEqual(['Sheet1']);
    expect(book.rows('Sheet1')).toHaveLength(3_501);
  });

  test('that died leaves a tab which a small write removes too, once the spreadsheet was looked at', async () => {
    const { emulator, book, open } = await openWorkshop();
    await dieBeforeTheCopy(emulator, await open());

    const client = await open();
    expect((await client.describe(signal)).tabs.map(({ title }) => title)).toEqual(['Sheet1']);
    await client.write(SHEET1, [{ row: 1, column: 0, values: ['x'] }], write);
    expect(book.tabs()).toEqual(['Sheet1']);
    expect(book.rows('Sheet1')).toEqual([['x']]);
  });

  test('leaves alone a tab that a person has given such a name', async () => {
    const mine = { title: 'Stallhand staging notes', rows: [['mine']] };
    const { client, book } = await openWorkshop({ tabs: [{ title: 'Sheet1' }, mine] });
    const { tabs } = await client.describe(signal);
    expect(tabs.map(({ title }) => title)).toEqual(['Sheet1', mine.title]);
    await client.write(SHEET1, manyRows(3_500), write);
    expect(book.rows(mine.title)).toEqual([['mine']]);
  });

  test('leaves alone the hidden tab of a write that goes on in another tab, until an hour has passed', async () => {
    const { emulator, book, open, clock } = await openWorkshop({
      tabs: [{ title: 'Sheet1' }, { title: 'Other' }],
    });
    await dieBeforeTheCopy(emulator, await open());

    const client = await open();
    await client.write({ title: 'Other', id: 1 }, manyRows(3_500), write);
    expect(book.tabs()).toHaveLength(3);
    clock.pass(3_600_001);
    await client.write({ title: 'Other', id: 1 }, manyRows(3_500), write);
    expect(book.tabs()).toEqual(['Sheet1', 'Other']);
  });

  test.each(['addSheet', 'Stallhand staging', 'copyPaste'])(
    'arrives once when the answer to its request with %s is lost after it happened',
    async (on) => {
      const { client, book, emulator } = await openWorkshop();
      emulator.troubles.plan({ trouble: 'drop_after', on });
      await client.write(SHEET1, manyRows(3_500), write);
      expect(book.tabs()).toEqual(['Sheet1']);
      expect(book.grid('Sheet1')).toEqual({ rows: 3_501, columns: 26 });
      expect(book.rows('Sheet1').slice(1)).toEqual(Array.from({ length: 3_500 }, (_, index) => wide(index)));
    },
  );

  test('that is refused is not tried again, and leaves nothing behind', async () => {
    const { client, book, emulator, clock } = await openWorkshop({
      tabs: [{ title: 'Sheet1', rows: [['mine']] }],
    });
    emulator.troubles.plan({ trouble: 400, on: 'copyPaste' });
    await expect(client.write(SHEET1, manyRows(3_500), write)).rejects.toMatchObject({
      key: 'sheet_refused.protected',
    });
    expect([book.tabs(), book.rows('Sheet1'), clock.slept]).toEqual([['Sheet1'], [['mine']], []]);
  });

  test('goes in one request when its places are so scattered that copying them would be larger', async () => {
    const { client, book, emulator } = await openWorkshop({ tabs: [{ title: 'Sheet1', rowCount: 20_000 }] });
    const values = ['x'.repeat(100)];
    const cells = Array.from({ length: 8_000 }, (_, index) => ({ row: 1 + index * 2, column: 1, values }));
    await client.write(SHEET1, cells, write);
    expect(emulator.calls).toMatchObject([
      { method: 'POST', bytes: expect.toSatisfy((bytes) => bytes > 1_800_000) },
    ]);
    expect(book.rows('Sheet1')[15_998]).toEqual(['', ...values]);
  });

  test('of 100,000 rows takes five requests', async () => {
    const { client, book } = await openWorkshop();
    const rows = Array.from({ length: 100_000 }, (_, index) => [
      `SKU-${String(index).padStart(6, '0')}`,
      index % 500,
    ]);
    await client.write(
      SHEET1,
      rows.map((values, index) => ({ row: index + 2, column: 0, values })),
      write,
    );
    expect(client.calls()).toEqual({ reads: 1, writes: 4 });
    expect(book.rows('Sheet1')).toEqual([[], ...rows]);
    expect((await readAll(client, SHEET1, signal)).rows).toEqual([[], ...rows]);
  });
});
