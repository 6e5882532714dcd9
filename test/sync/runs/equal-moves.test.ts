import { expect, test } from 'vitest';
import { CONFIG, caller, PRICES, type Shop, sheetRows, stock, useRuns } from '../../support/sync-runs.ts';

const setup = useRuns();
const ID = 'gid://shopify/ProductVariant/1';

/** Ten on both sides, then nine on both: one sold in the store, one at the counter. A price is typed as well. */
async function bothSold(equal_moves: 'add' | 'ask'): Promise<Shop> {
  const shop = await setup.open({
    variants: [{ sku: 'A', available: 10, price: '1.00' }],
    rows: [
      ['SKU', 'Stock', 'Price'],
      ['A', 10, 1],
    ],
    settings: { direction: 'two_way', mappings: PRICES, options: { equal_moves } },
  });
  await setup.node.sync();
  shop.store.change(ID, { available: 9 });
  shop.sheet.set(2, 1, 9);
  return shop;
}

test('two equal changes of a quantity both count, once', async () => {
  const shop = await bothSold('add');
  for (const changed of [1, 0, 0]) {
    expect(await setup.node.sync()).toMatchObject({ status: 'succeeded', counts: { changed }, errors: [] });
    expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 8 }, [['A', 8, 1]]]);
  }
});

test('a store that is given the very value during the write has changed as well', async () => {
  const shop = await bothSold('add');
  shop.store.change(ID, { available: 10 });
  let sold = false;
  shop.store.before = ({ name }) => {
    if (name !== 'setQuantities' || sold) return;
    sold = true;
    shop.store.change(ID, { available: 9 });
  };
  await setup.node.sync();
  await setup.node.sync();
  expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 8 }, [['A', 8, 1]]]);
});

test.each([
  ['store', 9],
  [{ value: '8' }, 8],
] as const)('or a person is asked, until they have answered: %j', async (take, right) => {
  const shop = await bothSold('ask');
  shop.sheet.set(2, 2, 1.5);
  for (const _ of [1, 2]) {
    const { errors } = await setup.node.sync();
    expect(errors).toMatchObject([{ key: 'equal_moves', params: { base: '10', quantity: '9' } }]);
  }
  expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 9 }, [['A', 9, 1.5]]]);
  const resolution = { key: 'A', field: 'inventory_quantity', take } as const;
  await setup.node.end(await setup.node.runs.resolve(caller, CONFIG, [resolution]));
  expect(await setup.node.sync()).toMatchObject({ status: 'succeeded', errors: [] });
  expect([stock(shop), sheetRows(shop)]).toEqual([{ A: right }, [['A', right, 1.5]]]);
});

test('a formula that follows the store is added up at most once, and never by itself again', async () => {
  const shop = await bothSold('add');
  const follow = (available: number) => shop.sheet.set(2, 1, { formula: '=Shop!B2', result: available });
  follow(9);
  await setup.node.sync();
  expect(stock(shop)).toEqual({ A: 8 });
  for (const _ of [1, 2, 3]) {
    follow(8);
    await setup.node.sync();
    expect(stock(shop)).toEqual({ A: 8 });
  }
});
