import { describe, expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import type { StoreClient } from '../../../src/sync/ports/store-client.ts';
import { PLACE } from '../../support/local-store.ts';
import { queueRun } from '../../support/sync-crashes.ts';
import {
  CONFIG,
  caller,
  gist,
  openShop,
  PRICES,
  type Shop,
  sheetRows,
  stock,
  useRuns,
} from '../../support/sync-runs.ts';

const setup = useRuns();

const HEADER = ['SKU', 'Stock'];
const ID = (nth: number) => `gid://shopify/ProductVariant/${nth}`;

/** Has the nth setting of quantities of the next run get no answer: before it is done, or after. */
async function syncUnanswered(
  shop: Shop,
  when: 'before' | 'after',
  nth = 1,
): Promise<ReturnType<typeof gist>> {
  let calls = 0;
  shop.store[when] = ({ name }) => {
    if (name !== 'setQuantities') return;
    calls += 1;
    if (calls === nth) throw new Fault('store_unavailable.no_answer', { domain: 'local' });
  };
  const run = await setup.node.sync();
  shop.store[when] = () => {};
  return gist(run);
}

function sets({ store }: Shop) {
  return store.log.filter(({ name }) => name === 'setQuantities');
}

describe('a run that comes with its plan keeps to it after a lost answer', () => {
  test('and takes back what it was asked to take back', async () => {
    const skus = Array.from({ length: 251 }, (_, nth) => `S${nth}`);
    const shop = await setup.open({
      variants: skus.map((sku) => ({ sku, available: 5 })),
      rows: [HEADER, ...skus.map((sku) => [sku, 50])],
      settings: { direction: 'sheet_to_store' },
    });
    expect(await syncUnanswered(shop, 'before', 2)).toMatchObject({ status: 'partial', changed: 250 });
    const [run] = (await setup.node.runs.list(caller.accountId, { limit: 1 })).items;
    const undone = await setup.node.end(await setup.node.runs.revert(caller, run?.id ?? ''));

    expect(undone.trigger).toBe('revert');
    expect(gist(undone)).toEqual({ status: 'succeeded', changed: 250, failed: 0, errors: [] });
    expect(Object.values(stock(shop)).filter((quantity) => quantity !== 5)).toEqual([]);
  });

  test('and gives both sides what was chosen', async () => {
    const shop = await setup.open({
      variants: ['A', 'B'].map((sku) => ({ sku, available: 5, price: '1.00' })),
      rows: [
        [...HEADER, 'Price'],
        ['A', 5, 1],
        ['B', 5, 1],
      ],
      settings: { direction: 'two_way', mappings: PRICES },
    });
    await setup.node.sync();
    shop.store.change(ID(1), { price: '2.00' });
    shop.sheet.set(2, 2, 3);
    shop.sheet.set(3, 1, 9);
    await syncUnanswered(shop, 'after');
    const chosen = [{ key: 'A', field: 'price', take: { value: '7' } }] as const;
    const run = await setup.node.end(await setup.node.runs.resolve(caller, CONFIG, chosen));

    expect(gist(run)).toEqual({ status: 'succeeded', changed: 1, failed: 0, errors: [] });
    expect(shop.store.find(ID(1))?.price).toBe('7.00');
    expect(sheetRows(shop)[0]).toEqual(['A', 5, 7]);
  });
});

test('a run that was given back and then canceled is ended by the next process, which knows what had been sent', async () => {
  const shop = await setup.open({
    variants: [{ sku: 'A', available: 10 }],
    rows: [HEADER, ['A', 10]],
    settings: { direction: 'two_way' },
  });
  await setup.node.sync();
  shop.store.change(ID(1), { available: 7 });
  shop.sheet.set(2, 1, 15);
  const sent = Promise.withResolvers<void>();
  const { sides } = shop;
  const setQuantities: StoreClient['setQuantities'] = async (changes, write) => {
    await shop.store.client.setQuantities(changes, write);
    sent.resolve();
    return aborted(write.signal);
  };
  shop.sides = () => ({ ...sides(), store: { ...shop.store.client, setQuantities } });
  const run = await setup.node.runs.create(caller, { config_id: CONFIG });
  await sent.promise;
  await setup.node.stop();
  expect(stock(shop)).toEqual({ A: 12 });
  shop.sides = sides;
  expect(await setup.node.runs.cancel(caller.accountId, run.id)).toMatchObject({ cancel_requested: true });

  await setup.start(shop);
  expect(await setup.node.end(run)).toMatchObject({ status: 'canceled', counts: { changed: 0 } });
  expect(gist(await setup.node.sync())).toEqual({ status: 'succeeded', changed: 1, failed: 0, errors: [] });
  expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 12 }, [['A', 12]]]);
});

test('a run that no worker has begun is canceled at once', async () => {
  const shop = await setup.open({ variants: [], rows: [HEADER], settings: { direction: 'store_to_sheet' } });
  await setup.node.stop();
  const run = await queueRun(setup.database, shop, 1);
  expect(await setup.node.runs.cancel(caller.accountId, run.id)).toMatchObject({ status: 'canceled' });
});

describe('the outcome of an earlier write is found without writing', () => {
  const given = {
    variants: [{ sku: 'A', available: 10 }],
    rows: [HEADER, ['A', 0]],
    settings: { direction: 'sheet_to_store' },
  } as const;

  test('by a run that goes to the sheet alone', async () => {
    const shop = await setup.open(given);
    expect(await syncUnanswered(shop, 'before')).toMatchObject({ status: 'failed' });
    shop.set({ direction: 'store_to_sheet' });
    expect(gist(await setup.node.sync())).toEqual({ status: 'succeeded', changed: 1, failed: 0, errors: [] });
    expect(sets(shop)).toHaveLength(1);
    expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 10 }, [['A', 10]]]);
  });

  test('also where the sheet has been put right since', async () => {
    const shop = await setup.open(given);
    await syncUnanswered(shop, 'before');
    shop.sheet.set(2, 1, 10);
    expect(gist(await setup.node.sync())).toEqual({ status: 'succeeded', changed: 0, failed: 0, errors: [] });
    expect(sets(shop)).toHaveLength(1);
  });

  test('at the place where it was to be set', async () => {
    const shop = openShop(given);
    const places: string[] = [];
    const { sides } = shop;
    const place = () => shop.settings.options.location_id ?? PLACE.id;
    const variants: StoreClient['variants'] = (ids, locationId, signal) => {
      places.push(locationId);
      return shop.store.client.variants(ids, locationId, signal);
    };
    // The store in memory has one place only.
    const read: StoreClient['read'] = (_locationId, signal) => shop.store.client.read(PLACE.id, signal);
    const store = { ...shop.store.client, variants, read };
    shop.sides = () => ({ ...sides(), store, locationId: place() });
    await setup.start(shop);
    await syncUnanswered(shop, 'before');
    shop.set({ direction: 'store_to_sheet', options: { location_id: 'gid://shopify/Location/2' } });
    expect(gist(await setup.node.sync())).toMatchObject({ status: 'succeeded' });
    expect(places).toEqual([PLACE.id]);
  });

  test.each(['before', 'after'] as const)(
    'and where it was lost %s it was done, and sold since, the store is asked what it did',
    async (when) => {
      const shop = await setup.open({
        ...given,
        rows: [HEADER, ['A', 10]],
        settings: { direction: 'two_way' },
      });
      await setup.node.sync();
      shop.sheet.set(2, 1, 60);
      await syncUnanswered(shop, when);
      shop.store.change(ID(1), { available: Number(stock(shop)['A']) - 3 });
      expect(gist(await setup.node.sync())).toEqual({
        status: 'succeeded',
        changed: 1,
        failed: 0,
        errors: [],
      });
      const [first, second] = sets(shop);
      expect(second).toEqual(first);
      expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 57 }, [['A', 57]]]);
    },
  );

  test('and a whole write has not arrived where other quantities are what they were', async () => {
    const shop = await setup.open({
      variants: ['A', 'B'].map((sku) => ({ sku, available: 10 })),
      rows: [HEADER, ['A', 10], ['B', 10]],
      settings: { direction: 'two_way' },
    });
    await setup.node.sync();
    shop.sheet.set(2, 1, 60);
    shop.sheet.set(3, 1, 60);
    await syncUnanswered(shop, 'before');
    shop.store.change(ID(1), { available: 7 });
    expect(gist(await setup.node.sync())).toEqual({ status: 'succeeded', changed: 2, failed: 0, errors: [] });
    expect([stock(shop), sheetRows(shop)]).toEqual([
      { A: 57, B: 60 },
      [
        ['A', 57],
        ['B', 60],
      ],
    ]);
  });
});

test.each(['add', 'ask'] as const)(
  'where the store came to the very sum on its own while it was written, both changes count: %s',
  async (equal_moves) => {
    const shop = await setup.open({
      variants: [{ sku: 'A', available: 10 }],
      rows: [HEADER, ['A', 10]],
      settings: { direction: 'two_way', options: { equal_moves } },
    });
    await setup.node.sync();
    shop.store.change(ID(1), { available: 8 });
    shop.sheet.set(2, 1, 15);
    shop.store.before = ({ name }) => {
      if (name !== 'setQuantities') return;
      shop.store.before = () => {};
      shop.store.change(ID(1), { available: 13 });
    };
    await setup.node.sync();
    await setup.node.sync();
    // 10 on both sides, then 13 in the store and 5 more in the sheet.
    expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 18 }, [['A', 18]]]);
  },
);

/** Never resolves: a call that ends only when it is told to. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
