import { describe, expect, onTestFinished, test } from 'vitest';
import { startSheetsPeer } from '../peers/sheets.ts';
import { discoveryIsPresent, sheetsDiscovery } from '../peers/sheets-discovery.ts';
import { openWorkshop, signal } from '../providers/sheets-workshop.ts';

const V4 = 'https://sheets.googleapis.com/v4/spreadsheets';
const write = { key: 'k', signal };

describe.skipIf(!discoveryIsPresent)('Google’s published description of its API', () => {
  test('describes every call that the adapter makes, and every answer it is tested with', async () => {
    const { client, peer } = await openWorkshop({
      tabs: [{ title: 'Sheet1', rows: [['SKU']], rowCount: 5 }],
    });
    const tab = { title: 'Sheet1', id: 0 };
    const large = Array.from({ length: 4 }, (_, index) => ({
      row: index + 6,
      column: 0,
      values: ['x'.repeat(500_000)],
    }));
    await client.describe(signal);
    await client.read(tab, signal);
    await client.readEntered(tab, [1], signal);
    await client.write(tab, [{ row: 6, column: 0, values: ['A', 1, true, ''] }], write);
    await client.write(tab, large, write);

    const asked = peer.emulator.calls.map(
      ({ method, path }) => `${method} ${path.replace('/v4/spreadsheets/book', '')}`,
    );
    expect([...new Set(asked)].sort()).toEqual([
      'GET ',
      'POST /values:batchGetByDataFilter',
      'POST /values:batchUpdateByDataFilter',
      'POST :batchUpdate',
    ]);
    expect(peer.violations).toEqual([]);
  });

  test('describes every answer of the emulator', async () => {
    const peer = await startSheetsPeer();
    onTestFinished(() => peer.close());
    peer.emulator.book('book');
    const ask = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${peer.url}/v4/spreadsheets/book${path}`, {
        method,
        headers: { authorization: 'Bearer ya29.test' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      expect([path, response.status]).toEqual([path, 200]);
    };
    const values = [['A', 1, true]];
    const developerMetadata = {
      metadataKey: 'run',
      metadataValue: '1',
      visibility: 'DOCUMENT',
      location: { sheetId: 0 },
    };
    const lookup = { developerMetadataLookup: { metadataKey: 'run' } };
    await ask('PUT', '/values/Sheet1!A1?valueInputOption=RAW', { values });
    await ask('POST', '/values/Sheet1!A1:append?valueInputOption=USER_ENTERED', { values });
    const dataFilter = { gridRange: { sheetId: 0, startRowIndex: 0, endRowIndex: 2 } };
    await ask('POST', '/values:batchGetByDataFilter', { dataFilters: [dataFilter] });
    await ask('POST', '/values:batchUpdateByDataFilter', {
      valueInputOption: 'RAW',
      data: [{ dataFilter, values }],
    });
    await ask('POST', '/values:batchUpdate', {
      valueInputOption: 'RAW',
      data: [{ range: 'Sheet1!A5', values }],
    });
    await ask('GET', '/values/Sheet1!A1:C9?majorDimension=COLUMNS&valueRenderOption=FORMULA');
    await ask('GET', '/values:batchGet?ranges=Sheet1!1:2&ranges=Sheet1!A5');
    await ask('POST', '/values/Sheet1!A1:clear', {});
    await ask('POST', '/values:batchClear', { ranges: ['Sheet1!B1'] });
    await ask('POST', ':batchUpdate', {
      requests: [
        { addSheet: { properties: { sheetId: 7, title: 'More', hidden: true } } },
        { appendDimension: { sheetId: 7, dimension: 'ROWS', length: 5 } },
        { updateSheetProperties: { properties: { sheetId: 7, title: 'Yet more' }, fields: 'title' } },
        {
          updateCells: {
            start: { sheetId: 7, rowIndex: 0, columnIndex: 0 },
            rows: [{ values: [{ userEnteredValue: { stringValue: '=x' } }] }],
            fields: 'userEnteredValue',
          },
        },
        { copyPaste: { source: { sheetId: 7 }, destination: { sheetId: 7 }, pasteType: 'PASTE_VALUES' } },
        { createDeveloperMetadata: { developerMetadata } },
      ],
    });
    await ask('POST', '/developerMetadata:search', { dataFilters: [lookup] });
    await ask('GET', '?includeGridData=false&fields=properties.title,sheets(properties(sheetId,title))');
    await ask('GET', '');
    await ask('POST', ':batchUpdate', {
      requests: [{ deleteDeveloperMetadata: { dataFilter: lookup } }, { deleteSheet: { sheetId: 7 } }],
    });
    expect(peer.violations).toEqual([]);
  });

  test.each([
    ['PATCH', '/book', '', 'PATCH /v4/spreadsheets/book is not described'],
    ['GET', '/book/cells', '', 'GET /v4/spreadsheets/book/cells is not described'],
    [
      'GET',
      '/book?withGridData=true',
      '',
      'sheets.spreadsheets.get: parameter withGridData is not described',
    ],
    [
      'GET',
      '/book?includeGridData=yes',
      '',
      'sheets.spreadsheets.get: parameter includeGridData is "yes", not boolean',
    ],
    [
      'GET',
      '/book?fields=sheets.properties(sheetId,name)',
      '',
      'sheets.spreadsheets.get: fields names sheets.properties.name, which the answer does not have',
    ],
    [
      'GET',
      '/book/values/A1?valueRenderOption=PLAIN',
      '',
      'sheets.spreadsheets.values.get: parameter valueRenderOption is "PLAIN", not FORMATTED_VALUE,UNFORMATTED_VALUE,FORMULA',
    ],
    [
      'POST',
      '/book/values:batchUpdate',
      '{"valueInputOption":"RAW","data":[{"range":7,"cells":[]}]}',
      'sheets.spreadsheets.values.batchUpdate: body.data[0].range is 7, not string',
      'sheets.spreadsheets.values.batchUpdate: body.data[0].cells is not described',
    ],
    [
      'POST',
      '/book:batchUpdate',
      '{"requests":[{"appendRows":{}},{"deleteSheet":{"sheetId":"0"}}]}',
      'sheets.spreadsheets.batchUpdate: body.requests[0].appendRows is not described',
      'sheets.spreadsheets.batchUpdate: body.requests[1].deleteSheet.sheetId is "0", not integer',
    ],
  ])('does not describe %s %s %s', (method, path, body, ...faults) => {
    expect(sheetsDiscovery().call(method, new URL(V4 + path), body).faults).toEqual(faults);
  });

  test('does not describe an answer with a field of ours', () => {
    const answer = { spreadsheetId: 'book', sheets: [{ properties: { sheetId: 0.5, gid: 1 } }] };
    expect(sheetsDiscovery().answer('sheets.spreadsheets.get', answer)).toEqual([
      'sheets.spreadsheets.get: answer.sheets[0].properties.sheetId is 0.5, not integer',
      'sheets.spreadsheets.get: answer.sheets[0].properties.gid is not described',
    ]);
  });

  test('fails a test whose peer was asked for something else', async () => {
    const peer = await startSheetsPeer();
    await fetch(`${peer.url}/v4/spreadsheets/book/cells`);
    await expect(peer.close()).rejects.toThrow(
      'undocumented: GET /v4/spreadsheets/book/cells is not described',
    );
  });
});
