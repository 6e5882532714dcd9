import { describe, expect, test } from 'vitest';
import { type Mapping, SyncOptions, type SyncSettings } from '../../../src/sync/config.ts';
import { type ConfigChange, checkSettings } from '../../../src/sync/configs/config-change.ts';
import { PRICE, SKU, STOCK, useConfigs } from './use-configs.ts';

const setup = useConfigs();
const { create, update } = setup;

describe('a new configuration', () => {
  test('is as usual where nothing else is said', async () => {
    const made = await create();
    expect(made).toEqual({
      id: expect.stringMatching(/^cfg_/),
      ...setup.here.pair,
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
      create_products: false,
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
    expect(await setup.shop.configs.get(setup.here.accountId, made.id)).toEqual(made);
    expect(await setup.shop.configs.settingsOf(setup.here.accountId, made.id)).toEqual({
      id: made.id,
      ...setup.here.pair,
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
    const other = await setup.shop.newPair();
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
    expect((await setup.shop.configs.get(setup.here.accountId, id)).mappings).toEqual([SKU, STOCK]);
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
    await expect(setup.shop.configs.delete(setup.here.accountId, id, ['1'])).rejects.toMatchObject({
      key: 'precondition_failed.etag',
    });
    expect((await update(id, { enabled: true }, ['1', '2'])).version).toBe(3);
    await setup.shop.configs.delete(setup.here.accountId, id, ['3']);
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
      await setup.shop.leaveBase(id);
      await update(id, change);
      expect(await setup.shop.hasBase(id)).toBe(isKept);
    },
  );

  test('from one way to the other keeps how both sides stood', async () => {
    const { id } = await create({ direction: 'store_to_sheet' });
    await setup.shop.leaveBase(id);
    await update(id, { direction: 'sheet_to_store' });
    expect(await setup.shop.hasBase(id)).toBe(true);
  });

  test('of what it means waits for the end of a run, and a plan of before can no longer be carried out', async () => {
    const { id } = await create();
    await setup.shop.leaveBase(id);
    const plan = await setup.shop.leaveRun(id, 'awaiting_confirmation');
    const run = await setup.shop.leaveRun(id, 'planning');
    const change = { mappings: [SKU, PRICE] };
    await expect(update(id, change)).rejects.toMatchObject({ key: 'sync_running.sheet', params: { run } });
    await update(id, { options: { conflict_policy: 'sheet_wins' } });
    const isOpen = async () =>
      (await setup.shop.sql`select 1 from sync_runs where id = ${plan} and expires_at > now()`).length > 0;
    expect([await setup.shop.hasBase(id), await isOpen()]).toEqual([true, true]);
    await setup.shop.sql`update sync_runs set status = 'succeeded' where id = ${run}`;
    await update(id, change);
    expect([await setup.shop.hasBase(id), await isOpen()]).toEqual([false, false]);
  });

  test('can give it another store and sheet of the account, and no others', async () => {
    const { id } = await create();
    const { id: store_id } = await setup.shop.connectStore(setup.here.accountId, 'second.myshopify.com');
    expect((await update(id, { store_id })).store_id).toBe(store_id);
    const other = await setup.shop.newPair();
    await expect(update(id, { store_id: other.storeId })).rejects.toMatchObject({ key: 'not_found.store' });
    await expect(update(id, { sheet_id: other.sheetId })).rejects.toMatchObject({ key: 'not_found.sheet' });
  });
});

describe('a run that names a store and a sheet', () => {
  const implicit = (direction: 'two_way' | 'store_to_sheet' = 'two_way') =>
    setup.shop.configs.implicitFor(setup.here.accountId, setup.here.storeId, setup.here.sheetId, direction);

  test('goes by the documented layout where there is nothing else, made once and not listed', async () => {
    const found = await Promise.all([implicit(), implicit(), implicit()]);
    expect(new Set(found.map(({ id }) => id)).size).toBe(1);
    expect(found[0]).toEqual({
      id: expect.stringMatching(/^cfg_/),
      ...setup.here.pair,
      settings: { direction: 'two_way', mappings: [SKU, STOCK], options: SyncOptions.parse({}) },
    });
    expect(await setup.shop.configs.list(setup.here.accountId, { limit: 10 })).toEqual({
      items: [],
      next_cursor: null,
    });
    const made = found[0]?.id ?? '';
    expect(await setup.shop.configs.get(setup.here.accountId, made)).toMatchObject({ implicit: true });
    await expect(update(made, { enabled: false })).rejects.toMatchObject({ key: 'not_found.sync_config' });
    await expect(setup.shop.configs.delete(setup.here.accountId, made)).rejects.toMatchObject({
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
    const other = await setup.shop.newPair();
    const call = (storeId: string, sheetId: string) =>
      setup.shop.configs.implicitFor(setup.here.accountId, storeId, sheetId, 'two_way');
    await expect(call(other.storeId, setup.here.sheetId)).rejects.toMatchObject({ key: 'not_found.store' });
    await expect(call(setup.here.storeId, other.sheetId)).rejects.toMatchObject({ key: 'not_found.sheet' });
  });
});

test('configurations are listed newest first, page by page', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) ids.unshift((await create()).id);
  const first = await setup.shop.configs.list(setup.here.accountId, { limit: 2 });
  const second = await setup.shop.configs.list(setup.here.accountId, {
    limit: 2,
    cursor: first.next_cursor ?? undefined,
  });
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
});

test('deleting one takes the history of its runs along, but not one under way', async () => {
  const { id } = await create();
  const kept = await create();
  await setup.shop.leaveBase(id);
  await setup.shop.leaveBase(kept.id);
  const done = await setup.shop.leaveRun(id, 'succeeded');
  const run = await setup.shop.leaveRun(id, 'queued');
  await expect(setup.shop.configs.delete(setup.here.accountId, id)).rejects.toMatchObject({
    key: 'sync_running.sheet',
    params: { run },
  });
  await setup.shop.sql`update sync_runs set status = 'canceled' where id = ${run}`;
  await setup.shop.configs.delete(setup.here.accountId, id);
  expect([
    ...(await setup.shop.sql`select run_id from sync_changes where run_id in (${done}, ${run})`),
  ]).toEqual([]);
  expect([...(await setup.shop.sql`select id from sync_runs where config_id = ${id}`)]).toEqual([]);
  expect([await setup.shop.hasBase(id), await setup.shop.hasBase(kept.id)]).toEqual([false, true]);
});

test("another account's configuration is like an unknown one", async () => {
  const { id } = await create();
  const { accountId: stranger } = await setup.shop.newPair();
  const calls = (config: string) => [
    () => setup.shop.configs.get(stranger, config),
    () => setup.shop.configs.update(stranger, config, { enabled: false }),
    () => setup.shop.configs.delete(stranger, config),
    () => setup.shop.configs.settingsOf(stranger, config),
  ];
  for (const config of [id, 'cfg_nobody'])
    for (const call of calls(config))
      await expect(call()).rejects.toMatchObject({ key: 'not_found.sync_config', params: { id: config } });
  expect(await setup.shop.configs.list(stranger, { limit: 10 })).toEqual({ items: [], next_cursor: null });
});
