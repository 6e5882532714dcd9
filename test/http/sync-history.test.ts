import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HEADER, openPairs, type Pair, type Pairs, shelf, stocked } from '../support/sync-pairs.ts';
import { readEvents } from './event-reader.ts';

let pairs: Pairs;
beforeAll(async () => {
  pairs = await openPairs();
});
afterAll(() => pairs.close());

const TO_SHEET = { direction: 'store_to_sheet' };
const TO_STORE = { direction: 'sheet_to_store' };
const listed = (stock: Readonly<Record<string, number>>) => [HEADER, ...Object.entries(stock)];
type Item = { id: string; status: string; direction: string };

/** The run when it has ended. */
async function ended(pair: Pair, id: unknown) {
  await expect
    .poll(async () => (await pair.rest('GET', `/sync/history/${id}`)).body['finished_at'])
    .not.toBeNull();
  return (await pair.rest('GET', `/sync/history/${id}`)).body;
}

describe('the history', () => {
  test('lists runs newest first, page by page, and by configuration and status', async () => {
    const pair = await pairs.open({ products: stocked({ A: 1, B: 2 }), rows: listed({ A: 5, X: 1 }) });
    const down = await pair.config(TO_SHEET);
    const up = await pair.config(TO_STORE);
    const ids: unknown[] = [];
    for (const config_id of [up, down, down]) ids.unshift((await pair.run({ config_id })).body['run_id']);

    const first = await pair.rest('GET', '/sync/history?limit=2');
    const second = await pair.rest('GET', `/sync/history?limit=2&cursor=${first.body['next_cursor']}`);
    const items = [first, second].flatMap(({ body }) => body['items'] as Item[]);
    expect(items.map(({ id }) => id)).toEqual(ids);
    expect(second.body['next_cursor']).toBeNull();

    const of = async (query: string) =>
      ((await pair.rest('GET', `/sync/history?${query}`)).body['items'] as Item[]).map(({ id }) => id);
    expect(await of(`config_id=${up}`)).toEqual([ids[2]]);
    expect(await of('status=partial')).toEqual([ids[2]]);
    expect(await of(`config_id=${down}&status=failed`)).toEqual([]);
    expect((await pair.rest('GET', '/sync/history?status=lost')).status).toBe(422);
    expect((await pair.rest('GET', '/sync/history?cursor=nonsense')).status).toBe(422);
  });

  test('tells of each run what it did, what it took, and cell by cell', async () => {
    const pair = await pairs.open({
      products: stocked({ A: 1, B: 2, C: 3 }),
      rows: listed({ A: 5, B: 6, X: 1 }),
    });
    const { body } = await pair.run(TO_STORE);
    const path = `/sync/history/${body['run_id']}`;
    expect((await pair.rest('GET', path)).body).toMatchObject({
      id: body['run_id'],
      ...{ ...pair.ids, trigger: 'manual', direction: 'sheet_to_store', dry_run: false, status: 'partial' },
      counts: { store_rows: 3, sheet_rows: 3, to_store: 2, changed: 2, skipped: 1 },
      errors: [{ code: 'not_in_store', row: 4, sku: 'X' }],
      api_calls: { sheet_reads: expect.any(Number), sheet_writes: 0, store_calls: expect.any(Number) },
      ...{ reverts_run: null, safety_limits_hit: [], expires_at: null },
      started_at: expect.any(String),
      finished_at: expect.any(String),
    });
    const rows = await pair.rest('GET', `${path}/rows?limit=1`);
    expect(rows.body).toMatchObject({
      items: [{ key: 'A', row: 2, side: 'store', from: '1', to: '5', state: 'applied' }],
    });
    const next = await pair.rest('GET', `${path}/rows?limit=1&cursor=${rows.body['next_cursor']}`);
    expect(next.body).toMatchObject({ items: [{ key: 'B', row: 3, from: '2', to: '6' }] });
    expect((await pair.rest('GET', `${path}/rows?state=failed`)).body).toEqual({
      items: [],
      next_cursor: null,
    });
  });
});

describe('undo', () => {
  test('takes a run back, except what was sold since', async () => {
    const pair = await pairs.open({
      products: stocked({ A: 10, B: 10, C: 10 }),
      rows: listed({ A: 20, B: 30, C: 10 }),
    });
    const { body: run } = await pair.run(TO_STORE);
    expect(pair.stock()).toEqual({ A: 20, B: 30, C: 10 });
    pair.shop.sell('A', 3);
    const begun = await pair.post(`/sync/history/${run['run_id']}/revert`);
    expect(begun).toMatchObject({ status: 200, body: { trigger: 'revert', reverts_run: run['run_id'] } });
    expect(await ended(pair, begun.body['id'])).toMatchObject({
      status: 'partial',
      changed: 1,
      errors: [{ code: 'store_changed', sku: 'A', field: 'inventory_quantity' }],
    });
    expect(pair.stock()).toEqual({ A: 17, B: 10, C: 10 });
  });

  test('empties what a run has written into the sheet', async () => {
    const pair = await pairs.open({ products: stocked({ A: 1, B: 2 }), rows: listed({ A: 9 }) });
    const { body: run } = await pair.run(TO_SHEET);
    expect(pair.rows()).toEqual(listed({ A: 1, B: 2 }));
    const begun = await pair.post(`/sync/history/${run['run_id']}/revert`);
    await ended(pair, begun.body['id']);
    expect(pair.rows()).toEqual(listed({ A: 9 }));
  });

  test('has nothing to take back of a run that changed nothing', async () => {
    const pair = await pairs.open({ products: stocked({ A: 1 }), rows: listed({ A: 1 }) });
    const { body: run } = await pair.run(TO_STORE);
    const answer = await pair.post(`/sync/history/${run['run_id']}/revert`);
    expect([answer.status, answer.body['code']]).toEqual([409, 'conflict']);
  });
});

describe('the events of a run', () => {
  const follow = (pair: Pair, id: unknown, headers: Record<string, string> = {}) =>
    fetch(`${pairs.url}/sync/history/${id}/events`, {
      headers: { authorization: `Bearer ${pair.key}`, ...headers },
    });

  test('tell its progress, and end with its end: each is the run as it is answered', async () => {
    const pair = await pairs.open({ products: stocked({ A: 1, B: 2 }), rows: [HEADER] });
    const { body } = await pair.run({ ...TO_SHEET, wait_seconds: 0 });
    const events = await Array.fromAsync(readEvents(await follow(pair, body['run_id'])));
    expect(events.slice(0, -1).map(({ event }) => event)).toEqual(events.slice(0, -1).map(() => 'progress'));
    const ids = events.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
    const last = events.at(-1);
    expect(last).toMatchObject({ event: 'succeeded', data: { status: 'succeeded', changed: 2 } });
    expect(last?.data).toEqual((await pair.rest('GET', `/sync/history/${body['run_id']}`)).body);
    const seen = { 'last-event-id': String(last?.id) };
    expect((await follow(pair, body['run_id'], seen)).status).toBe(204);
  });

  test('of another account are not there', async () => {
    const pair = await pairs.open({ products: stocked({ A: 1 }), rows: [HEADER] });
    const stranger = await pairs.open({});
    const { body } = await pair.run(TO_SHEET);
    expect((await follow(stranger, body['run_id'])).status).toBe(404);
  });
});

describe('what follows a run is waited for', () => {
  test.each([
    ['revert', (pair: Pair, run: unknown) => pair.post(`/sync/history/${run}/revert`)],
    ['retry', (pair: Pair, run: unknown) => pair.post(`/sync/history/${run}/retry`, {})],
  ] as const)('%s', async (_, follow) => {
    const pair = await pairs.open({ products: stocked({ A: 10 }), rows: listed({ A: 20 }) });
    const { body: run } = await pair.run(TO_STORE);
    expect(await follow(pair, run['run_id'])).toMatchObject({ status: 200, body: { status: 'succeeded' } });
  });

  test('but not where wait_seconds is 0', async () => {
    const pair = await pairs.open({ products: stocked({ A: 10 }), rows: listed({ A: 20 }) });
    const { body: run } = await pair.run(TO_STORE);
    const answer = await pair.post(`/sync/history/${run['run_id']}/revert`, { wait_seconds: 0 });
    expect(answer.body['status']).toMatch(/queued|planning|applying/);
    await ended(pair, answer.body['id']);
  });
});

describe('retry', () => {
  test('runs the same configuration again', async () => {
    const pair = await pairs.open({ products: stocked({ A: 1 }), rows: listed({ A: 4 }) });
    pair.shop.setMood('unpaid');
    const { body: failed } = await pair.run(TO_STORE);
    expect(failed).toMatchObject({ status: 'failed' });
    pair.shop.setMood('well');
    const begun = await pair.post(`/sync/history/${failed['run_id']}/retry`);
    expect(begun).toMatchObject({ status: 200, body: { trigger: 'retry' } });
    expect(await ended(pair, begun.body['id'])).toMatchObject({ status: 'succeeded', changed: 1 });
    expect(pair.stock()).toEqual({ A: 4 });
  });
});

describe('two-way', () => {
  test('adds up what both sides changed of a quantity, and moves single changes across', async () => {
    const pair = await pairs.open({ products: stocked(shelf(3, 10)), rows: [HEADER] });
    await pair.run({ direction: 'two_way' });
    expect(pair.rows()).toEqual(listed(shelf(3, 10)));
    pair.shop.sell('S001', 4);
    pair.book.type('Sheet1', 'B2', 60);
    pair.shop.sell('S002', 1);
    pair.book.type('Sheet1', 'B4', 11);
    expect((await pair.run({ direction: 'two_way' })).body).toMatchObject({
      status: 'succeeded',
      changed: 3,
    });
    const both = { S001: 56, S002: 9, S003: 11 };
    expect([pair.stock(), pair.rows()]).toEqual([both, listed(both)]);
    expect((await pair.run({ direction: 'two_way' })).body).toMatchObject({ unchanged: 3, changed: 0 });
  });

  test('holds what both changed where nothing says which is right, until somebody says so', async () => {
    const pair = await pairs.open({ products: stocked({ A: 10, B: 10 }), rows: listed({ A: 10, B: 10 }) });
    const config_id = await pair.config({ direction: 'two_way', quantity_merge: false });
    await pair.run({ config_id });
    pair.shop.setQuantity('A', 8);
    pair.shop.setQuantity('B', 8);
    pair.book.type('Sheet1', 'B2', 15);
    pair.book.type('Sheet1', 'B3', 15);
    expect((await pair.run({ config_id })).body).toMatchObject({ changed: 0 });
    expect([pair.stock(), pair.rows()]).toEqual([{ A: 8, B: 8 }, listed({ A: 15, B: 15 })]);

    const { body } = await pair.rest('GET', `/sync/conflicts?config_id=${config_id}`);
    const held = { config_id, field: 'inventory_quantity', store: '8', sheet: '15', code: 'conflict' };
    expect(body['items']).toMatchObject([
      { ...held, key: 'A', row: 2, message: expect.stringContaining('8 in the store, 15 in the sheet') },
      { ...held, key: 'B', row: 3 },
    ]);

    const resolve = (resolutions: object[]) =>
      pair.post('/sync/conflicts/resolve', { config_id, resolutions });
    const chosen = await resolve([
      { key: 'A', field: 'inventory_quantity', take: 'sheet' },
      { key: 'B', field: 'inventory_quantity', take: 'value', value: '12' },
    ]);
    expect(chosen.status).toBe(200);
    expect(await ended(pair, chosen.body['id'])).toMatchObject({ status: 'succeeded' });
    expect([pair.stock(), pair.rows()]).toEqual([{ A: 15, B: 12 }, listed({ A: 15, B: 12 })]);
    expect((await pair.rest('GET', '/sync/conflicts')).body).toEqual({ items: [] });
    const again = await resolve([{ key: 'A', field: 'inventory_quantity', take: 'store' }]);
    expect([again.status, again.body['code']]).toEqual([404, 'not_found']);
    expect((await resolve([])).status).toBe(422);
    expect((await resolve([{ key: 'A', field: 'colour', take: 'store' }])).status).toBe(422);
  });
});
