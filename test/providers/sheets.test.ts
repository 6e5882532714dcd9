import { describe, expect, test } from 'vitest';
import { createDemoSheets } from '../../src/emulators/sheets/demo.ts';
import { createGoogleSheets } from '../../src/providers/sheets/sheets.ts';
import { openWorkshop, readAll, signal } from './sheets-workshop.ts';

const STOCK = [
  ['SKU', 'Stock', 'Fragile'],
  ['00123', 5, true],
  ['B-2', '1,5', false],
];

describe('describe', () => {
  test('names the spreadsheet, how numbers are written there, and its tabs with their sizes', async () => {
    const { client } = await openWorkshop({
      tabs: [{ title: 'Stock', rows: STOCK }, { title: 'It’s' }],
      locale: 'es_ES',
    });
    expect(await client.describe(signal)).toEqual({
      title: 'book',
      locale: 'es_ES',
      tabs: [
        { id: 0, title: 'Stock', rows: 1000, columns: 26 },
        { id: 1, title: 'It’s', rows: 1000, columns: 26 },
      ],
    });
    expect(client.calls()).toEqual({ reads: 1, writes: 0 });
  });

  test('how numbers are written is asked for once', async () => {
    const { client } = await openWorkshop({ locale: 'es_ES' });
    expect([await client.locale(signal), await client.locale(signal)]).toEqual(['es_ES', 'es_ES']);
    expect(client.calls()).toEqual({ reads: 1, writes: 0 });
  });

  test('a spreadsheet that is not there is not found', async () => {
    const { open } = await openWorkshop();
    await expect((await open('elsewhere')).describe(signal)).rejects.toMatchObject({
      key: 'sheet_not_found.spreadsheet',
      params: { spreadsheet: 'elsewhere' },
    });
  });
});

describe('read', () => {
  test('takes one call, and keeps numbers and truth values as such, and text as it is', async () => {
    const { client, peer } = await openWorkshop({ tabs: [{ title: 'Stock', rows: STOCK }], locale: 'es_ES' });
    const tab = { title: 'Stock', id: 0 };
    expect(await readAll(client, tab, signal)).toEqual({ tab, rows: STOCK });
    expect(peer.emulator.calls).toMatchObject([
      { method: 'POST', path: '/v4/spreadsheets/book/values:batchGetByDataFilter', kind: 'read' },
    ]);
  });

  test('looks for a tab of which only the title is known', async () => {
    const tabs = [{ title: 'Other' }, { title: 'Stock', rows: STOCK }];
    const { client } = await openWorkshop({ tabs });
    expect(await readAll(client, { title: 'Stock', id: null }, signal)).toEqual({
      tab: { title: 'Stock', id: 1 },
      rows: STOCK,
    });
    expect(client.calls()).toEqual({ reads: 2, writes: 0 });
  });

  test('leaves out empty cells at the end of a row and empty rows at the end, and keeps those between', async () => {
    const rows = [['SKU', 'Stock', ''], ['', ''], ['A', 1], ['', '', ''], []];
    const { client } = await openWorkshop({ tabs: [{ title: 'Sheet1', rows }] });
    const { rows: read } = await readAll(client, { title: 'Sheet1', id: 0 }, signal);
    expect(read).toEqual([['SKU', 'Stock'], [], ['A', 1]]);
  });

  test('an empty tab has no rows', async () => {
    const { client } = await openWorkshop();
    expect((await readAll(client, { title: 'Sheet1', id: 0 }, signal)).rows).toEqual([]);
  });

  test('gives the result of a formula', async () => {
    const { client, book } = await openWorkshop({ tabs: [{ title: 'Sheet1', rows: [['SKU']] }] });
    book.type('Sheet1', 'A2', '=1+1', 2);
    expect((await readAll(client, { title: 'Sheet1', id: 0 }, signal)).rows).toEqual([['SKU'], [2]]);
  });

  test.each(["Don't", 'A1', 'a/b', 'Größe & Lager', '..', 'x!y'])('reads a tab called %s', async (title) => {
    const { client } = await openWorkshop({ tabs: [{ title: 'First' }, { title, rows: [['here']] }] });
    expect((await readAll(client, { title, id: 1 }, signal)).rows).toEqual([['here']]);
  });

  test('finds a tab that has been renamed, whatever has its name now, and says its new one', async () => {
    const { client, book } = await openWorkshop({ tabs: [{ title: 'Stock', rows: STOCK }] });
    book.renameTab('Stock', 'Lager');
    book.addTab('Stock', [['another']]);
    expect(await readAll(client, { title: 'Stock', id: 0 }, signal)).toEqual({
      tab: { title: 'Lager', id: 0 },
      rows: STOCK,
    });
    expect(client.calls()).toEqual({ reads: 1, writes: 0 });
  });

  test.each([0, null])('a tab that is gone (id %s) is not found, and the others are named', async (id) => {
    const { client, book } = await openWorkshop({
      tabs: [{ title: 'Stock' }, { title: 'Prices' }, { title: 'Old' }],
    });
    book.deleteTab('Stock');
    await expect(client.read({ title: 'Stock', id }, signal)).rejects.toMatchObject({
      key: 'sheet_not_found.tab',
      params: { tab: 'Stock', tabs: 'Prices, Old' },
    });
  });
});

describe('readEntered', () => {
  const numbered = (count: number) =>
    Array.from({ length: count }, (_, index) => [`row ${index + 1}`, index + 1]);

  test('gives the rows asked for as they were entered, formulas as text', async () => {
    const { client, book } = await openWorkshop({ tabs: [{ title: 'Sheet1', rows: numbered(20) }] });
    book.type('Sheet1', 'B2', '=1+1', 2);
    const entered = await client.readEntered({ title: 'Sheet1', id: 0 }, [2, 15, 3], signal);
    expect(Object.fromEntries(entered)).toEqual({
      2: ['row 2', '=1+1'],
      3: ['row 3', 3],
      15: ['row 15', 15],
    });
    expect(client.calls()).toEqual({ reads: 1, writes: 0 });
  });

  test('asks 100 places a call', async () => {
    const { client } = await openWorkshop({ tabs: [{ title: 'Sheet1', rows: numbered(2500) }] });
    const rows = Array.from({ length: 250 }, (_, index) => 1 + index * 10);
    const entered = await client.readEntered({ title: 'Sheet1', id: 0 }, rows, signal);
    expect([...entered]).toEqual(rows.map((row) => [row, [`row ${row}`, row]]));
    expect(client.calls()).toEqual({ reads: 3, writes: 0 });
  });

  test('reads the whole tab in one call when more than 300 places are asked for', async () => {
    const { client } = await openWorkshop({ tabs: [{ title: 'Sheet1', rows: numbered(20_100) }] });
    const rows = Array.from({ length: 2010 }, (_, index) => 1 + index * 10);
    const entered = await client.readEntered({ title: 'Sheet1', id: 0 }, rows, signal);
    expect(entered.get(20_091)).toEqual(['row 20091', 20_091]);
    expect(entered.size).toBe(2010);
    expect(client.calls()).toEqual({ reads: 1, writes: 0 });
  });

  test('rows below the end of the tab, and empty ones, have no cells', async () => {
    const { client } = await openWorkshop({ tabs: [{ title: 'Sheet1', rows: [['A']], rowCount: 10 }] });
    const entered = await client.readEntered({ title: 'Sheet1', id: 0 }, [1, 5, 11, 30], signal);
    expect(Object.fromEntries(entered)).toEqual({ 1: ['A'], 5: [], 11: [], 30: [] });
  });

  test('finds a tab that has been renamed, whatever has its name now', async () => {
    const { client, book } = await openWorkshop({ tabs: [{ title: 'Stock', rows: STOCK }] });
    book.renameTab('Stock', 'Lager');
    book.addTab('Stock', [['another']]);
    const entered = await client.readEntered({ title: 'Stock', id: 0 }, [2], signal);
    expect(Object.fromEntries(entered)).toEqual({ 2: ['00123', 5, true] });
  });

  test('asks nothing where no row is asked for', async () => {
    const { client } = await openWorkshop();
    expect(await client.readEntered({ title: 'Sheet1', id: 0 }, [], signal)).toEqual(new Map());
    expect(client.calls()).toEqual({ reads: 0, writes: 0 });
  });
});

test('the demo needs no network', async () => {
  const demo = createDemoSheets();
  const { open } = createGoogleSheets({ fetch: demo.fetch });
  const credentials = { accessToken: 'demo' };
  const client = await open({ spreadsheetId: 'demo', credentials, accountId: 'account' });
  const tab = { title: 'Sheet1', id: 0 };
  await client.write(tab, [{ row: 2, column: 0, values: ['MUG-RED', 12] }], { key: 'k', signal });
  expect((await readAll(client, tab, signal)).rows).toEqual([
    ['SKU', 'Stock'],
    ['MUG-RED', 12],
  ]);
});
