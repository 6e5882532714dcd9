import { expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { gist, sheetRows, stock, useRuns } from '../../support/sync-runs.ts';

const setup = useRuns();
const ID = 'gid://shopify/ProductVariant/1';
const given = {
  variants: [{ sku: 'A', available: null }],
  rows: [
    ['SKU', 'Stock'],
    ['A', 7],
  ],
  settings: { direction: 'two_way', options: { activate: true } },
} as const;

test('an item that somebody else stocks while the run stocks it keeps that quantity, and a person decides', async () => {
  const shop = await setup.open(given);
  shop.store.before = ({ name }) => {
    if (name === 'setQuantities') shop.store.change(ID, { available: 5 });
  };
  expect(gist(await setup.node.sync())).toEqual({
    ...{ status: 'partial', changed: 0, failed: 1 },
    errors: [{ key: 'store_changed', row: 2, sku: 'A', field: 'inventory_quantity' }],
  });
  shop.store.before = () => {};
  expect((await setup.node.sync()).status).toBe('awaiting_confirmation');
  expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 5 }, [['A', 7]]]);
});

test('an answer that is lost after the item was stocked counts once', async () => {
  const shop = await setup.open(given);
  shop.store.after = ({ name }) => {
    if (name === 'setQuantities') throw new Fault('store_unavailable.no_answer', { domain: 'local' });
  };
  expect((await setup.node.sync()).status).toBe('failed');
  shop.store.after = () => {};
  shop.store.change(ID, { available: 6 });
  expect(gist(await setup.node.sync())).toMatchObject({ status: 'succeeded', changed: 1, errors: [] });
  expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 6 }, [['A', 6]]]);
});
