import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { PLACE } from '../../support/local-store.ts';
import { OTHER_PLACE, openWorkshop, signal, type Workshop } from '../../support/sync-connections.ts';

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

const TOKEN = 'shpat_0123456789abcdef';

describe('secrets', () => {
  test('are sealed in the table, each for its row and column', async () => {
    const request = { domain: 'my-shop.myshopify.com', token: TOKEN, webhookSecret: 'whsec_0123456789' };
    const one = await shop.stores.connect(accountId, request, signal);
    const two = await shop.connectStore(accountId, 'b.myshopify.com', 'shpat_of-another-store');
    const rows = await shop.sql`select s::text as text from sync_stores s where account_id = ${accountId}`;
    const text = rows.map((row) => String(row['text'])).join();
    expect(text).not.toMatch(/0123456789|of-another/);
    await shop.sql`
      update sync_stores set credentials = (select credentials from sync_stores where id = ${one.id})
      where id = ${two.id}`;
    await expect(shop.stores.openFor(accountId, two.id)).rejects.toThrow('was not sealed there');
  });

  test('a short one is not given away by its end', async () => {
    expect((await shop.connectStore(accountId, 'my-shop.myshopify.com', 'short')).token_hint).toBe('');
  });

  test('a client signs webhooks with its own secret unless another is said; a token alone has none', async () => {
    const domain = 'my-shop.myshopify.com';
    const client = { clientId: 'client', clientSecret: 'secret-of-client' };
    const others = [await shop.newAccount(), await shop.newAccount()];
    const stores = [
      await shop.stores.connect(accountId, { domain, ...client }, signal),
      await shop.stores.connect(others[0] ?? '', { domain, ...client, webhookSecret: 'said' }, signal),
      await shop.connectStore(others[1] ?? '', domain),
    ];
    const listeners = async () =>
      (await shop.stores.listeners(domain))
        .filter(({ storeId }) => stores.some(({ id }) => id === storeId))
        .map(({ webhookSecret }) => webhookSecret);
    expect(await listeners()).toEqual(['secret-of-client', 'said', null]);
    const renewed = { clientId: 'client', clientSecret: 'another-secret' };
    await shop.stores.update(accountId, stores[0]?.id ?? '', renewed, signal);
    await shop.stores.update(others[0] ?? '', stores[1]?.id ?? '', { locationId: OTHER_PLACE.id }, signal);
    expect(await listeners()).toEqual(['another-secret', 'said', null]);
    await shop.stores.markDisconnected(accountId, stores[0]?.id ?? '');
    expect(await listeners()).toEqual(['said', null]);
  });
});

describe('a connected store', () => {
  test('takes a new token once the store has taken it', async () => {
    const { id } = await shop.connectStore(accountId);
    await shop.stores.markReconnect(accountId, id);
    await expect(shop.stores.update(accountId, id, { token: 'revoked' }, signal)).rejects.toMatchObject({
      code: 'store_unauthorized',
    });
    const before = await shop.stores.openFor(accountId, id);
    expect([before.store.status, shop.opened.stores.at(-1)?.credentials]).toEqual([
      'reconnect_required',
      { token: TOKEN },
    ]);
    const updated = await shop.stores.update(accountId, id, { token: 'shpat_renewed-0002' }, signal);
    expect([updated.status, updated.token_hint]).toEqual(['connected', '0002']);
    expect(updated).toEqual(await shop.stores.get(accountId, id));
    await shop.stores.openFor(accountId, id);
    expect(shop.opened.stores.at(-1)?.credentials).toEqual({ token: 'shpat_renewed-0002' });
  });

  test('keeps a token that is entered while another is being tried', async () => {
    const { id } = await shop.connectStore(accountId);
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    shop.store.before = async () => {
      shop.store.before = () => {};
      asked.resolve();
      await answered.promise;
    };
    const testing = shop.stores.test(accountId, id, signal);
    await asked.promise;
    const updated = await shop.stores.update(accountId, id, { token: 'shpat_renewed-0003' }, signal);
    answered.resolve();
    expect([updated.token_hint, (await testing).token_hint]).toEqual(['0003', '0003']);
    await shop.stores.openFor(accountId, id);
    expect(shop.opened.stores.at(-1)?.credentials).toEqual({ token: 'shpat_renewed-0003' });
  });

  test('is not to be connected again for what a run that began before was refused', async () => {
    const { id } = await shop.connectStore(accountId);
    const began = new Date(Date.now() - 1_000);
    await shop.stores.markReconnect(accountId, id, began);
    expect((await shop.stores.get(accountId, id)).status).toBe('connected');
    await shop.stores.markReconnect(accountId, id, new Date(Date.now() + 1_000));
    expect((await shop.stores.get(accountId, id)).status).toBe('reconnect_required');
  });

  test('that counts elsewhere starts over, where a configuration does not say where to count', async () => {
    const { accountId, storeId, pair } = await shop.newPair();
    const own = { direction: 'two_way', mappings: MAPPINGS } as const;
    const following = await shop.configs.create(accountId, { ...pair, ...own });
    const fixed = await shop.configs.create(accountId, {
      ...pair,
      ...own,
      options: { location_id: PLACE.id },
    });
    for (const { id } of [following, fixed]) await shop.leaveBase(id);
    await shop.stores.update(accountId, storeId, { locationId: PLACE.id }, signal);
    expect(await shop.hasBase(following.id)).toBe(true);
    const run = await shop.leaveRun(following.id, 'applying');
    const move = () => shop.stores.update(accountId, storeId, { locationId: OTHER_PLACE.id }, signal);
    await expect(move()).rejects.toMatchObject({ key: 'sync_running.sheet', params: { run } });
    expect((await shop.stores.get(accountId, storeId)).location_id).toBe(PLACE.id);
    await shop.sql`update sync_runs set status = 'succeeded' where id = ${run}`;
    expect((await move()).location_id).toBe(OTHER_PLACE.id);
    expect([await shop.hasBase(following.id), await shop.hasBase(fixed.id)]).toEqual([false, true]);
  });

  test('is tested: one that refuses is to be connected again, one that answers is connected', async () => {
    const { id } = await shop.connectStore(accountId);
    shop.store.before = () => {
      throw new Fault('store_unavailable.no_answer', { domain: 'x' });
    };
    await expect(shop.stores.test(accountId, id, signal)).rejects.toMatchObject({
      key: 'store_unavailable.unreached',
      params: { domain: 'my-shop.myshopify.com' },
    });
    expect((await shop.stores.get(accountId, id)).status).toBe('connected');
    shop.store.before = () => {
      throw new Fault('store_unauthorized.token', { domain: 'x' });
    };
    await expect(shop.stores.test(accountId, id, signal)).rejects.toMatchObject({
      code: 'store_unauthorized',
    });
    expect((await shop.stores.get(accountId, id)).status).toBe('reconnect_required');
    shop.store.before = () => {};
    expect((await shop.stores.test(accountId, id, signal)).status).toBe('connected');
  });

  test('tells its locations', async () => {
    const { id } = await shop.connectStore(accountId);
    expect(await shop.stores.locations(accountId, id, signal)).toEqual([PLACE, OTHER_PLACE]);
  });

  test('is listed newest first, page by page', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c'])
      ids.unshift((await shop.connectStore(accountId, `${name}.myshopify.com`)).id);
    const first = await shop.stores.list(accountId, { limit: 2 });
    const second = await shop.stores.list(accountId, { limit: 2, cursor: first.next_cursor ?? undefined });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
    expect(second.next_cursor).toBeNull();
  });

  test('is claimed once a day to be asked for webhooks, where a configuration wants them', async () => {
    const { accountId, storeId, pair } = await shop.newPair();
    await shop.stores.update(accountId, storeId, { webhookSecret: 'whsec_0123456789' }, signal);
    const claim = async (moment: string) =>
      (await shop.stores.claimUnsubscribed(new Date(moment), 1000)).filter(
        (claimed) => claimed.storeId === storeId,
      );
    expect(await claim('2026-11-21T12:00:00Z')).toEqual([]);
    await shop.configs.create(accountId, {
      ...pair,
      direction: 'two_way',
      mappings: MAPPINGS,
      realtime: true,
    });
    expect(await claim('2026-11-21T12:00:00Z')).toEqual([{ accountId, storeId }]);
    expect(await claim('2026-11-22T11:59:00Z')).toEqual([]);
    expect(await claim('2026-11-22T12:01:00Z')).toEqual([{ accountId, storeId }]);
  });
});

const MAPPINGS = [
  { sheet_column: 'SKU', store_field: 'sku' },
  { sheet_column: 'Stock', store_field: 'inventory_quantity' },
] as const;

describe('deleting', () => {
  test('a store that nothing uses is gone', async () => {
    const { id } = await shop.connectStore(accountId);
    await shop.stores.delete(accountId, id, { cascade: false });
    await expect(shop.stores.get(accountId, id)).rejects.toMatchObject({ key: 'not_found.store' });
  });

  test('one that configurations use is kept, unless they are to go with all they left', async () => {
    const { accountId, storeId, pair } = await shop.newPair();
    const { id } = await shop.configs.create(accountId, {
      ...pair,
      direction: 'two_way',
      mappings: MAPPINGS,
    });
    await shop.leaveBase(id);
    const run = await shop.leaveRun(id, 'applying');
    const kept = shop.stores.delete(accountId, storeId, { cascade: false });
    await expect(kept).rejects.toMatchObject({ key: 'conflict.sync_in_use', params: { configs: id } });
    const busy = shop.stores.delete(accountId, storeId, { cascade: true });
    await expect(busy).rejects.toMatchObject({ key: 'sync_running.sheet', params: { run } });
    await shop.sql`update sync_runs set status = 'failed' where id = ${run}`;
    await shop.stores.delete(accountId, storeId, { cascade: true });
    const left = await shop.sql`
      select 'config' from sync_configs where id = ${id}
      union all select 'run' from sync_runs where id = ${run}
      union all select 'change' from sync_changes where run_id = ${run}
      union all select 'read' from sync_read_store where run_id = ${run}
      union all select 'base' from sync_base where config_id = ${id}`;
    expect([...left]).toEqual([]);
  });

  test('a configuration that only a run made holds nothing', async () => {
    const { accountId, storeId, sheetId } = await shop.newPair();
    await shop.configs.implicitFor(accountId, storeId, sheetId, 'store_to_sheet');
    await shop.stores.delete(accountId, storeId, { cascade: false });
    await shop.sheets.delete(accountId, sheetId, { cascade: false });
  });
});

test("another account's store is like an unknown one", async () => {
  const { id } = await shop.connectStore(accountId);
  const stranger = await shop.newAccount();
  const calls = (store: string) => [
    () => shop.stores.get(stranger, store),
    () => shop.stores.update(stranger, store, { token: 'mine' }, signal),
    () => shop.stores.delete(stranger, store, { cascade: true }),
    () => shop.stores.test(stranger, store, signal),
    () => shop.stores.locations(stranger, store, signal),
    () => shop.stores.openFor(stranger, store),
  ];
  for (const store of [id, 'sto_nobody'])
    for (const call of calls(store))
      await expect(call()).rejects.toMatchObject({ key: 'not_found.store', params: { id: store } });
  await shop.stores.markReconnect(stranger, id);
  expect((await shop.stores.get(accountId, id)).status).toBe('connected');
  expect(await shop.stores.list(stranger, { limit: 10 })).toEqual({ items: [], next_cursor: null });
});
