import { expect, test } from 'vitest';
import { readPage, UPDATE_PRODUCT } from '../../../src/providers/shopify/operations.ts';
import { openShop } from './open-shop.ts';

const SHELVES = { products: [{ title: 'Bead', variants: Array.from({ length: 300 }, () => ({})) }] };

test('a page of 250 costs far less than its objects, and what was spent is told', async () => {
  const shop = openShop({ shop: SHELVES });
  const { cost } = await shop.ask(readPage([]), { first: 250, location: shop.emulator.locations()[0]?.id });
  expect(cost).toEqual({
    requestedQueryCost: 86,
    actualQueryCost: 86,
    throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 1914, restoreRate: 100 },
  });
});

test('what a page did not have is given back', async () => {
  const shop = openShop();
  const { cost } = await shop.ask(readPage([]), { first: 250, location: shop.place() });
  expect(cost).toMatchObject({
    requestedQueryCost: 86,
    actualQueryCost: 23,
    throttleStatus: { currentlyAvailable: 1977 },
  });
});

test('a mutation costs 10 points', async () => {
  const shop = openShop();
  const { cost } = await shop.ask(UPDATE_PRODUCT, { product: { id: shop.product('PLATE'), title: 'Dish' } });
  expect(cost).toMatchObject({ requestedQueryCost: 10, actualQueryCost: 10 });
});

test('more than there is to spend is throttled with status 200, until enough has come back', async () => {
  const shop = openShop({ shop: SHELVES, plan: { size: 100, rate: 50 } });
  const page = { first: 250, location: shop.emulator.locations()[0]?.id };
  await shop.ask(readPage([]), page);
  const throttled = await shop.ask(readPage([]), page);
  expect(throttled).toEqual({
    data: undefined,
    status: 200,
    errors: [{ message: 'Throttled', code: 'THROTTLED' }],
    cost: {
      requestedQueryCost: 86,
      actualQueryCost: null,
      throttleStatus: { maximumAvailable: 100, currentlyAvailable: 14, restoreRate: 50 },
    },
  });
  await shop.clock.sleep(1440);
  expect((await shop.ask(readPage([]), page)).errors).toEqual([]);
  expect(shop.emulator.calls.map((call) => [call.operation, call.cost, call.throttled])).toEqual([
    ['StallhandVariants', 86, false],
    ['StallhandVariants', 0, true],
    ['StallhandVariants', 86, false],
  ]);
});

test('under the older rule a page of 250 costs too much for one request, and a page of 100 does not', async () => {
  const shop = openShop({ shop: SHELVES, linearCost: true });
  const location = shop.emulator.locations()[0]?.id;
  const { status, errors } = await shop.ask(readPage([]), { first: 250, location });
  expect({ status, errors }).toEqual({
    status: 200,
    errors: [
      {
        message: 'Query cost is 1752, which exceeds the single query max cost limit (1000).',
        code: 'MAX_COST_EXCEEDED',
      },
    ],
  });
  expect((await shop.ask(readPage([]), { first: 100, location })).cost.requestedQueryCost).toBe(702);
});
