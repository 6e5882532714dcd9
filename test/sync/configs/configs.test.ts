import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Mapping, SyncOptions, type SyncSettings } from '../../../src/sync/config.ts';
import {
  type ConfigChange,
  type ConfigRequest,
  checkSettings,
} from '../../../src/sync/configs/config-change.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openWorkshop, type Workshop } from '../../support/sync-connections.ts';

let database: TestDatabase;
let shop: Workshop;
let here: Awaited<ReturnType<Workshop['newPair']>>;

const NOW = Date.parse('2026-11-21T12:00:00Z');
const at = (minutes: number) => new Date(NOW + minutes * 60_000);

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  shop = openWorkshop(database, { now: () => NOW });
  here = await shop.newPair();
});

const SKU = { sheet_column: 'SKU', store_field: 'sku' } as const;
const STOCK = { sheet_column: 'Stock', store_field: 'inventory_quantity' } as const;
const PRICE = { sheet_column: 'Price', store_field: 'price' } as const;

const create = (more: Partial<ConfigRequest> = {}) =>
  shop.configs.create(here.accountId, {
    ...here.pair,
    direction: 'two_way',
    mappings: [SKU, STOCK],
    ...more,
  });

const update = (id: string, change: ConfigChange, ifMatch?: string[]) =>
  shop.configs.update(here.accountId, id, change, ifMatch);

describe('a new configuration', () => {
  test('is as usual where nothing else is said', async () => {
    const made = await create();
    expect(made).toEqual({
      id: expect.stringMatching(/^cfg_/),
      ...here.pair,
      direction: 'two_way',
      mappings: [SKU, STOCK],
      implicit: false,
      key: 'sku',
      conflict_policy: 'ask',
      quantity_merge: true,
      equal_moves: 'add',
      stale_rows: 'keep',
      blank_means: 'nothing',
      activate: false,
      add_columns: false,
      safety_limits: { changed_percent: 20, zeroed_percent: 5, shrunk_percent: 30, price_percent: 50 },
      schedule: null,
      realtime: false,
      enabled: true,
      version: 1,
      next_run_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await shop.configs.get(here.accountId, made.id)).toEqual(made);
    expect(await shop.configs.settingsOf(here.accountId, made.id)).toEqual({
      id: made.id,
      ...here.pair,
      settings: { direction: 'two_way', mappings: [SKU, STOCK], options: SyncOptions.parse({}) },
    });
  });

  test('keeps all that is said', async () => {
    const options = {
      key: 'handle',
      key_column: 'Handle',
      location_id: 'gid://shopify/Location/2',
      conflict_policy: 'sheet_wins',
      quantity_merge: false,
      stale_rows: 'mark',
      blank_means: 'clear',
      safety_limits: { changed_percent: 100 },
      status_column: 'Sync status',
    } as const;
    const made = await create({ options, schedule: { every_minutes: 60 }, realtime: true, enabled: false });
    expect(made).toMatchObject({
      ...options,
      safety_limits: { changed_percent: 100, zeroed_percent: 5, shrunk_percent: 30, price_percent: 50 },
      schedule: { every_minutes: 60 },
      realtime: true,
      enabled: false,
      next_run_at: null,
    });
  });

  test("is only for the account's own store and sheet", async () => {
    const other = await shop.newPair();
    const { store_id, sheet_id } = other.pair;
    await expect(create({ store_id })).rejects.toMatchObject({
      key: 'not_found.store',
      params: { id: store_id },
    });
    await expect(create({ sheet_id })).rejects.toMatchObject({
      key: 'not_found.sheet',
      params: { id: sheet_id },
    });
  });
});

describe('mappings', () => {
  const settings = (
    mappings: readonly Mapping[],
    options: object = {},
    direction: SyncSettings['direction'] = 'two_way',
  ): SyncSettings => ({ direction, mappings: [...mappings], options: SyncOptions.parse(options) });

  const GRAMS = { sheet_column: 'Grams', store_field: 'grams' } as const;
  const WEIGHT = { sheet_column: 'Weight', store_field: 'weight' } as const;

  test.each<[string, SyncSettings, object]>([
    [
      'a column twice, whatever its case',
      settings([SKU, { ...STOCK, sheet_column: 'sku' }]),
      { key: 'validation_failed.mapping_columns', params: { column: 'sku' } },
    ],
    [
      'a status column that is mapped',
      settings([SKU, STOCK], { status_column: 'Stock' }),
      { key: 'validation_failed.mapping_columns', params: { column: 'Stock' } },
    ],
    [
      'a key column that is mapped to something else',
      settings([STOCK], { key: 'handle', key_column: 'STOCK' }),
      { key: 'validation_failed.mapping_columns', params: { column: 'STOCK' } },
    ],
    [
      'a field twice',
      settings([SKU, STOCK, { ...STOCK, sheet_column: 'More' }]),
      { key: 'validation_failed.mapping_fields', params: { field: 'inventory_quantity' } },
    ],
    ['no key', settings([STOCK, PRICE]), { key: 'validation_failed.mapping_key', params: { key: 'sku' } }],
    [
      'a key that no field is, without its column',
      settings([SKU, STOCK], { key: 'variant_id' }),
      { key: 'validation_failed.mapping_key', params: { key: 'variant_id' } },
    ],
    [
      'weight and grams towards the store',
      settings([SKU, GRAMS, WEIGHT]),
      { key: 'validation_failed.mapping_weight' },
    ],
    [
      'nothing but the key towards the store',
      settings([SKU], {}, 'sheet_to_store'),
      { key: 'validation_failed.mapping_nothing', params: { key: 'sku' } },
    ],
  ])('with %s are refused', (_what, given, fault) => {
    expect(() => checkSettings(given)).toThrow(expect.objectContaining({ ...fault, status: 422 }));
  });

  test.each<[string, SyncSettings]>([
    ['weight and grams towards the sheet', settings([SKU, GRAMS, WEIGHT], {}, 'store_to_sheet')],
    ['only the key towards the sheet', settings([SKU], {}, 'store_to_sheet')],
    ['a key that no field is, in a column', settings([SKU, STOCK], { key: 'variant_id', key_column: 'ID' })],
    [
      'a SKU that is not the key',
      settings([SKU, { sheet_column: 'EAN', store_field: 'barcode' }], { key: 'barcode' }),
    ],
  ])('with %s are kept as they are', (_what, given) => {
    expect(checkSettings(given)).toEqual(given);
  });

  test('that have the key make a key column needless', () => {
    expect(checkSettings(settings([SKU, STOCK], { key_column: 'Code' })).options).toEqual(
      SyncOptions.parse({}),
    );
  });

  test('are checked at creation and at every change', async () => {
    const twice = { key: 'validation_failed.mapping_fields' };
    const mappings = [SKU, STOCK, { ...STOCK, sheet_column: 'More' }];
    await expect(create({ mappings })).rejects.toMatchObject(twice);
    const { id } = await create();
    await expect(update(id, { mappings })).rejects.toMatchObject(twice);
    await expect(update(id, { mappings: [STOCK] })).rejects.toMatchObject({
      key: 'validation_failed.mapping_key',
    });
    expect((await shop.configs.get(here.accountId, id)).mappings).toEqual([SKU, STOCK]);
  });
});

describe('a change', () => {
  test('leaves what it does not name, and counts the version up', async () => {
    const options = {
      conflict_policy: 'store_wins',
      safety_limits: { changed_percent: 50 },
      status_column: 'Sync',
    } as const;
    const made = await create({ options, schedule: { every_minutes: 60 } });
    const changed = await update(made.id, { options: { safety_limits: { price_percent: 10 } } });
    expect(changed).toEqual({
      ...made,
      safety_limits: { ...made.safety_limits, price_percent: 10 },
      version: 2,
      updated_at: expect.any(String),
    });
  });

  test('with null puts an option back to what is usual', async () => {
    const options = {
      conflict_policy: 'store_wins',
      location_id: 'somewhere',
      status_column: 'Sync',
    } as const;
    const { id } = await create({ options, schedule: { every_minutes: 60 } });
    const nothing = { conflict_policy: null, location_id: null, status_column: null };
    const changed = await update(id, { options: nothing, schedule: null });
    expect(changed).toMatchObject({ conflict_policy: 'ask', schedule: null, next_run_at: null });
    expect([changed.location_id, changed.status_column]).toEqual([undefined, undefined]);
  });

  test('by If-Match is only made to the version that was read', async () => {
    const { id } = await create();
    await update(id, { enabled: false }, ['1']);
    await expect(update(id, { enabled: true }, ['1'])).rejects.toMatchObject({
      key: 'precondition_failed.etag',
    });
    await expect(shop.configs.delete(here.accountId, id, ['1'])).rejects.toMatchObject({
      key: 'precondition_failed.etag',
    });
    expect((await update(id, { enabled: true }, ['1', '2'])).version).toBe(3);
    await shop.configs.delete(here.accountId, id, ['3']);
  });

  test.each<[string, ConfigChange, boolean]>([
    ['other mappings', { mappings: [SKU, STOCK, PRICE] }, false],
    ['the same mappings in another order', { mappings: [STOCK, SKU] }, false],
    ['another key', { options: { key: 'handle', key_column: 'Handle' } }, false],
    ['another location', { options: { location_id: 'elsewhere' } }, false],
    ['one way', { direction: 'store_to_sheet' }, false],
    ['the same mappings', { mappings: [SKU, STOCK] }, true],
    ['both ways still', { direction: 'two_way' }, true],
    [
      'another policy and pace',
      { options: { conflict_policy: 'sheet_wins' }, schedule: { every_minutes: 30 } },
      true,
    ],
  ])(
    'to %s: how both sides stood is kept only where it still says something',
    async (_what, change, isKept) => {
      const { id } = await create();
      await shop.leaveBase(id);
      await update(id, change);
      expect(await shop.hasBase(id)).toBe(isKept);
    },
  );

  test('from one way to the other keeps how both sides stood', async () => {
    const { id } = await create({ direction: 'store_to_sheet' });
    await shop.leaveBase(id);
    await update(id, { direction: 'sheet_to_store' });
    expect(await shop.hasBase(id)).toBe(true);
  });

  test('of what it means waits for the end of a run, and a plan of before can no longer be carried out', async () => {
    const { id } = await create();
    await shop.leaveBase(id);
    const plan = await shop.leaveRun(id, 'awaiting_confirmation');
    const run = await shop.leaveRun(id, 'planning');
    const change = { mappings: [SKU, PRICE] };
    await expect(update(id, change)).rejects.toMatchObject({ key: 'sync_running.sheet', params: { run } });
    await update(id, { options: { conflict_policy: 'sheet_wins' } });
    const isOpen = async () =>
      (await shop.sql`select 1 from sync_runs where id = ${plan} and expires_at > now()`).length > 0;
    expect([await shop.hasBase(id), await isOpen()]).toEqual([true, true]);
    await shop.sql`update sync_runs set status = 'succeeded' where id = ${run}`;
    await update(id, change);
    expect([await shop.hasBase(id), await isOpen()]).toEqual([false, false]);
  });

  test('can give it another store and sheet of the account, and no others', async () => {
    const { id } = await create();
    const { id: store_id } = await shop.connectStore(here.accountId, 'second.myshopify.com');
    expect((await update(id, { store_id })).store_id).toBe(store_id);
    const other = await shop.newPair();
    await expect(update(id, { store_id: other.storeId })).rejects.toMatchObject({ key: 'not_found.store' });
    await expect(update(id, { sheet_id: other.sheetId })).rejects.toMatchObject({ key: 'not_found.sheet' });
  });
});

describe('runs automatically', () => {
  beforeEach(async () => {
    // What is due is due in all accounts.
    await database.reset();
    here = await shop.newPair();
  });

  test.each<['free' | 'pro' | 'pro_api', Partial<ConfigRequest>, object | undefined]>([
    ['free', { schedule: { every_minutes: 60 } }, { key: 'plan_required.auto_sync', status: 403 }],
    ['free', { realtime: true }, { key: 'plan_required.auto_sync' }],
    ['free', { schedule: null, realtime: false }, undefined],
    [
      'pro',
      { schedule: { every_minutes: 14 } },
      { key: 'plan_limit.schedule', params: { plan: 'pro', minutes: 15 } },
    ],
    ['pro', { schedule: { every_minutes: 15 }, realtime: true }, undefined],
    [
      'pro_api',
      { schedule: { every_minutes: 4 } },
      { key: 'plan_limit.schedule', params: { plan: 'pro_api', minutes: 5 } },
    ],
    ['pro_api', { schedule: { every_minutes: 5 } }, undefined],
  ])('as the plan %s allows: %j', async (plan, pace, fault) => {
    await shop.setPlan(here.accountId, plan);
    const outcome = (call: Promise<unknown>) =>
      call.then(
        () => undefined,
        (error: unknown) => error,
      );
    const { id } = await create();
    for (const error of [await outcome(create(pace)), await outcome(update(id, pace as ConfigChange))])
      if (fault) expect(error).toMatchObject(fault);
      else expect(error).toBeUndefined();
  });

  test('can be changed and turned off, but not on, without the plan it was made with', async () => {
    const { id } = await create({ schedule: { every_minutes: 60 } });
    await shop.setPlan(here.accountId, 'free');
    await update(id, { mappings: [SKU, PRICE] });
    await update(id, { enabled: false });
    await expect(update(id, { enabled: true })).rejects.toMatchObject({ key: 'plan_required.auto_sync' });
    expect((await update(id, { enabled: true, schedule: null })).schedule).toBeNull();
  });

  test('after its pace, handed out once however many ask', async () => {
    const { id } = await create({ schedule: { every_minutes: 15 } });
    expect((await shop.configs.get(here.accountId, id)).next_run_at).toBe('2026-11-21T12:15:00.000Z');
    expect(await shop.configs.due(at(14), 10)).toEqual([]);
    await shop.copyConfig(id, 500);
    const claims = await Promise.all(Array.from({ length: 8 }, () => shop.configs.due(at(15), 1000)));
    const claimed = claims.flat();
    expect([claimed.length, new Set(claimed.map((config) => config.id)).size]).toEqual([501, 501]);
    expect(claimed).toContainEqual({ id, accountId: here.accountId, trigger: 'schedule' });
    expect((await shop.configs.get(here.accountId, id)).next_run_at).toBe('2026-11-21T12:30:00.000Z');
  });

  test('as many as are asked for, the longest due first', async () => {
    const late = await create({ schedule: { every_minutes: 30 } });
    const later = await create({ schedule: { every_minutes: 40 } });
    const ids = async () => (await shop.configs.due(at(60), 1)).map(({ id }) => id);
    expect([await ids(), await ids(), await ids()]).toEqual([[late.id], [later.id], []]);
  });

  test('soon after news of its store, where it wants them', async () => {
    const { id } = await create({ realtime: true });
    const paced = await create({ schedule: { every_minutes: 60 } });
    const next = async () => (await shop.configs.get(here.accountId, id)).next_run_at;
    expect(await next()).toBe('2026-11-21T12:15:00.000Z');
    await shop.addWebhook(here.storeId, at(0));
    await shop.configs.makeStoreDue(here.storeId, at(1));
    await shop.configs.makeStoreDue(here.storeId, at(2));
    expect(await next()).toBe('2026-11-21T12:01:00.000Z');
    expect((await shop.configs.get(here.accountId, paced.id)).next_run_at).toBe('2026-11-21T13:00:00.000Z');
    expect(await shop.configs.due(at(1), 10)).toEqual([
      { id, accountId: here.accountId, trigger: 'webhook' },
    ]);
    expect(await next()).toBe('2026-11-21T12:16:00.000Z');
    await shop.configs.makeDue(id, at(3));
    expect(await next()).toBe('2026-11-21T12:03:00.000Z');
  });

  test('reads what its store has named, and all of it once a day, after too many, or while a plan waits', async () => {
    const { id } = await create({ realtime: true });
    const claim = (minutes: number) => shop.configs.due(at(minutes), 10);
    const all = [{ id, accountId: here.accountId, trigger: 'webhook' }];
    const named = async (minutes: number, items: readonly string[]) => {
      await shop.addWebhook(here.storeId, at(minutes));
      await shop.configs.makeStoreDue(here.storeId, at(minutes), items);
    };
    await named(1, ['a']);
    expect(await claim(1)).toEqual(all);
    await shop.leaveRun(id, 'succeeded', at(1));

    await named(2, ['a', 'b']);
    await named(2, ['b', 'c']);
    const some = [{ id, accountId: here.accountId, trigger: 'webhook', items: ['a', 'b', 'c'] }];
    expect(await claim(2)).toEqual(some);
    await shop.configs.makeDue(id, at(2), ['a', 'b', 'c']);
    expect(await claim(2)).toEqual(some);

    await named(
      3,
      Array.from({ length: 501 }, (_, nth) => `item ${nth}`),
    );
    expect(await claim(3)).toEqual(all);
    await shop.configs.makeDue(id, at(3));
    expect(await claim(3)).toEqual(all);

    const plan = await shop.leaveRun(id, 'awaiting_confirmation', at(3));
    await shop.sql`update sync_runs set dry_run = false where id = ${plan}`;
    await named(4, ['a']);
    expect(await claim(4)).toEqual(all);
    await shop.sql`update sync_runs set status = 'succeeded' where id = ${plan}`;
    await named(4 + 1440, ['a']);
    expect(await claim(4 + 1440)).toEqual(all);
    await named(5 + 1440, ['a']);
    await update(id, { mappings: [SKU, PRICE] });
    await shop.configs.makeStoreDue(here.storeId, at(6 + 1440), ['a']);
    expect(await claim(6 + 1440)).toEqual(all);
  });

  test('by news alone once a day while they come and are made good, and often while its store is silent', async () => {
    const { id } = await create({ realtime: true });
    const scheduled = [{ id, accountId: here.accountId, trigger: 'schedule' }];
    const next = async () => (await shop.configs.get(here.accountId, id)).next_run_at;
    expect(await shop.configs.due(at(15), 10)).toEqual(scheduled);
    expect(await next()).toBe('2026-11-21T12:30:00.000Z');
    await shop.addWebhook(here.storeId, at(20));
    expect(await shop.configs.due(at(30), 10)).toEqual(scheduled);
    await shop.leaveRun(id, 'failed', at(30));
    expect(await next()).toBe('2026-11-21T12:45:00.000Z');
    expect(await shop.configs.due(at(45), 10)).toEqual(scheduled);
    await shop.leaveRun(id, 'succeeded', at(45));
    expect(await shop.configs.due(at(60), 10)).toEqual([]);
    expect(await next()).toBe('2026-11-22T12:45:00.000Z');
    expect(await shop.configs.due(at(45 + 1440), 10)).toEqual(scheduled);
    expect(await next()).toBe('2026-11-22T13:00:00.000Z');
  });

  test('not while it is disabled, its store or sheet has to be connected again, or rests', async () => {
    const { id } = await create({ schedule: { every_minutes: 15 } });
    const dueAt = async (minutes: number) =>
      (await shop.configs.due(at(minutes), 10)).map((config) => config.id);
    await shop.stores.markReconnect(here.accountId, here.storeId);
    expect(await dueAt(15)).toEqual([]);
    await shop.sql`update sync_stores set status = 'connected'`;
    await shop.sheets.markReconnect(here.accountId, here.sheetId);
    expect(await dueAt(15)).toEqual([]);
    await shop.sql`update sync_sheets set status = 'connected'`;
    expect(await dueAt(15)).toEqual([id]);
    await update(id, { enabled: false });
    expect(await dueAt(600)).toEqual([]);
    expect((await update(id, { enabled: true })).next_run_at).toBe('2026-11-21T12:15:00.000Z');
  });

  test('not without the plan, at its slower pace, and not where there is no room for its store', async () => {
    const { id } = await create({ schedule: { every_minutes: 5 } });
    const next = async () => (await shop.configs.get(here.accountId, id)).next_run_at;
    await shop.setPlan(here.accountId, 'free');
    expect(await shop.configs.due(at(5), 10)).toEqual([]);
    expect(await next()).toBe('2026-11-21T12:10:00.000Z');
    await shop.setPlan(here.accountId, 'pro');
    expect(await shop.configs.due(at(10), 10)).toHaveLength(1);
    expect(await next()).toBe('2026-11-21T12:25:00.000Z');
    await shop.setPlan(here.accountId, 'pro_api');
    for (let count = 0; count < 5; count += 1) {
      const { id: store_id } = await shop.connectStore(here.accountId, `shop-${count}.myshopify.com`);
      await update(id, { store_id });
    }
    await shop.setPlan(here.accountId, 'pro');
    expect(await shop.configs.due(at(25), 10)).toEqual([]);
  });
});

describe('a run that names a store and a sheet', () => {
  const implicit = (direction: 'two_way' | 'store_to_sheet' = 'two_way') =>
    shop.configs.implicitFor(here.accountId, here.storeId, here.sheetId, direction);

  test('goes by the documented layout where there is nothing else, made once and not listed', async () => {
    const found = await Promise.all([implicit(), implicit(), implicit()]);
    expect(new Set(found.map(({ id }) => id)).size).toBe(1);
    expect(found[0]).toEqual({
      id: expect.stringMatching(/^cfg_/),
      ...here.pair,
      settings: { direction: 'two_way', mappings: [SKU, STOCK], options: SyncOptions.parse({}) },
    });
    expect(await shop.configs.list(here.accountId, { limit: 10 })).toEqual({ items: [], next_cursor: null });
    const made = found[0]?.id ?? '';
    expect(await shop.configs.get(here.accountId, made)).toMatchObject({ implicit: true });
    await expect(update(made, { enabled: false })).rejects.toMatchObject({ key: 'not_found.sync_config' });
    await expect(shop.configs.delete(here.accountId, made)).rejects.toMatchObject({
      key: 'not_found.sync_config',
    });
    expect((await implicit('store_to_sheet')).id).not.toBe(made);
  });

  test('goes by the latest changed configuration of that direction which is enabled', async () => {
    const { id: made } = await implicit();
    const older = await create({ mappings: [SKU, PRICE] });
    const newer = await create();
    await create({ direction: 'store_to_sheet' });
    expect((await implicit()).id).toBe(newer.id);
    await update(older.id, { options: { conflict_policy: 'ask' } });
    expect((await implicit()).id).toBe(older.id);
    await update(older.id, { enabled: false });
    expect((await implicit()).id).toBe(newer.id);
    await update(newer.id, { enabled: false });
    expect((await implicit()).id).toBe(made);
  });

  test("is only for the account's own", async () => {
    const other = await shop.newPair();
    const call = (storeId: string, sheetId: string) =>
      shop.configs.implicitFor(here.accountId, storeId, sheetId, 'two_way');
    await expect(call(other.storeId, here.sheetId)).rejects.toMatchObject({ key: 'not_found.store' });
    await expect(call(here.storeId, other.sheetId)).rejects.toMatchObject({ key: 'not_found.sheet' });
  });
});

test('configurations are listed newest first, page by page', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) ids.unshift((await create()).id);
  const first = await shop.configs.list(here.accountId, { limit: 2 });
  const second = await shop.configs.list(here.accountId, {
    limit: 2,
    cursor: first.next_cursor ?? undefined,
  });
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
});

test('deleting one takes the history of its runs along, but not one under way', async () => {
  const { id } = await create();
  const kept = await create();
  await shop.leaveBase(id);
  await shop.leaveBase(kept.id);
  const done = await shop.leaveRun(id, 'succeeded');
  const run = await shop.leaveRun(id, 'queued');
  await expect(shop.configs.delete(here.accountId, id)).rejects.toMatchObject({
    key: 'sync_running.sheet',
    params: { run },
  });
  await shop.sql`update sync_runs set status = 'canceled' where id = ${run}`;
  await shop.configs.delete(here.accountId, id);
  expect([...(await shop.sql`select run_id from sync_changes where run_id in (${done}, ${run})`)]).toEqual(
    [],
  );
  expect([...(await shop.sql`select id from sync_runs where config_id = ${id}`)]).toEqual([]);
  expect([await shop.hasBase(id), await shop.hasBase(kept.id)]).toEqual([false, true]);
});

test("another account's configuration is like an unknown one", async () => {
  const { id } = await create();
  const { accountId: stranger } = await shop.newPair();
  const calls = (config: string) => [
    () => shop.configs.get(stranger, config),
    () => shop.configs.update(stranger, config, { enabled: false }),
    () => shop.configs.delete(stranger, config),
    () => shop.configs.settingsOf(stranger, config),
  ];
  for (const config of [id, 'cfg_nobody'])
    for (const call of calls(config))
      await expect(call()).rejects.toMatchObject({ key: 'not_found.sync_config', params: { id: config } });
  expect(await shop.configs.list(stranger, { limit: 10 })).toEqual({ items: [], next_cursor: null });
});
