import { describe, expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { CONFIG, caller, gist, PRICES, sheetRows, stock, useRuns } from '../../support/sync-runs.ts';

const setup = useRuns();

const HEADER = ['SKU', 'Stock'];

describe('a run', () => {
  test('from the store fills an empty sheet, and has nothing to do the second time', async () => {
    const shop = await setup.open({
      variants: [
        { sku: 'A', available: 3 },
        { sku: 'B', available: 0 },
      ],
      rows: [],
      settings: { direction: 'store_to_sheet' },
    });

    expect(gist(await setup.node.sync())).toEqual({ status: 'succeeded', changed: 2, failed: 0, errors: [] });
    expect(shop.sheet.rows()).toEqual([HEADER, ['A', 3], ['B', 0]]);
    shop.sheet.log.splice(0);
    const again = await setup.node.sync();
    expect(gist(again)).toEqual({ status: 'succeeded', changed: 0, failed: 0, errors: [] });
    expect(again.counts.unchanged).toBe(2);
    expect(shop.sheet.log).toEqual([{ name: 'read' }]);
  });

  test('from the sheet sets quantities and prices, and names the row the store refuses', async () => {
    const shop = await setup.open({
      variants: [
        { sku: 'A', available: 3, price: '1.00' },
        { sku: 'B', available: 4, price: '2.00' },
      ],
      rows: [
        [...HEADER, 'Price'],
        ['A', 5, 1.5],
        ['B', 6, 2],
      ],
      settings: { direction: 'sheet_to_store', mappings: PRICES },
    });
    shop.store.refusals.set('gid://shopify/InventoryItem/2', { code: 'X', message: 'Bundles have none.' });

    expect(gist(await setup.node.sync())).toEqual({
      status: 'partial',
      changed: 1,
      failed: 1,
      errors: [
        {
          key: 'refused_by_store',
          params: { reason: 'Bundles have none.' },
          row: 3,
          sku: 'B',
          field: 'inventory_quantity',
        },
      ],
    });
    expect(stock(shop)).toEqual({ A: 5, B: 4 });
    expect(shop.store.find('gid://shopify/ProductVariant/1')?.price).toBe('1.50');
  });

  test('both ways adds up quantities that both sides have changed', async () => {
    const shop = await setup.open({
      variants: [{ sku: 'A', available: 10 }],
      rows: [HEADER, ['A', 10]],
      settings: { direction: 'two_way' },
    });
    await setup.node.sync();
    shop.store.change('gid://shopify/ProductVariant/1', { available: 8 });
    shop.sheet.set(2, 1, 15);

    expect(gist(await setup.node.sync())).toMatchObject({ status: 'succeeded', changed: 1 });
    expect(stock(shop)).toEqual({ A: 13 });
    expect(sheetRows(shop)).toEqual([['A', 13]]);
    expect((await setup.node.sync()).counts).toMatchObject({ unchanged: 1, to_store: 0, to_sheet: 0 });
  });

  test('keeps a sale between the reading and the writing', async () => {
    const shop = await setup.open({
      variants: [{ sku: 'A', available: 10 }],
      rows: [HEADER, ['A', 10]],
      settings: { direction: 'two_way' },
    });
    await setup.node.sync();
    shop.sheet.set(2, 1, 60);
    shop.store.before = (call) => {
      if (call.name !== 'setQuantities') return;
      shop.store.before = () => {};
      shop.store.change('gid://shopify/ProductVariant/1', { available: 7 });
    };

    expect(gist(await setup.node.sync())).toMatchObject({ status: 'succeeded', changed: 1 });
    expect(stock(shop)).toEqual({ A: 57 });
    expect(gist(await setup.node.sync())).toMatchObject({ status: 'succeeded', changed: 1 });
    expect(sheetRows(shop)).toEqual([['A', 57]]);
  });

  test('tells an item that two variants share once, and counts what is sold of it once', async () => {
    const shop = await setup.open({
      variants: [
        { sku: 'A', available: 10, itemId: 'shared' },
        { sku: 'B', available: 10, itemId: 'shared' },
      ],
      rows: [HEADER, ['A', 10], ['B', 10]],
      settings: { direction: 'two_way' },
    });
    await setup.node.sync();
    shop.sheet.set(2, 1, 15);
    shop.sheet.set(3, 1, 15);
    await setup.node.sync();
    expect(stock(shop)).toEqual({ A: 15, B: 15 });
    shop.store.change('gid://shopify/ProductVariant/1', { available: 14 });
    await setup.node.sync();
    expect(stock(shop)).toEqual({ A: 14, B: 14 });
    expect(sheetRows(shop)).toEqual([
      ['A', 14],
      ['B', 14],
    ]);
  });

  test('that is refused by the store fails, says how many changes may have arrived, and marks the connection', async () => {
    const shop = await setup.open({
      variants: [{ sku: 'A', available: 10 }],
      rows: [HEADER, ['A', 1]],
      settings: { direction: 'sheet_to_store' },
    });
    const fault = new Fault('store_unauthorized.token', { domain: 'local.myshopify.com' });
    shop.store.before = ({ name }) => {
      if (name === 'setQuantities') throw fault;
    };

    expect(gist(await setup.node.sync())).toEqual({
      status: 'failed',
      changed: 0,
      failed: 0,
      errors: [
        { key: 'store_unauthorized.token', params: { domain: 'local.myshopify.com' } },
        { key: 'outcome_unknown', params: { count: 1 } },
      ],
    });
    expect(shop.refused).toEqual(['store store_unauthorized.token']);
  });

  test('without its header fails, and says which columns are missing', async () => {
    await setup.open({
      variants: [{ sku: 'A', available: 10 }],
      rows: [['Code', 'Count']],
      settings: { direction: 'sheet_to_store' },
    });
    expect(gist(await setup.node.sync())).toEqual({
      status: 'failed',
      changed: 0,
      failed: 0,
      errors: [{ key: 'header_not_found', params: { columns: 'SKU, Stock', found: 'Code, Count' } }],
    });
  });

  test('never overwrites a formula, nor a row that has changed since the plan', async () => {
    const shop = await setup.open({
      variants: [
        { sku: 'A', available: 1 },
        { sku: 'B', available: 2 },
        { sku: 'C', available: 3 },
      ],
      rows: [HEADER, ['A', { formula: '=2*5', result: 10 }], ['B', 10], ['C', 10]],
      settings: { direction: 'store_to_sheet' },
    });
    shop.sheet.before = ({ name }) => {
      if (name === 'readAllEntered') shop.sheet.set(3, 1, 11);
    };

    expect(gist(await setup.node.sync())).toEqual({
      status: 'partial',
      changed: 1,
      failed: 2,
      errors: [
        { key: 'formula_cell', row: 2, sku: 'A', field: 'inventory_quantity' },
        { key: 'sheet_changed', row: 3, sku: 'B', field: 'inventory_quantity' },
      ],
    });
    expect(sheetRows(shop)).toEqual([
      ['A', 10],
      ['B', 11],
      ['C', 3],
    ]);
  });

  test('reads numbers in text as people write them there by now, and asks how only for such', async () => {
    const shop = await setup.open({
      variants: [{ sku: 'A', available: 1, price: '2.00' }],
      rows: [
        [...HEADER, 'Price'],
        ['A', '1', 2],
      ],
      settings: { direction: 'sheet_to_store', mappings: PRICES },
    });
    const asked = () => shop.sheet.log.filter(({ name }) => name === 'locale').length;
    await setup.node.sync();
    expect(asked()).toBe(0);
    shop.sheet.locale = 'de_DE';
    shop.sheet.set(2, 2, '1,5');
    expect(gist(await setup.node.sync())).toMatchObject({ status: 'succeeded', changed: 1 });
    expect(shop.store.all().map(({ price }) => price)).toEqual(['1.50']);
    shop.set({ direction: 'store_to_sheet', mappings: PRICES });
    shop.store.change('gid://shopify/ProductVariant/1', { price: '4.00' });
    expect(gist(await setup.node.sync())).toMatchObject({ status: 'succeeded', changed: 1 });
    // To plan from the sheet, to plan to it, and to see again what is there before it is written.
    expect([sheetRows(shop), asked()]).toEqual([[['A', '1', 4]], 3]);
  });

  test('appends below what a person has entered since the plan', async () => {
    const shop = await setup.open({
      variants: [
        { sku: 'A', available: 1 },
        { sku: 'B', available: 2 },
      ],
      rows: [HEADER, ['A', 1]],
      settings: { direction: 'store_to_sheet' },
    });
    shop.sheet.before = ({ name }) => {
      if (name === 'readAllEntered') shop.sheet.set(3, 0, 'mine');
    };

    expect(gist(await setup.node.sync())).toMatchObject({ status: 'succeeded', changed: 1 });
    expect(sheetRows(shop)).toEqual([['A', 1], ['mine'], ['B', 2]]);
  });

  test('says in the status column how each row fared', async () => {
    const shop = await setup.open({
      variants: [
        { sku: 'A', available: 1 },
        { sku: 'B', available: 2 },
        { sku: 'C', available: 3 },
      ],
      rows: [
        [...HEADER, 'Sync'],
        ['A', 5, ''],
        ['B', 'many', ''],
        ['C', 3, 'old'],
        ['D', 1, ''],
      ],
      settings: { direction: 'sheet_to_store', options: { status_column: 'Sync' } },
    });
    await setup.node.sync();
    expect(sheetRows(shop)).toEqual([
      ['A', 5, 'ok'],
      ['B', 'many', 'many is not a whole number from 0 to 1,000,000,000. Fix the cell.'],
      ['C', 3, 'ok'],
      ['D', 1, 'The store has no item with this sku. Check its spelling, or delete the row.'],
    ]);
    shop.sheet.log.splice(0);
    await setup.node.sync();
    expect(shop.sheet.log).toEqual([{ name: 'read' }, { name: 'read' }]);
  });
});

describe('a plan', () => {
  const given = {
    variants: [{ sku: 'A', available: 10 }],
    rows: [HEADER, ['A', 1]],
    settings: { direction: 'sheet_to_store' },
  } as const;
  const work = { signal: new AbortController().signal, progress: () => {} };

  test('changes nothing until it is confirmed, once', async () => {
    const shop = await setup.open(given);
    const preview = await setup.node.runs.preview(caller, { config_id: CONFIG }, work);
    expect(preview).toMatchObject({
      status: 'awaiting_confirmation',
      dry_run: true,
      counts: { to_store: 1 },
    });
    expect(stock(shop)).toEqual({ A: 10 });

    const run = await setup.node.end(await setup.node.runs.confirm(caller.accountId, preview.id));
    expect(gist(run)).toEqual({ status: 'succeeded', changed: 1, failed: 0, errors: [] });
    expect(run.id).toBe(preview.id);
    expect(stock(shop)).toEqual({ A: 1 });
    await expect(setup.node.runs.confirm(caller.accountId, preview.id)).rejects.toMatchObject({
      key: 'conflict.plan_used',
    });
  });

  test('is not to be had by another account', async () => {
    await setup.open(given);
    const preview = await setup.node.runs.preview(caller, { config_id: CONFIG }, work);
    await expect(setup.node.runs.confirm('acc_other', preview.id)).rejects.toMatchObject({
      key: 'not_found.sync_plan',
    });
  });

  test('expires after half an hour, and is swept with what it has read', async () => {
    const shop = await setup.open(given);
    const preview = await setup.node.runs.preview(caller, { config_id: CONFIG }, work);
    shop.now = () => new Date(Date.now() + 31 * 60_000);
    await expect(setup.node.runs.confirm(caller.accountId, preview.id)).rejects.toMatchObject({
      key: 'conflict.plan_expired',
    });
    await setup.node.runs.sweep();
    await expect(setup.node.runs.get(caller.accountId, preview.id)).rejects.toMatchObject({
      key: 'not_found.sync_run',
    });
    const left = await setup.database
      .sql`select run_id from sync_read_store union all select run_id from sync_changes`;
    expect([...left]).toEqual([]);
  });

  test('is of before once another run has changed anything', async () => {
    await setup.open(given);
    const preview = await setup.node.runs.preview(caller, { config_id: CONFIG }, work);
    await setup.node.sync();
    await expect(setup.node.runs.confirm(caller.accountId, preview.id)).rejects.toMatchObject({
      key: 'conflict.plan_overtaken',
    });
  });

  test('that exceeds a safety limit waits for confirmation', async () => {
    const rows = Array.from({ length: 30 }, (_, nth) => [`S${nth}`, 1]);
    const shop = await setup.open({
      variants: rows.map(([sku]) => ({ sku: String(sku), available: 9 })),
      rows: [HEADER, ...rows],
      settings: {
        direction: 'sheet_to_store',
        options: { safety_limits: { ...LOOSE, changed_percent: 20 } },
      },
    });
    const held = await setup.node.sync();
    expect(held).toMatchObject({
      status: 'awaiting_confirmation',
      safety_limits_hit: [{ safety_limit: 'changed_percent', limit: 20, found: 100 }],
    });
    const run = await setup.node.end(await setup.node.runs.confirm(caller.accountId, held.id));
    expect(gist(run)).toMatchObject({ status: 'succeeded', changed: 30 });
    expect(stock(shop)['S29']).toBe(1);
  });

  test('that does not know which side is right waits for a person', async () => {
    const shop = await setup.open({ ...given, settings: { direction: 'two_way' } });
    const held = await setup.node.sync();
    expect(held).toMatchObject({
      status: 'awaiting_confirmation',
      errors: [{ key: 'undecided', params: { count: 1 } }],
    });
    expect(gist(await setup.node.sync({ request: { initial: 'sheet' } }))).toMatchObject({
      status: 'succeeded',
    });
    expect(stock(shop)).toEqual({ A: 1 });
  });

  test('that took long to read is not taken for a new one', async () => {
    const shop = await setup.open({
      variants: [{ sku: 'A', available: 5, price: '1.00' }],
      rows: [
        [...HEADER, 'Price'],
        ['A', 5, 1],
      ],
      settings: { direction: 'two_way', mappings: PRICES },
    });
    await setup.node.sync();
    shop.sheet.set(2, 2, 3);
    shop.store.after = ({ name }) => {
      if (name !== 'read') return;
      shop.store.after = () => {};
      const later = new Date(Date.now() + 20 * 60_000);
      shop.now = () => later;
      queueMicrotask(() => shop.store.change('gid://shopify/ProductVariant/1', { price: '2.00' }));
    };
    expect(await setup.node.sync()).toMatchObject({ errors: [{ key: 'store_changed', field: 'price' }] });
    expect(shop.store.all().map(({ price }) => price)).toEqual(['2.00']);
  });

  test('older than a minute leaves alone what the store has changed since', async () => {
    const shop = await setup.open({
      variants: [
        { sku: 'A', available: 1, price: '1.00' },
        { sku: 'B', available: 1, price: '1.00' },
      ],
      rows: [
        [...HEADER, 'Price'],
        ['A', 1, 2],
        ['B', 1, 2],
      ],
      settings: { direction: 'sheet_to_store', mappings: PRICES },
    });
    const preview = await setup.node.runs.preview(caller, { config_id: CONFIG }, work);
    shop.store.change('gid://shopify/ProductVariant/1', { price: '9.00' });
    shop.now = () => new Date(Date.now() + 2 * 60_000);
    const run = await setup.node.end(await setup.node.runs.confirm(caller.accountId, preview.id));
    expect(gist(run)).toEqual({
      status: 'partial',
      changed: 1,
      failed: 1,
      errors: [{ key: 'store_changed', row: 2, sku: 'A', field: 'price' }],
    });
    expect(shop.store.all().map(({ price }) => price)).toEqual(['9.00', '2.00']);
  });
});

const LOOSE = { changed_percent: 100, zeroed_percent: 100, shrunk_percent: 100, price_percent: 100 };
