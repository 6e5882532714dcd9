import { describe, expect, test } from 'vitest';
import { createReaper, execute, giveUp, queueRun } from '../../support/sync-crashes.ts';
import { CONFIG, caller, gist, PRICES, type Shop, sheetRows, useRuns } from '../../support/sync-runs.ts';

const setup = useRuns();

const HEADER = ['SKU', 'Stock'];
const ID = (nth: number) => `gid://shopify/ProductVariant/${nth}`;
const done = { status: 'succeeded', failed: 0, errors: [] };

describe('a conflict', () => {
  const given = {
    variants: [
      { sku: 'A', available: 1, price: '1.00' },
      { sku: 'B', available: 1, price: '1.00' },
      { sku: 'C', available: 1, price: '1.00' },
    ],
    rows: [
      [...HEADER, 'Price'],
      ['A', 1, 1],
      ['B', 1, 1],
      ['C', 1, 1],
    ],
    settings: { direction: 'two_way', mappings: PRICES },
  } as const;

  async function held(): Promise<Shop> {
    const shop = await setup.open(given);
    await setup.node.sync();
    for (const nth of [1, 2, 3]) {
      shop.store.change(ID(nth), { price: '2.00' });
      shop.sheet.set(nth + 1, 2, 3);
    }
    await setup.node.sync();
    return shop;
  }

  test('is held with both values, and each is given what was chosen', async () => {
    const shop = await held();
    const conflicts = await setup.node.runs.conflicts(caller.accountId, { config_id: CONFIG });
    expect(conflicts.map(({ run_id: _, found_at: __, ...conflict }) => conflict)).toEqual(
      ['A', 'B', 'C'].map((key, nth) => ({
        config_id: CONFIG,
        key,
        row: nth + 2,
        field: 'price',
        store: '2.00',
        sheet: '3.00',
        code: 'conflict',
      })),
    );

    const run = await setup.node.end(
      await setup.node.runs.resolve(caller, CONFIG, [
        { key: 'A', field: 'price', take: 'store' },
        { key: 'B', field: 'price', take: { value: '4.5' } },
      ]),
    );
    expect(gist(run)).toEqual({ ...done, changed: 2 });
    expect(shop.store.all().map(({ price }) => price)).toEqual(['2.00', '4.50', '2.00']);
    expect(sheetRows(shop).map(([, , price]) => price)).toEqual([2, 4.5, 3]);
    const left = await setup.node.runs.conflicts(caller.accountId, {});
    expect(left.map(({ key }) => key)).toEqual(['C']);
    expect((await setup.node.sync()).counts).toMatchObject({ unchanged: 2, conflicts: 1 });
  });

  test('is not to be resolved by a value that is none, nor where there is none', async () => {
    await held();
    await expect(
      setup.node.runs.resolve(caller, CONFIG, [{ key: 'A', field: 'price', take: { value: 'much' } }]),
    ).rejects.toMatchObject({ key: 'validation_failed.sync_value' });
    await expect(
      setup.node.runs.resolve(caller, CONFIG, [{ key: 'Z', field: 'price', take: 'store' }]),
    ).rejects.toMatchObject({ key: 'not_found.sync_conflict' });
    await expect(
      setup.node.runs.resolve({ ...caller, accountId: 'acc_other' }, CONFIG, [
        { key: 'A', field: 'price', take: 'store' },
      ]),
    ).rejects.toMatchObject({ key: 'not_found.sync_conflict' });
  });
});

describe('a run under way', () => {
  const given = {
    variants: [{ sku: 'A', available: 1, price: '1.00' }],
    rows: [
      [...HEADER, 'Price'],
      ['A', 5, 2],
    ],
    settings: { direction: 'sheet_to_store', mappings: PRICES },
  } as const;

  test('is canceled after the batch it is at, and keeps others from the pair until then', async () => {
    const shop = await setup.open(given);
    const reached = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    shop.store.before = async ({ name }) => {
      if (name !== 'setQuantities') return;
      reached.resolve();
      await go.promise;
    };
    const run = await setup.node.runs.create(caller, { config_id: CONFIG });
    await reached.promise;
    await expect(setup.node.runs.create(caller, { config_id: CONFIG })).rejects.toMatchObject({
      key: 'sync_running.sheet',
      params: { run: run.id },
    });
    await expect(setup.node.runs.revert(caller, run.id)).rejects.toMatchObject({
      key: 'conflict.sync_run_unfinished',
    });
    await setup.node.runs.cancel(caller.accountId, run.id);
    go.resolve();

    expect(gist(await setup.node.end(run))).toEqual({
      status: 'canceled',
      changed: 1,
      failed: 0,
      errors: [],
    });
    expect(shop.store.find(ID(1))).toMatchObject({ available: 5, price: '1.00' });
    const rows = await setup.node.runs.rows(caller.accountId, run.id, { limit: 1 });
    expect(rows.items.map(({ field, state }) => [field, state])).toEqual([['inventory_quantity', 'applied']]);
    const rest = await setup.node.runs.rows(caller.accountId, run.id, {
      limit: 1,
      cursor: rows.next_cursor ?? undefined,
    });
    expect(rest.items.map(({ field, state }) => [field, state])).toEqual([['price', 'skipped']]);
    await setup.node.runs.cancel(caller.accountId, run.id);

    const again = await setup.node.end(await setup.node.runs.retry(caller, run.id));
    expect(gist(again)).toEqual({ ...done, changed: 1 });
    await expect(setup.node.runs.cancel(caller.accountId, again.id)).rejects.toMatchObject({
      key: 'conflict.sync_run_finished',
    });
  });

  test('goes on in another process when its own stops, and what had arrived counts once', async () => {
    const shop = await setup.open(given);
    const reached = Promise.withResolvers<void>();
    const { sides } = shop;
    shop.sides = () => ({
      ...sides(),
      store: {
        ...shop.store.client,
        async setQuantities(changes, write) {
          await shop.store.client.setQuantities(changes, write);
          reached.resolve();
          return aborted(write.signal);
        },
      },
    });
    const run = await setup.node.runs.create(caller, { config_id: CONFIG });
    await reached.promise;
    await setup.node.stop();
    expect(await setup.node.runs.get(caller.accountId, run.id)).toMatchObject({
      status: 'queued',
      attempt: 1,
    });
    shop.sides = sides;
    await setup.start(shop);

    expect(gist(await setup.node.end(run))).toEqual({ ...done, changed: 1 });
    expect(shop.store.find(ID(1))).toMatchObject({ available: 5, price: '2.00' });
    const sets = shop.store.log.filter(({ name }) => name === 'setQuantities');
    expect(sets).toHaveLength(2);
    expect(sets[0]).toEqual(sets[1]);
  });
});

/** Never resolves: a call that ends only when it is told to. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

describe('the queue', () => {
  const given = {
    variants: [{ sku: 'A', available: 1 }],
    rows: [],
    settings: { direction: 'store_to_sheet' },
  } as const;

  test('gives up a run whose workers were lost one after the other', async () => {
    const shop = await setup.open(given);
    const run = await queueRun(setup.database, shop, 1);
    for (const at of [4, 8, 12])
      await execute(setup.database, shop, { run, retry: at / 4 - 1, reaper: createReaper(at) });
    await giveUp(setup.database, shop, run);
    expect(gist(await setup.node.runs.get(caller.accountId, run.id))).toEqual({
      status: 'failed',
      changed: 0,
      failed: 0,
      errors: [{ key: 'internal.job_lost', params: {} }],
    });
  });
});
