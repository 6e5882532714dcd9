import { describe, expect, test } from 'vitest';
import { createDemoSheets, DEMO_SPREADSHEET } from '../../../src/emulators/sheets/demo.ts';
import { createSheetsEmulator } from '../../../src/emulators/sheets/sheets.ts';
import { openGoogleSheets, refused } from './google-sheets.ts';

const clock = (start = 0) => {
  let now = start;
  return {
    now: () => now,
    sleep: async (milliseconds: number) => {
      now += milliseconds;
    },
  };
};

describe('who may call', () => {
  test('only somebody with a token, and only a spreadsheet that is there and shared', async () => {
    const { ask, book } = openGoogleSheets();
    expect((await ask('GET', '', undefined, 'another')).status).toBe(401);
    expect((await ask('GET', '', undefined)).status).toBe(200);
    book.forbid();
    expect(await ask('GET', '')).toEqual(
      refused(403, 'PERMISSION_DENIED', 'The caller does not have permission'),
    );
    expect((await ask('GET', 'elsewhere')).status).toBe(404);
  });

  test('with a refresh token there is a new one, which ends in its time', async () => {
    const time = clock();
    const { ask, emulator } = openGoogleSheets({}, { clock: time, tokens: { lifetimeSeconds: 60 } });
    const renew = async (refreshToken: string) => {
      const body = new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: 'client',
        client_secret: 'secret',
      });
      const response = await emulator.fetch('https://oauth2.googleapis.com/token', { method: 'POST', body });
      // What the token endpoint is documented to answer.
      return { status: response.status, body: (await response.json()) as { access_token: string } };
    };
    const { body } = await renew('1//test');
    expect(body).toMatchObject({ expires_in: 60, token_type: 'Bearer' });
    expect((await ask('GET', '', undefined, body.access_token)).status).toBe(200);
    await time.sleep(60_000);
    expect((await ask('GET', '', undefined, body.access_token)).status).toBe(401);
    expect(await renew('another')).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    emulator.tokens.revoke();
    expect(await renew('1//test')).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });
});

describe('what goes wrong', () => {
  test('reads and writes are refused after 60 a minute each', async () => {
    const time = clock();
    const { ask } = openGoogleSheets({}, { clock: time });
    const read = async () => (await ask('GET', '/values/A1')).status;
    const write = async () => (await ask('POST', '/values/A1:clear', {})).status;
    for (let call = 0; call < 60; call++) expect([await read(), await write()]).toEqual([200, 200]);
    expect([await read(), await write()]).toEqual([429, 429]);
    await time.sleep(60_000);
    expect([await read(), await write()]).toEqual([200, 200]);
  });

  test('is what was asked for, in that order, where it was asked for', async () => {
    const time = clock();
    const { ask, emulator, book } = openGoogleSheets({}, { clock: time });
    const write = (value: string) => ask('PUT', '/values/A1?valueInputOption=RAW', { values: [[value]] });
    emulator.troubles.plan('drop_before', 'drop_after', 503, { slow: 5_000 }, { trouble: 502, on: 'magic' });
    await expect(write('1')).rejects.toThrow('fetch failed');
    expect(book.rows('Sheet1')).toEqual([]);
    await expect(write('2')).rejects.toThrow('fetch failed');
    expect(book.rows('Sheet1')).toEqual([['2']]);
    expect((await write('3')).status).toBe(503);
    expect((await write('4')).status).toBe(200);
    expect(time.now()).toBe(5_000);
    expect((await write('5')).status).toBe(200);
    expect((await write('magic')).status).toBe(502);
    expect(emulator.calls.at(-1)).toEqual({
      method: 'PUT',
      path: '/v4/spreadsheets/book/values/A1',
      kind: 'write',
      bytes: 22,
    });
  });

  test('by chance is the same for the same seed, and as often as was said', async () => {
    const course = async (seed: number) => {
      const { ask } = openGoogleSheets({}, { quota: { read: Infinity }, troubles: { rate: 0.25, seed } });
      const statuses: (number | string)[] = [];
      for (let call = 0; call < 400; call++) {
        statuses.push(
          await ask('GET', '/values/A1').then(
            ({ status }) => status,
            () => 'dropped',
          ),
        );
      }
      return statuses;
    };
    const statuses = await course(7);
    expect(await course(7)).toEqual(statuses);
    expect(await course(8)).not.toEqual(statuses);
    const troubled = statuses.filter((status) => status !== 200).length;
    expect(troubled).toBeGreaterThan(70);
    expect(troubled).toBeLessThan(130);
  });
});

describe('people at the same spreadsheet', () => {
  test('insert, sort, delete, rename and add', () => {
    const { book } = openGoogleSheets({
      tabs: [
        {
          title: 'Sheet1',
          rows: [
            ['SKU', 'Stock'],
            ['B', 2],
            ['A', 1],
          ],
        },
      ],
    });
    book.insertRow('Sheet1', 2, ['C', 10]);
    book.sortRows('Sheet1', 1, { descending: true });
    expect(book.rows('Sheet1')).toEqual([
      ['SKU', 'Stock'],
      ['C', 10],
      ['B', 2],
      ['A', 1],
    ]);
    book.deleteRow('Sheet1', 3);
    book.renameTab('Sheet1', 'Stock');
    book.addTab('Prices', [['SKU']]);
    book.type('Stock', 'B2', '12', undefined);
    expect([book.tabs(), book.rows('Stock'), book.grid('Stock')]).toEqual([
      ['Stock', 'Prices'],
      [
        ['SKU', 'Stock'],
        ['C', 12],
        ['A', 1],
      ],
      { rows: 1000, columns: 26 },
    ]);
  });
});

describe('kept for later', () => {
  test('is all of it, as JSON, and later changes do not reach it', async () => {
    const { book, emulator } = openGoogleSheets({
      tabs: [{ title: 'Sheet1', rows: [['A', 1, true]] }],
      locale: 'es_ES',
    });
    book.type('Sheet1', 'D1', '=B1', 1);
    const kept = JSON.stringify(emulator.snapshot());
    book.type('Sheet1', 'A1', 'changed');
    const other = createSheetsEmulator();
    other.restore(JSON.parse(kept));
    expect(other.book('book').rows('Sheet1')).toEqual([['A', 1, true, 1]]);
    expect(other.book('book').cell('Sheet1', 'D1')).toEqual({ formula: '=B1', shown: 1 });
    expect(JSON.stringify(other.snapshot())).toBe(kept);
  });
});

test('the demo begins with the header alone, and any token opens it', async () => {
  const demo = createDemoSheets();
  const response = await demo.fetch(
    `https://sheets.googleapis.com/v4/spreadsheets/${DEMO_SPREADSHEET}/values/Sheet1`,
    {
      headers: { authorization: 'Bearer anything' },
    },
  );
  expect(await response.json()).toMatchObject({ values: [['SKU', 'Stock']] });
});

test('100,000 rows take no longer than they must', async () => {
  const { ask, book } = openGoogleSheets({ tabs: [{ title: 'Sheet1', rowCount: 100_000 }] });
  const values = Array.from({ length: 100_000 }, (_, index) => [`SKU-${index}`, index]);
  await ask('PUT', '/values/Sheet1!A1?valueInputOption=RAW', { values });
  const { body } = await ask('GET', '/values/Sheet1?valueRenderOption=UNFORMATTED_VALUE');
  expect(body.values).toEqual(values);
  expect(book.rows('Sheet1')).toHaveLength(100_000);
});
