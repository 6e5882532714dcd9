import { describe, expect, test } from 'vitest';
import { openGoogleSheets, refused } from './google-sheets.ts';

const tabs = [
  {
    title: 'Sheet1',
    rows: [
      ['SKU', 'Stock'],
      ['A', 1],
    ],
  },
  { title: 'Other' },
];

describe('the structure of a spreadsheet', () => {
  test('is described as far as is asked for', async () => {
    const { ask } = openGoogleSheets({ tabs, locale: 'es_ES' });
    expect(
      (
        await ask(
          'GET',
          '?fields=properties(title,locale),sheets.properties(sheetId,gridProperties.rowCount)',
        )
      ).body,
    ).toEqual({
      properties: { title: 'book', locale: 'es_ES' },
      sheets: [
        { properties: { sheetId: 0, gridProperties: { rowCount: 1000 } } },
        { properties: { sheetId: 1, gridProperties: { rowCount: 1000 } } },
      ],
    });
  });

  test('changes all at once or not at all', async () => {
    const { ask, book, emulator } = openGoogleSheets({ tabs });
    const before = emulator.snapshot();
    const requests = [
      { addSheet: { properties: { title: 'New' } } },
      { appendDimension: { sheetId: 0, dimension: 'ROWS', length: 10 } },
      {
        updateCells: {
          start: { sheetId: 0 },
          rows: [{ values: [{ userEnteredValue: { numberValue: 5 } }] }],
          fields: 'userEnteredValue',
        },
      },
      { deleteSheet: { sheetId: 77 } },
    ];
    expect(await ask('POST', ':batchUpdate', { requests })).toEqual(
      refused(400, 'INVALID_ARGUMENT', 'Invalid requests[0]: No grid with id: 77'),
    );
    expect(emulator.snapshot()).toEqual(before);
    await ask('POST', ':batchUpdate', { requests: requests.slice(0, 3) });
    expect(book.tabs()).toEqual(['Sheet1', 'Other', 'New']);
    expect(book.grid('Sheet1')).toEqual({ rows: 1010, columns: 26 });
    expect(book.cell('Sheet1', 'A1')).toBe(5);
  });

  test('a tab cannot have the name of another, and the last one to be seen stays', async () => {
    const { ask } = openGoogleSheets({ tabs: [{ title: 'Sheet1' }] });
    const change = (request: unknown) => ask('POST', ':batchUpdate', { requests: [request] });
    expect((await change({ addSheet: { properties: { title: 'sheet1' } } })).status).toBe(400);
    await change({ addSheet: { properties: { title: 'Hidden', hidden: true } } });
    expect((await change({ deleteSheet: { sheetId: 0 } })).body.error?.message).toContain(
      'remove all the visible sheets',
    );
  });

  test('copies values only, where only values are asked for', async () => {
    const { ask, book } = openGoogleSheets({
      tabs: [{ title: 'Sheet1' }, { title: 'To', rows: [['old', 'old', 'old', 'kept']] }],
    });
    const text = [['=1+1', '', '00123']];
    await ask('PUT', '/values/Sheet1!A1?valueInputOption=RAW', { values: text });
    book.type('Sheet1', 'A2', '=1+1', 2);
    const copy = (pasteType: string) => ({
      copyPaste: {
        source: { sheetId: 0, startRowIndex: 0, endRowIndex: 2, startColumnIndex: 0, endColumnIndex: 3 },
        destination: { sheetId: 1, startRowIndex: 0, endRowIndex: 2, startColumnIndex: 0, endColumnIndex: 3 },
        pasteType,
      },
    });
    await ask('POST', ':batchUpdate', { requests: [copy('PASTE_VALUES')] });
    expect(book.rows('To')).toEqual([['=1+1', '', '00123', 'kept'], [2]]);
    expect(book.cell('To', 'A1')).toBe('=1+1');
    expect(book.cell('To', 'A2')).toBe(2);
    await ask('POST', ':batchUpdate', { requests: [copy('PASTE_NORMAL')] });
    expect(book.cell('To', 'A2')).toEqual({ formula: '=1+1', shown: 2 });
  });

  test('a tab is renamed and resized', async () => {
    const { ask, book } = openGoogleSheets({ tabs });
    const properties = { sheetId: 0, title: 'Stock', gridProperties: { rowCount: 1 } };
    await ask('POST', ':batchUpdate', {
      requests: [{ updateSheetProperties: { properties, fields: 'title,gridProperties.rowCount' } }],
    });
    expect(book.rows('Stock')).toEqual([['SKU', 'Stock']]);
  });

  test('a spreadsheet has ten million cells at most', async () => {
    const { ask, book } = openGoogleSheets();
    const requests = [{ appendDimension: { sheetId: 0, dimension: 'ROWS', length: 400_000 } }];
    expect((await ask('POST', ':batchUpdate', { requests })).body.error?.message).toContain(
      'above the limit of 10000000 cells',
    );
    expect(book.grid('Sheet1')).toEqual({ rows: 1000, columns: 26 });
  });

  test('marks are found and deleted by what they say', async () => {
    const { ask } = openGoogleSheets({ tabs });
    const mark = (metadataValue: string, location: unknown) => ({
      createDeveloperMetadata: {
        developerMetadata: {
          metadataId: Number(metadataValue),
          metadataKey: 'run',
          metadataValue,
          visibility: 'PROJECT',
          location,
        },
      },
    });
    await ask('POST', ':batchUpdate', {
      requests: [mark('1', { sheetId: 0 }), mark('2', { spreadsheet: true })],
    });
    const find = async (developerMetadataLookup: unknown) =>
      (await ask('POST', '/developerMetadata:search', { dataFilters: [{ developerMetadataLookup }] })).body;
    const first = {
      metadataId: 1,
      metadataKey: 'run',
      metadataValue: '1',
      visibility: 'PROJECT',
      location: { locationType: 'SHEET', sheetId: 0 },
    };
    const lookup = { metadataKey: 'run', metadataValue: '1' };
    expect(await find(lookup)).toEqual({
      matchedDeveloperMetadata: [
        { developerMetadata: first, dataFilters: [{ developerMetadataLookup: lookup }] },
      ],
    });
    expect((await find({ metadataKey: 'run' })).matchedDeveloperMetadata).toHaveLength(2);
    const requests = [{ deleteDeveloperMetadata: { dataFilter: { developerMetadataLookup: lookup } } }];
    expect((await ask('POST', ':batchUpdate', { requests })).body.replies).toEqual([
      { deleteDeveloperMetadata: { deletedDeveloperMetadata: [first] } },
    ]);
    expect(await find(lookup)).toEqual({});
  });
});
