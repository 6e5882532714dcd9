import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { headerColumns } from '../../../src/sync/connections/verify-connection.ts';
import type { Cell } from '../../../src/sync/ports/sheet-client.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openWorkshop, signal, type Workshop } from '../../support/sync-connections.ts';

let database: TestDatabase;
let shop: Workshop;
let accountId: string;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  shop = openWorkshop(database);
  accountId = await shop.newAccount();
});

const TOKENS = { accessToken: 'ya29.0123456789', refreshToken: '1//refresh-0123456789' };
const ACCOUNT = { client_email: 'sync@shop.iam.example', private_key: '-----BEGIN PRIVATE KEY-----\nMIIE' };

const connect = (secrets: object, more: object = {}) =>
  shop.sheets.connect(accountId, { spreadsheet: 'sheet-1', sheetName: 'Sheet1', secrets, ...more }, signal);

describe('connecting', () => {
  test('a sheet is opened at once, and answers what it has', async () => {
    expect(await connect(TOKENS, { name: 'Stock list' })).toEqual({
      id: expect.stringMatching(/^she_/),
      spreadsheet_id: 'sheet-1',
      name: 'Stock list',
      sheet_name: 'Sheet1',
      tab: { title: 'Sheet1', id: 7 },
      columns: ['SKU', 'Stock'],
      locale: 'es_ES',
      status: 'connected',
      paused: false,
      token_hint: '6789',
      renewable: false,
      expires_at: expect.any(String),
      consent: null,
      created_at: expect.any(String),
    });
    expect(shop.opened.sheets).toMatchObject([{ spreadsheetId: 'sheet-1', credentials: TOKENS, accountId }]);
    expect(shop.sheet.log.map(({ name }) => name)).toEqual(['describe', 'read']);
  });

  test('takes the address of a spreadsheet, and calls it by its title', async () => {
    const spreadsheet = 'https://docs.google.com/spreadsheets/d/1AbC_dEf-GhI/edit#gid=0';
    expect(await connect(TOKENS, { spreadsheet })).toMatchObject({
      spreadsheet_id: '1AbC_dEf-GhI',
      name: 'Local',
    });
    await expect(connect(TOKENS, { spreadsheet: 'https://evil.example/d/1AbC' })).rejects.toMatchObject({
      key: 'validation_failed.spreadsheet',
    });
  });

  test('finds the tab whatever its case, and says which there are', async () => {
    expect(await connect(TOKENS, { sheetName: 'sheet1' })).toMatchObject({ sheet_name: 'Sheet1' });
    await expect(connect(TOKENS, { sheetName: 'Prices' })).rejects.toMatchObject({
      key: 'sheet_not_found.tab',
      params: { tab: 'Prices', tabs: 'Sheet1' },
    });
    // Two spellings are one tab.
    await expect(connect(TOKENS, { sheetName: 'SHEET1' })).rejects.toMatchObject({
      key: 'conflict.sheet_connected',
    });
  });

  test('takes the key of a service account, as it is or as text, and shows its name', async () => {
    const file = { type: 'service_account', ...ACCOUNT };
    const one = await connect({ serviceAccount: file });
    const two = await connect({ serviceAccount: JSON.stringify(file) }, { spreadsheet: 'sheet-2' });
    expect([one.token_hint, two.token_hint]).toEqual([ACCOUNT.client_email, ACCOUNT.client_email]);
    await shop.sheets.openFor(accountId, two.id);
    expect(shop.opened.sheets.at(-1)?.credentials).toEqual({ serviceAccount: ACCOUNT });
  });

  test.each([
    ['nothing', {}, 'validation_failed.sheet_credentials'],
    ['a refresh token alone', { refreshToken: 'x' }, 'validation_failed.sheet_credentials'],
    ['half a client', { ...TOKENS, clientId: 'client' }, 'validation_failed.sheet_credentials'],
    [
      'tokens and a service account',
      { ...TOKENS, serviceAccount: ACCOUNT },
      'validation_failed.sheet_credentials',
    ],
    ['text that is no JSON', { serviceAccount: 'secret{' }, 'validation_failed.service_account'],
    ['another JSON', { serviceAccount: { client_email: 'a@b' } }, 'validation_failed.service_account'],
  ])('refuses %s before the spreadsheet is opened', async (_what, secrets, key) => {
    const error = await connect(secrets).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ key });
    expect(JSON.stringify(error)).not.toContain('secret{');
    expect(shop.opened.sheets).toEqual([]);
  });

  test('keeps nothing of a spreadsheet that refuses', async () => {
    await expect(connect({ accessToken: 'revoked' })).rejects.toMatchObject({ code: 'sheet_unauthorized' });
    expect(await shop.sheets.list(accountId, { limit: 10 })).toEqual({ items: [], next_cursor: null });
  });

  test('keeps the token that was renewed in between', async () => {
    shop.renewal.next = { accessToken: 'ya29.renewed-0002', expiresAt: new Date() };
    const { id, token_hint } = await connect(TOKENS);
    expect(token_hint).toBe('0002');
    await shop.sheets.openFor(accountId, id);
    expect(shop.opened.sheets.at(-1)?.credentials).toEqual({ ...TOKENS, accessToken: 'ya29.renewed-0002' });
  });
});

describe('the plan', () => {
  test('bounds the sheets of an account before a spreadsheet is opened', async () => {
    await shop.setPlan(accountId, 'free');
    await connect(TOKENS);
    await expect(connect(TOKENS, { spreadsheet: 'sheet-2' })).rejects.toMatchObject({
      key: 'plan_limit.sheets',
      status: 403,
      data: { limit: 1, used: 1 },
    });
    expect(shop.opened.sheets).toHaveLength(1);
  });

  test('holds when two are connected at the same time', async () => {
    await shop.setPlan(accountId, 'free');
    const results = await Promise.allSettled([connect(TOKENS), connect(TOKENS, { spreadsheet: 'sheet-2' })]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { key: 'plan_limit.sheets' },
    });
  });

  test('after a downgrade the newest rest', async () => {
    const [first, second] = [await connect(TOKENS), await connect(TOKENS, { spreadsheet: 'sheet-2' })];
    await shop.setPlan(accountId, 'free');
    const { items } = await shop.sheets.list(accountId, { limit: 10 });
    expect(items.map(({ id, paused }) => [id, paused])).toEqual([
      [second.id, true],
      [first.id, false],
    ]);
    await expect(shop.sheets.openFor(accountId, second.id)).rejects.toMatchObject({
      key: 'plan_limit.sheets',
    });
  });
});

describe('a connected sheet', () => {
  test('has its tokens sealed, also those that are renewed in a run', async () => {
    const { id } = await connect(TOKENS);
    const sealed = async () => {
      const [row] = await shop.sql`select credentials, s::text as text from sync_sheets s where id = ${id}`;
      expect(String(row?.['text'])).not.toMatch(/0123456789|renewed/);
      return String(row?.['credentials']);
    };
    const before = await sealed();
    shop.renewal.next = { accessToken: 'ya29.renewed-0002', expiresAt: new Date() };
    await shop.sheets.openFor(accountId, id);
    expect(await sealed()).not.toBe(before);
    shop.renewal.next = undefined;
    await shop.sheets.openFor(accountId, id);
    expect(shop.opened.sheets.at(-1)?.credentials).toEqual({ ...TOKENS, accessToken: 'ya29.renewed-0002' });
  });

  test('a renewed token does not undo tokens that were entered in between', async () => {
    const { id } = await connect(TOKENS);
    await shop.sheets.openFor(accountId, id);
    const { onRefresh } = shop.opened.sheets.at(-1) ?? {};
    const entered = { accessToken: 'ya29.entered-0003', refreshToken: '1//entered' };
    await shop.sheets.update(accountId, id, { secrets: entered }, signal);
    await onRefresh?.({ accessToken: 'ya29.renewed-0002', expiresAt: new Date() });
    await shop.sheets.openFor(accountId, id);
    expect(shop.opened.sheets.at(-1)?.credentials).toEqual(entered);
  });

  test('takes new tokens once the spreadsheet has taken them', async () => {
    const { id } = await connect(TOKENS);
    await shop.sheets.markReconnect(accountId, id);
    const revoked = { secrets: { accessToken: 'revoked' } };
    await expect(shop.sheets.update(accountId, id, revoked, signal)).rejects.toMatchObject({
      code: 'sheet_unauthorized',
    });
    expect((await shop.sheets.get(accountId, id)).status).toBe('reconnect_required');
    const entered = { name: 'Warehouse', secrets: { accessToken: 'ya29.entered-0003' } };
    const updated = await shop.sheets.update(accountId, id, entered, signal);
    expect(updated).toMatchObject({ name: 'Warehouse', status: 'connected', token_hint: '0003' });
    expect(updated).toEqual(await shop.sheets.get(accountId, id));
  });

  test('is found by its tab, whatever people call that now, and shows the columns it has', async () => {
    const { accountId, sheetId, pair } = await shop.newPair();
    const { id } = await shop.configs.create(accountId, {
      ...pair,
      direction: 'two_way',
      mappings: MAPPINGS,
    });
    await shop.leaveBase(id);
    shop.sheet.rename('Stock 2026');
    shop.sheet.set(1, 2, 'Price');
    expect(await shop.sheets.test(accountId, sheetId, signal)).toMatchObject({
      sheet_name: 'Stock 2026',
      columns: ['SKU', 'Stock', 'Price'],
    });
    expect(await shop.hasBase(id)).toBe(true);
  });

  test('that is another tab now starts over, but not during a run', async () => {
    const { accountId, sheetId, pair } = await shop.newPair();
    const { id } = await shop.configs.create(accountId, {
      ...pair,
      direction: 'two_way',
      mappings: MAPPINGS,
    });
    await shop.leaveBase(id);
    await shop.sql`update sync_sheets set sheet_name = 'Before', tab_id = 3 where id = ${sheetId}`;
    const run = await shop.leaveRun(id, 'queued');
    const move = () => shop.sheets.update(accountId, sheetId, { sheetName: 'Sheet1' }, signal);
    await expect(move()).rejects.toMatchObject({ key: 'sync_running.sheet', params: { run } });
    expect((await shop.sheets.get(accountId, sheetId)).sheet_name).toBe('Before');
    await shop.sql`update sync_runs set status = 'canceled' where id = ${run}`;
    expect((await move()).tab).toEqual({ title: 'Sheet1', id: 7 });
    expect(await shop.hasBase(id)).toBe(false);
  });

  test('cannot become a tab that is connected already', async () => {
    const one = await connect(TOKENS);
    const two = await connect(TOKENS, { spreadsheet: 'sheet-2' });
    await shop.sql`update sync_sheets set spreadsheet_id = 'sheet-1', sheet_name = 'Before' where id = ${two.id}`;
    await expect(
      shop.sheets.update(accountId, two.id, { sheetName: 'Sheet1' }, signal),
    ).rejects.toMatchObject({ key: 'conflict.sheet_connected', params: { tab: 'Sheet1', id: one.id } });
  });

  test('is tested: one that refuses is to be connected again, one that opens is connected', async () => {
    const { id } = await connect(TOKENS);
    const outcome = async (fault?: Fault) => {
      shop.sheet.before = () => {
        if (fault) throw fault;
      };
      const error = await shop.sheets.test(accountId, id, signal).catch((thrown: unknown) => thrown);
      return [error instanceof Fault && error.key, (await shop.sheets.get(accountId, id)).status];
    };
    expect(await outcome(new Fault('sheet_unavailable.no_answer'))).toEqual([
      'sheet_unavailable.unreached',
      'connected',
    ]);
    expect(await outcome(new Fault('sheet_unauthorized.token'))).toEqual([
      'sheet_unauthorized.token',
      'reconnect_required',
    ]);
    expect(await outcome()).toEqual([false, 'connected']);
  });
});

const MAPPINGS = [
  { sheet_column: 'SKU', store_field: 'sku' },
  { sheet_column: 'Stock', store_field: 'inventory_quantity' },
] as const;

test('one that configurations use is kept, unless they are to go with it', async () => {
  const { accountId, sheetId, pair } = await shop.newPair();
  const { id } = await shop.configs.create(accountId, { ...pair, direction: 'two_way', mappings: MAPPINGS });
  await expect(shop.sheets.delete(accountId, sheetId, { cascade: false })).rejects.toMatchObject({
    key: 'conflict.sync_in_use',
    params: { configs: id },
  });
  await shop.sheets.delete(accountId, sheetId, { cascade: true });
  await expect(shop.configs.get(accountId, id)).rejects.toMatchObject({ key: 'not_found.sync_config' });
});

test("another account's sheet is like an unknown one", async () => {
  const { id } = await connect(TOKENS);
  const stranger = await shop.newAccount();
  const calls = (sheet: string) => [
    () => shop.sheets.get(stranger, sheet),
    () => shop.sheets.update(stranger, sheet, { name: 'mine' }, signal),
    () => shop.sheets.delete(stranger, sheet, { cascade: true }),
    () => shop.sheets.test(stranger, sheet, signal),
    () => shop.sheets.openFor(stranger, sheet),
  ];
  for (const sheet of [id, 'she_nobody'])
    for (const call of calls(sheet))
      await expect(call()).rejects.toMatchObject({ key: 'not_found.sheet', params: { id: sheet } });
});

test('the demo spreadsheet takes any tokens or none, where the demo is on', async () => {
  expect((await connect({}, { spreadsheet: 'demo' })).spreadsheet_id).toBe('demo');
  const off = openWorkshop(database, { demo: false });
  await expect(off.connectSheet(accountId, 'demo')).rejects.toMatchObject({
    key: 'not_configured.sync_demo',
  });
});

describe('the columns of a tab', () => {
  test.each<[string, readonly (readonly Cell[])[], string[]]>([
    ['of an empty tab are none', [], []],
    [
      'are the texts of its header',
      [
        ['SKU', ' Stock ', ''],
        ['A-1', 5],
      ],
      ['SKU', 'Stock'],
    ],
    [
      'are found below a title and empty rows',
      [['Stock list'], [], ['SKU', 'Stock', 'Price'], ['A-1', 5, 9.9]],
      ['SKU', 'Stock', 'Price'],
    ],
    [
      'are the upper ones of two rows alike',
      [
        ['SKU', 'Name'],
        ['A-1', 'Mug'],
      ],
      ['SKU', 'Name'],
    ],
    ['are each there once', [['SKU', 'SKU', 'Stock']], ['SKU', 'Stock']],
    [
      'are not looked for further down than ten rows',
      [...Array.from({ length: 10 }, () => []), ['SKU', 'Stock']],
      [],
    ],
  ])('%s', (_what, rows, columns) => {
    expect(headerColumns(rows)).toEqual(columns);
  });
});
