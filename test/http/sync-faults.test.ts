import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HEADER, openPairs, type Pairs, stocked } from '../support/sync-pairs.ts';

let pairs: Pairs;
beforeAll(async () => {
  pairs = await openPairs();
});
afterAll(() => pairs.close());

const TO_STORE = { direction: 'sheet_to_store' };

describe('cells that cannot be used are named, and the other rows are synced', () => {
  test.each([
    ['text', 'many', 'invalid_value'],
    ['a number below 0', -1, 'invalid_value'],
    ['10 milliards', 1e10, 'invalid_value'],
    ['a part of a piece', 1.5, 'invalid_value'],
    ['TRUE', true, 'invalid_value'],
  ] as const)('%s for a quantity', async (_what, stock, code) => {
    const pair = await pairs.open({
      products: stocked({ A: 4, B: 5 }),
      rows: [HEADER, ['A', stock], ['B', 6]],
    });
    expect((await pair.run(TO_STORE)).body).toMatchObject({
      status: 'partial',
      products_synced: 1,
      skipped: 1,
      errors: [{ code, row: 2, sku: 'A', field: 'inventory_quantity' }],
    });
    expect(pair.stock()).toEqual({ A: 4, B: 6 });
  });

  test('a milliard pieces are as many as the store takes', async () => {
    const pair = await pairs.open({ products: stocked({ A: 4 }), rows: [HEADER, ['A', 1e9]] });
    expect((await pair.run(TO_STORE)).body).toMatchObject({ products_synced: 1, errors: [] });
    expect(pair.stock()).toEqual({ A: 1_000_000_000 });
  });

  test('one SKU in two rows, or of two variants, changes neither', async () => {
    const products = [...stocked({ A: 1, B: 1, C: 1 }), ...stocked({ B: 2 })];
    const pair = await pairs.open({
      products,
      rows: [HEADER, ['A', 7], ['A', 8], ['B', 9], ['C', 3]],
    });
    const { body } = await pair.run(TO_STORE);
    expect(body).toMatchObject({
      status: 'partial',
      products_synced: 1,
      errors: expect.arrayContaining([
        expect.objectContaining({ code: 'duplicate_in_sheet', row: 2, sku: 'A' }),
        expect.objectContaining({ code: 'duplicate_in_sheet', row: 3, sku: 'A' }),
        expect.objectContaining({ code: 'duplicate_in_store', sku: 'B' }),
      ]),
    });
    expect(pair.shop.variants().map(({ available }) => available)).toEqual([1, 1, 3, 2]);
  });

  test('what the store refuses of one variant is not said of the others of its product', async () => {
    const variants = ['A', 'B'].map((sku) => ({ sku, barcode: `of ${sku}` }));
    const pair = await pairs.open({
      products: [{ title: 'Shirt', variants }],
      rows: [
        ['SKU', 'Code'],
        ['A', 'new'],
        ['B', 'x'.repeat(300)],
      ],
    });
    const mappings = [
      { sheet_column: 'SKU', store_field: 'sku' },
      { sheet_column: 'Code', store_field: 'barcode' },
    ];
    const { body } = await pair.run({ config_id: await pair.config({ ...TO_STORE, mappings }) });
    expect(body).toMatchObject({
      status: 'partial',
      changed: 1,
      errors: [{ code: 'refused_by_store', row: 3, sku: 'B', field: 'barcode' }],
    });
    expect(pair.shop.variants().map(({ barcode }) => barcode)).toEqual(['new', 'of B']);
  });

  test('what the store refuses of one row', async () => {
    const pair = await pairs.open({ products: stocked({ A: 1, B: 1 }), rows: [HEADER, ['A', 2], ['B', 3]] });
    pair.shop.removeVariant('B');
    pair.shop.addProduct({ title: 'B', variants: [{ sku: 'B', available: null }] });
    expect((await pair.run(TO_STORE)).body).toMatchObject({
      status: 'partial',
      products_synced: 1,
      errors: [{ code: 'not_stocked', row: 3, sku: 'B', field: 'inventory_quantity' }],
    });
    expect(pair.stock()).toEqual({ A: 2, B: null });
  });
});

describe('a fault of the store or the sheet is in errors, with status 200', () => {
  const filled = { products: stocked({ A: 1 }), rows: [HEADER, ['A', 2]] };

  test.each([
    ['a token that is no longer good', 'store_unauthorized', 'reconnect_required'],
    ['a frozen store', 'store_frozen', 'connected'],
    ['a store that was closed', 'store_not_found', 'connected'],
    ['an app that was removed', 'store_unauthorized', 'reconnect_required'],
  ])('%s', async (what, code, status) => {
    const pair = await pairs.open(filled);
    if (what === 'a frozen store') pair.shop.setMood('unpaid');
    if (what === 'a store that was closed') pair.shop.setMood('gone');
    if (what === 'an app that was removed') pair.shop.setMood('forbidden');
    if (what === 'a token that is no longer good') pair.shop.revokeTokens();
    const { status: http, body } = await pair.run(TO_STORE);
    expect([http, body]).toMatchObject([
      200,
      { status: 'failed', products_synced: 0, changed: 0, errors: [{ code }] },
    ]);
    expect(JSON.stringify(body)).not.toContain(pair.shop.token);
    expect((await pair.rest('GET', '/sync/stores')).body).toMatchObject([{ status }]);
  });

  test('a spreadsheet that is not shared any more', async () => {
    const pair = await pairs.open(filled);
    pair.book.forbid();
    expect(await pair.run(TO_STORE)).toMatchObject({
      status: 200,
      body: { status: 'failed', errors: [{ code: expect.stringMatching(/^sheet_/) }] },
    });
    expect(pair.stock()).toEqual({ A: 1 });
  });

  test('a tab that is gone', async () => {
    const pair = await pairs.open({ ...filled, rows: [], tabs: [{ title: 'Stock', rows: filled.rows }] });
    pair.book.addTab('Other', filled.rows);
    pair.book.deleteTab('Stock');
    expect(await pair.run(TO_STORE)).toMatchObject({
      status: 200,
      body: {
        status: 'failed',
        errors: [
          {
            code: 'sheet_not_found',
            message: "The spreadsheet has no tab 'Stock'. Valid values: Other.",
          },
        ],
      },
    });
    expect(pair.stock()).toEqual({ A: 1 });
  });

  test('a tab that was renamed is still found', async () => {
    const pair = await pairs.open(filled);
    await pair.run(TO_STORE);
    pair.book.renameTab('Sheet1', 'Stock 2027');
    pair.book.type('Stock 2027', 'B2', 30);
    expect((await pair.run(TO_STORE)).body).toMatchObject({ status: 'succeeded', changed: 1 });
    expect(pair.stock()).toEqual({ A: 30 });
  });

  test('a column that is not there', async () => {
    const pair = await pairs.open({
      ...filled,
      rows: [
        ['SKU', 'Count'],
        ['A', 2],
      ],
    });
    expect(await pair.run(TO_STORE)).toMatchObject({
      status: 200,
      body: {
        status: 'failed',
        errors: [
          {
            code: 'header_not_found',
            message:
              'The first 10 rows of the sheet have no column Stock. Headers found: SKU, Count. Restore the header, or change the mapping.',
          },
        ],
      },
    });
  });

  test('is said in the language asked for', async () => {
    const pair = await pairs.open({ ...filled, rows: [HEADER, ['A', 'muchos']] });
    const { body } = await pair.post(
      '/sync/run',
      { ...pair.ids, ...TO_STORE },
      { 'accept-language': 'es-ES,es;q=0.9' },
    );
    expect(body['errors']).toMatchObject([
      {
        code: 'invalid_value',
        message: 'muchos no es un número entero de 0 a 1 000 000 000. Corrige la celda.',
      },
    ]);
    const { body: run } = await pair.rest('GET', `/sync/history/${body['run_id']}`);
    expect(run['errors']).toMatchObject([{ message: expect.stringContaining('is not a whole number') }]);
  });

  test('an expired token of the sheet is renewed', async () => {
    const pair = await pairs.open(filled);
    pairs.google.emulator.tokens.expire();
    expect((await pair.run(TO_STORE)).body).toMatchObject({ status: 'succeeded', changed: 1 });
    expect((await pair.run(TO_STORE)).body).toMatchObject({ status: 'succeeded', unchanged: 1 });
  });
});

test.each([
  'evil.example',
  'evil.example:443',
  'shop-1.myshopify.com:8080',
  'shop-1.myshopify.com.evil.example',
  'shop-1.myshopify.com@evil.example',
  'user:word@shop-1.myshopify.com',
  'http://shop-1.myshopify.com',
  'evil.example/shop-1.myshopify.com',
  'evil.example#.myshopify.com',
  'evil.example\\.myshopify.com',
  'sh\u043ep-1.myshopify.com',
  'shop-1.myshopify\uff0ecom',
  'shop-1.myshopify.com\u0000',
  '127.0.0.1',
  '169.254.169.254',
])('a token goes to no other host than a store’s: %j', async (domain) => {
  const pair = await pairs.open({ plan: 'pro' });
  const sent = pair.shop.calls.length;
  const answer = await pair.post('/sync/store', { domain, store_access_token: pair.shop.token });
  expect([answer.status, answer.body['code']]).toEqual([422, 'validation_failed']);
  expect(JSON.stringify(answer.body)).not.toContain(pair.shop.token);
  expect(pair.shop.calls.length).toBe(sent);
});

test('revoked tokens of the sheet have to be entered again', async () => {
  const revoking = await openPairs();
  const pair = await revoking.open({ products: stocked({ A: 1 }), rows: [HEADER, ['A', 2]] });
  revoking.google.emulator.tokens.revoke();
  const { status, body } = await pair.run(TO_STORE);
  expect([status, body]).toMatchObject([200, { status: 'failed', errors: [{ code: 'sheet_unauthorized' }] }]);
  expect(JSON.stringify(body)).not.toMatch(/ya29|1\/\/test/);
  expect((await pair.rest('GET', '/sync/sheets')).body).toMatchObject([{ status: 'reconnect_required' }]);
  expect((await pair.rest('GET', '/sync/stores')).body).toMatchObject([{ status: 'connected' }]);
  await revoking.close();
});

describe('rights are checked when a side is connected', () => {
  test('a spreadsheet that is shared to be looked at only', async () => {
    const pair = await pairs.open({ plan: 'pro' });
    const book = pairs.google.emulator.book('looked-at', { tabs: [{ title: 'Sheet1', rows: [HEADER] }] });
    book.shareToView();
    const asked = {
      spreadsheet_id: book.id,
      name: 'Looked at',
      access_token: 'ya29.test',
      refresh_token: '1//test',
    };
    const connect = () => pair.post('/sync/sheet', asked);
    expect(await connect()).toMatchObject({ status: 422, body: { code: 'sheet_forbidden' } });
    book.shareToView(false);
    expect((await connect()).status).toBe(201);
    expect(book.rows('Sheet1')).toEqual([[...HEADER]]);
  });

  test('a store whose token lacks a scope', async () => {
    const pair = await pairs.open({ plan: 'pro' });
    const access = { domain: 'unscoped.myshopify.com', token: 'shpat_unscoped' };
    pairs.shopify.add({ ...access, scopes: ['write_products', 'read_locations'] });
    const asked = { domain: access.domain, store_access_token: access.token };
    expect(await pair.post('/sync/store', asked)).toMatchObject({
      status: 422,
      body: { code: 'store_unauthorized', detail: expect.stringContaining('read_inventory') },
    });
  });
});
