import { describe, expect, test } from 'vitest';
import { openGoogleSheets, refused } from './google-sheets.ts';

const STOCK = [
  ['SKU', 'Stock'],
  ['A', 1.5],
  ['B', true],
];
const tabs = [
  { title: 'Sheet1', rows: STOCK },
  { title: "It's", rows: [['x']] },
];

describe('values', () => {
  test('are read in the way that is asked for', async () => {
    const { ask, book } = openGoogleSheets({ tabs, locale: 'es_ES' });
    book.type('Sheet1', 'C2', '=B2*2', 3);
    const read = async (query: string) => (await ask('GET', `/values/Sheet1!A2:C3${query}`)).body;
    expect(await read('')).toEqual({
      range: 'Sheet1!A2:C3',
      majorDimension: 'ROWS',
      values: [
        ['A', '1,5', '3'],
        ['B', 'TRUE'],
      ],
    });
    expect((await read('?valueRenderOption=UNFORMATTED_VALUE')).values).toEqual([
      ['A', 1.5, 3],
      ['B', true],
    ]);
    expect((await read('?valueRenderOption=FORMULA')).values).toEqual([
      ['A', 1.5, '=B2*2'],
      ['B', true],
    ]);
    expect((await read('?majorDimension=COLUMNS')).values).toEqual([
      ['A', 'B'],
      ['1,5', 'TRUE'],
      ['3', ''],
    ]);
  });

  test('of several ranges come in their order', async () => {
    const { ask } = openGoogleSheets({ tabs });
    const { body } = await ask(
      'GET',
      "/values:batchGet?ranges=Sheet1!3:3&ranges='It''s'&ranges=Sheet1!F1:G2",
    );
    expect(body).toEqual({
      spreadsheetId: 'book',
      valueRanges: [
        { range: 'Sheet1!A3:Z3', majorDimension: 'ROWS', values: [['B', 'TRUE']] },
        { range: "'It''s'!A1:Z1000", majorDimension: 'ROWS', values: [['x']] },
        { range: 'Sheet1!F1:G2', majorDimension: 'ROWS' },
      ],
    });
  });

  test('written raw stay what they are', async () => {
    const { ask, book } = openGoogleSheets();
    const values = [['=1+1', '00123', "'x", 'TRUE', 7, false]];
    expect(await ask('PUT', '/values/Sheet1!A1?valueInputOption=RAW', { values })).toEqual({
      status: 200,
      body: {
        spreadsheetId: 'book',
        updatedRange: 'Sheet1!A1:F1',
        updatedRows: 1,
        updatedColumns: 6,
        updatedCells: 6,
      },
    });
    expect(book.rows('Sheet1')).toEqual(values);
    expect(book.cell('Sheet1', 'A1')).toBe('=1+1');
  });

  test.each([
    ['en_US', [1234.5, '1.234,5', 123, 0.1, true, 'x']],
    ['de_DE', ['1,234.5', 1234.5, 123, 0.1, true, 'x']],
  ])('written as a user of %s would are what they would become', async (locale, shown) => {
    const { ask, book } = openGoogleSheets({ locale });
    const values = [['1,234.5', '1.234,5', '00123', '10%', 'true', "'x"]];
    await ask('PUT', '/values/Sheet1!A1?valueInputOption=USER_ENTERED', { values });
    expect(book.rows('Sheet1')).toEqual([shown]);
    await ask('PUT', '/values/Sheet1!A1?valueInputOption=USER_ENTERED', { values: [['=A2']] });
    expect(book.cell('Sheet1', 'A1')).toEqual({ formula: '=A2', shown: '#N/A' });
  });

  test('null leaves a cell as it is, an empty text empties it', async () => {
    const { ask, book } = openGoogleSheets({ tabs });
    await ask('PUT', '/values/Sheet1!A2?valueInputOption=RAW', { values: [[null, '']] });
    expect(book.rows('Sheet1')[1]).toEqual(['A']);
  });

  test('of a batch are written all or not at all', async () => {
    const { ask, book } = openGoogleSheets({ tabs });
    const data = [
      { range: 'Sheet1!B2', values: [[9]] },
      { range: 'Sheet1!A1001', values: [['below the end']] },
    ];
    expect(await ask('POST', '/values:batchUpdate', { valueInputOption: 'RAW', data })).toEqual(
      refused(
        400,
        'INVALID_ARGUMENT',
        'Range (Sheet1!A1001) exceeds grid limits. Max rows: 1000, max columns: 26',
      ),
    );
    expect(book.rows('Sheet1')).toEqual(STOCK);
  });

  test.each([
    [
      'GET',
      '/values/Sheet1!A1001',
      undefined,
      'Range (Sheet1!A1001) exceeds grid limits. Max rows: 1000, max columns: 26',
    ],
    [
      'GET',
      '/values/Sheet1!AA1',
      undefined,
      'Range (Sheet1!AA1) exceeds grid limits. Max rows: 1000, max columns: 26',
    ],
    ['GET', '/values/Sheet9!A1', undefined, 'Unable to parse range: Sheet9!A1'],
    ['PUT', '/values/A1', { values: [['x']] }, "'valueInputOption' is required but not specified"],
    [
      'PUT',
      '/values/A1:B1?valueInputOption=RAW',
      { values: [['x', 'y', 'z']] },
      'Requested writing within range [A1:B1], but tried writing to row or column outside of it',
    ],
  ])('are refused: %s %s', async (method, path, body, message) => {
    const { ask } = openGoogleSheets({ tabs });
    expect(await ask(method, path, body)).toEqual(refused(400, 'INVALID_ARGUMENT', message));
  });

  test('are cleared', async () => {
    const { ask, book } = openGoogleSheets({ tabs });
    expect((await ask('POST', '/values/Sheet1!B1:B2:clear', {})).body).toEqual({
      spreadsheetId: 'book',
      clearedRange: 'Sheet1!B1:B2',
    });
    await ask('POST', '/values:batchClear', { ranges: ["'It''s'", 'Sheet1!A3'] });
    expect(book.rows('Sheet1')).toEqual([['SKU'], ['A'], ['', true]]);
    expect(book.rows("It's")).toEqual([]);
  });

  test('are appended below the table, again and again, which is why no client should', async () => {
    const { ask, book } = openGoogleSheets({ tabs: [{ title: 'Sheet1', rows: STOCK, rowCount: 3 }] });
    const append = () => ask('POST', '/values/Sheet1!A1:append?valueInputOption=RAW', { values: [['C', 3]] });
    expect((await append()).body).toMatchObject({
      tableRange: 'Sheet1!A1:A3',
      updates: { updatedRange: 'Sheet1!A4:B4' },
    });
    await append();
    expect(book.rows('Sheet1')).toEqual([...STOCK, ['C', 3], ['C', 3]]);
    expect(book.grid('Sheet1')).toEqual({ rows: 5, columns: 26 });
  });
});
