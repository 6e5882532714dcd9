import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EmulatorClock } from '../../src/emulators/shopify/transport.ts';
import { HEADER, openPairs, type Pair, type Pairs, shelf, stocked } from '../support/sync-pairs.ts';

let pairs: Pairs;
beforeAll(async () => {
  pairs = await openPairs();
});
afterAll(() => pairs.close());

const TO_SHEET = { direction: 'store_to_sheet' };
const TO_STORE = { direction: 'sheet_to_store' };
const listed = (stock: Readonly<Record<string, number>>) => [HEADER, ...Object.entries(stock)];
const standing = (pair: Pair) => ({
  stock: pair.stock(),
  rows: pair.rows(),
  writes: pair.writes(),
  mutations: pair.mutations(),
});

describe('a plan changes nothing', () => {
  const given = { products: stocked({ A: 1, B: 2, C: 3 }), rows: listed({ A: 1, B: 20, X: 4 }) };

  test('when previewed: it shows each cell, and the run that confirms it does just that', async () => {
    const pair = await pairs.open(given);
    const before = standing(pair);
    const { status, body } = await pair.post('/sync/preview', { ...pair.ids, ...TO_STORE });
    expect([status, body]).toEqual([
      200,
      {
        plan_id: expect.stringMatching(/^run_/),
        status: 'awaiting_confirmation',
        counts: expect.objectContaining({
          store_rows: 3,
          sheet_rows: 3,
          unchanged: 1,
          to_store: 1,
          skipped: 1,
        }),
        changes: [
          {
            ...{ key: 'B', row: 3, field: 'inventory_quantity', side: 'store', kind: 'set' },
            ...{ from: '2', to: '20', state: 'planned' },
          },
        ],
        conflicts: [],
        safety_limits_hit: [],
        errors: [expect.objectContaining({ code: 'not_in_store', row: 4, sku: 'X' })],
        expires_at: expect.any(String),
      },
    ]);
    expect(standing(pair)).toEqual(before);

    const dry = await pair.run({ confirm: body['plan_id'], dry_run: true });
    expect(dry.body).toMatchObject({ status: 'awaiting_confirmation', plan_id: body['plan_id'], changed: 0 });
    expect(standing(pair)).toEqual(before);
    const confirmed = await pair.run({ confirm: body['plan_id'] });
    expect(confirmed).toMatchObject({ status: 200, body: { run_id: body['plan_id'], changed: 1 } });
    expect(pair.stock()).toEqual({ A: 1, B: 20, C: 3 });
    const again = await pair.run({ confirm: body['plan_id'] });
    expect([again.status, again.body['code']]).toEqual([409, 'conflict']);
  });

  test('when the run is dry', async () => {
    const pair = await pairs.open(given);
    const before = standing(pair);
    const { status, body } = await pair.run({ ...TO_STORE, dry_run: true });
    expect([status, body]).toMatchObject([
      200,
      { status: 'awaiting_confirmation', changed: 0, plan_id: expect.stringMatching(/^run_/) },
    ]);
    expect(standing(pair)).toEqual(before);
    expect((await pair.rest('GET', '/sync/history')).body).toMatchObject({ items: [] });
  });

  test('and is of no use to another account', async () => {
    const pair = await pairs.open(given);
    const stranger = await pairs.open();
    const { body } = await pair.post('/sync/preview', { ...pair.ids, ...TO_STORE });
    const taken = await stranger.run({ confirm: body['plan_id'] });
    expect([taken.status, taken.body['code']]).toEqual([404, 'not_found']);
  });
});

describe('what changes more than usual waits for a person', () => {
  const full = shelf(40);
  const emptied = (count: number) =>
    Object.fromEntries(Object.keys(full).map((sku, nth) => [sku, nth < count ? 0 : 5]));
  const config = { ...TO_STORE, safety_limits: { changed_percent: 100 } };

  test('a sheet that empties shelves: 409 with the plan, which confirm carries out', async () => {
    const pair = await pairs.open({ products: stocked(full), rows: listed(emptied(6)) });
    const config_id = await pair.config(config);
    const held = await pair.run({ config_id });
    expect([held.status, held.headers.get('content-type'), held.body]).toMatchObject([
      409,
      expect.stringContaining('application/problem+json'),
      {
        code: 'confirmation_required',
        status: 409,
        plan_id: expect.stringMatching(/^run_/),
        detail: expect.stringContaining(String(held.body['plan_id'])),
        safety_limits_hit: [{ safety_limit: 'zeroed_percent', limit: 5, found: 15 }],
        counts: { to_store: 6, unchanged: 34 },
      },
    ]);
    expect(pair.stock()).toEqual(full);
    expect(await pair.run({ confirm: held.body['plan_id'] })).toMatchObject({
      status: 200,
      body: { status: 'succeeded', changed: 6, products_synced: 40 },
    });
    expect(pair.stock()).toEqual(emptied(6));
  });

  test('a store that has nothing of what the sheet lists', async () => {
    const pair = await pairs.open({ products: [], rows: listed(full) });
    const config_id = await pair.config({ direction: 'store_to_sheet', stale_rows: 'clear' });
    const before = standing(pair);
    expect(await pair.run({ config_id })).toMatchObject({
      status: 409,
      body: {
        code: 'confirmation_required',
        safety_limits_hit: [{ safety_limit: 'changed_percent', found: 100 }],
      },
    });
    expect(standing(pair)).toEqual(before);
  });

  test('a sheet that has lost 30 % of its rows', async () => {
    const pair = await pairs.open({ products: stocked(full), rows: listed(full) });
    const config_id = await pair.config(config);
    expect((await pair.run({ config_id })).body).toMatchObject({ unchanged: 40 });
    for (let row = 0; row < 13; row += 1) pair.book.deleteRow('Sheet1', 10);
    pair.book.type('Sheet1', 'B2', 7);
    const before = standing(pair);
    const held = await pair.run({ config_id });
    expect(held).toMatchObject({
      status: 409,
      body: {
        code: 'confirmation_required',
        safety_limits_hit: [{ safety_limit: 'shrunk_percent', limit: 30 }],
      },
    });
    expect(standing(pair)).toEqual(before);
    expect((await pair.run({ confirm: held.body['plan_id'] })).body).toMatchObject({ changed: 1 });
    expect(pair.stock()).toEqual({ ...full, S001: 7 });
    // Once it is confirmed, the sheet is as small as it is.
    expect((await pair.run({ config_id })).body).toMatchObject({ status: 'succeeded', unchanged: 27 });
  });

  test('a sheet without its header changes nothing at all', async () => {
    const pair = await pairs.open({ products: stocked(full), rows: Object.entries(emptied(40)) });
    expect(await pair.run(TO_STORE)).toMatchObject({
      status: 200,
      body: { status: 'failed', changed: 0, errors: [{ code: 'header_not_found' }] },
    });
    expect(pair.stock()).toEqual(full);
  });

  test('a first run both ways that finds both different: initial says which side is right', async () => {
    const pair = await pairs.open({ products: stocked({ A: 1, B: 2 }), rows: listed({ A: 1, B: 3 }) });
    const held = await pair.run({ direction: 'two_way' });
    expect(held).toMatchObject({
      status: 409,
      body: { code: 'confirmation_required', safety_limits_hit: [] },
    });
    expect(held.body['detail']).toContain('two-way sync: 1.');
    expect([pair.stock(), pair.rows()]).toEqual([{ A: 1, B: 2 }, listed({ A: 1, B: 3 })]);
    expect((await pair.run({ direction: 'two_way', initial: 'sheet' })).body).toMatchObject({
      status: 'succeeded',
      changed: 1,
    });
    expect(pair.stock()).toEqual({ A: 1, B: 3 });
  });

  test('is said in Spanish to who reads Spanish', async () => {
    const pair = await pairs.open({ products: stocked(full), rows: listed(emptied(6)) });
    const config_id = await pair.config(config);
    const held = await pair.post('/sync/run', { config_id }, { 'accept-language': 'es' });
    expect(held.body['detail']).toMatch(/^Esta sincronización supera tus límites de seguridad/);
  });
});

describe('one run at a time', () => {
  /** A shop that answers once the test says so. */
  function heldShop() {
    const open = Promise.withResolvers<void>();
    const clock: EmulatorClock = { now: Date.now, sleep: () => open.promise };
    return { clock, answer: open.resolve };
  }

  test('on a sheet: the second is told of the first, and 409', async () => {
    const { clock, answer } = heldShop();
    const pair = await pairs.open({ products: stocked({ A: 1 }), rows: [HEADER], shop: { clock } });
    pair.shop.faults.push({ slow: 1 });
    const first = await pair.run({ ...TO_SHEET, wait_seconds: 0 });
    expect([first.status, first.body['status']]).toEqual([200, expect.stringMatching(/queued|planning/)]);
    const second = await pair.run(TO_SHEET);
    expect([second.status, second.headers.get('retry-after'), second.body]).toMatchObject([
      409,
      '5',
      { code: 'sync_running', detail: expect.stringContaining(String(first.body['run_id'])) },
    ]);
    answer();
    await expect
      .poll(async () => (await pair.rest('GET', `/sync/history/${first.body['run_id']}`)).body['status'])
      .toBe('succeeded');
  });

  test('on a sheet: also where another store is kept in it', async () => {
    const { clock, answer } = heldShop();
    const pair = await pairs.open({
      plan: 'pro',
      products: stocked({ A: 1 }),
      rows: [HEADER],
      shop: { clock },
    });
    const other = { domain: 'second-of-one-sheet.myshopify.com', token: 'shpat_second' };
    pairs.shopify.add({ bulkMs: 0, shop: { currency: 'EUR', products: stocked({ B: 2 }) }, ...other });
    const store = await pair.post('/sync/store', {
      domain: other.domain,
      store_access_token: other.token,
    });
    const second = { ...TO_SHEET, store_id: String(store.body['id']) };
    pair.shop.faults.push({ slow: 1 });
    const first = await pair.run({ ...TO_SHEET, wait_seconds: 0 });
    const runId = String(first.body['run_id']);
    expect(await pair.run(second)).toMatchObject({
      status: 409,
      body: { code: 'sync_running', detail: expect.stringContaining(runId) },
    });
    answer();
    await expect
      .poll(async () => (await pair.rest('GET', `/sync/history/${runId}`)).body['status'])
      .toBe('succeeded');
    expect((await pair.run(second)).body).toMatchObject({ status: 'succeeded' });
    expect(pair.rows()).toEqual([HEADER, ['A', 1], ['B', 2]]);
  });

  test('on a tab: also where another account has connected it, which is not told whose run it is', async () => {
    const { clock, answer } = heldShop();
    const pair = await pairs.open({ products: stocked({ A: 1 }), rows: [HEADER], shop: { clock } });
    const other = await pairs.open({ products: stocked({ B: 2 }), plan: 'pro' });
    const { body: sheet } = await other.post('/sync/sheet', {
      spreadsheet_id: pair.book.id,
      sheet_name: 'Sheet1',
      access_token: 'ya29.test',
    });
    pair.shop.faults.push({ slow: 1 });
    const { body } = await pair.run({ ...TO_SHEET, wait_seconds: 0 });
    const second = { ...TO_SHEET, sheet_id: String(sheet['id']) };
    const refused = await other.run(second);
    expect([refused.status, refused.body['code']]).toEqual([409, 'sync_running']);
    expect(JSON.stringify(refused.body)).not.toContain(String(body['run_id']));
    answer();
    await expect
      .poll(async () => (await pair.rest('GET', `/sync/history/${body['run_id']}`)).body['status'])
      .toBe('succeeded');
    expect((await other.run(second)).body).toMatchObject({ status: 'succeeded' });
    expect(pair.rows()).toEqual([HEADER, ['A', 1], ['B', 2]]);
  });

  test('on a tab that is connected under an earlier title too', async () => {
    const pair = await pairs.open({ products: stocked({ A: 1 }), rows: [HEADER], plan: 'pro' });
    pair.book.renameTab('Sheet1', 'Stock');
    const again = { spreadsheet_id: pair.book.id, sheet_name: 'Stock', access_token: 'ya29.test' };
    expect(await pair.post('/sync/sheet', again)).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringContaining(pair.ids.sheet_id) },
    });
  });

  test('however many are ordered at the same moment', async () => {
    const { clock, answer } = heldShop();
    const pair = await pairs.open({ products: stocked({ A: 1 }), rows: [HEADER], shop: { clock } });
    pair.shop.faults.push({ slow: 1 });
    const order = { ...TO_SHEET, wait_seconds: 0 };
    const answers = await Promise.all(Array.from({ length: 5 }, () => pair.run(order)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    answer();
    const history = async () => (await pair.rest('GET', '/sync/history')).body['items'];
    await expect.poll(history).toMatchObject([{ status: 'succeeded', changed: 1 }]);
  });

  test('which ends when it is canceled, and leaves everything as it was', async () => {
    const { clock, answer } = heldShop();
    const pair = await pairs.open({ products: stocked({ A: 1 }), rows: [HEADER], shop: { clock } });
    pair.shop.faults.push({ slow: 1 });
    const { body } = await pair.run({ ...TO_SHEET, wait_seconds: 0 });
    const path = `/sync/history/${body['run_id']}`;
    expect((await pair.post(`${path}/cancel`)).status).toBe(200);
    answer();
    await expect.poll(async () => (await pair.rest('GET', path)).body['status']).toBe('canceled');
    expect(pair.rows()).toEqual([HEADER]);
    expect((await pair.post(`${path}/cancel`)).body).toMatchObject({ status: 'canceled' });
  });

  test('that has ended cannot be canceled', async () => {
    const pair = await pairs.open({ products: stocked({ A: 1 }) });
    const { body } = await pair.run(TO_SHEET);
    const answer = await pair.post(`/sync/history/${body['run_id']}/cancel`);
    expect([answer.status, answer.body['code']]).toEqual([409, 'conflict']);
  });
});
