import { expect, test } from 'vitest';
import { SET_QUANTITIES } from '../../../src/providers/shopify/operations.ts';
import { type OpenShop, openShop } from './open-shop.ts';

type Change = Readonly<Record<string, unknown>>;

/** Sets quantities in the first place, from what each change says. */
async function set(shop: OpenShop, changes: readonly Change[], { key = 'key-1', ...input }: Change = {}) {
  const quantities = changes.map((change) => ({ locationId: shop.place(), ...change }));
  const variables = { key, input: { name: 'available', reason: 'correction', quantities, ...input } };
  const { data, errors } = await shop.ask(SET_QUANTITIES, variables);
  return {
    errors,
    userErrors: data?.inventorySetQuantities?.userErrors,
    group: data?.inventorySetQuantities?.inventoryAdjustmentGroup,
  };
}

const plateTo = (shop: OpenShop, quantity: number, changeFromQuantity: number | null = 8) => ({
  inventoryItemId: shop.item('PLATE'),
  quantity,
  changeFromQuantity,
});

test('a quantity is set where it still is what the change began from', async () => {
  const shop = openShop();
  const { userErrors, group } = await set(shop, [plateTo(shop, 11)], {
    referenceDocumentUri: 'gid://stallhand/Run/1',
  });
  expect({ userErrors, group }).toEqual({
    userErrors: [],
    group: { id: 'gid://shopify/InventoryAdjustmentGroup/1' },
  });
  expect(shop.stock('PLATE')).toBe(11);
  expect(shop.stock('PLATE', 'Store')).toBe(40);
});

test('a sale in between makes it stale, and none of the call is set', async () => {
  const shop = openShop();
  shop.emulator.sell('PLATE', 2);
  const mug = { inventoryItemId: shop.item('MUG-S'), quantity: 9, changeFromQuantity: 5 };
  const { userErrors, group } = await set(shop, [mug, plateTo(shop, 11)]);
  expect({ userErrors, group }).toEqual({
    userErrors: [
      {
        field: ['input', 'quantities', '1', 'changeFromQuantity'],
        message: 'The changeFromQuantity value does not match persisted value.',
        code: 'CHANGE_FROM_QUANTITY_STALE',
      },
    ],
    group: null,
  });
  expect([shop.stock('MUG-S'), shop.stock('PLATE')]).toEqual([5, 6]);
});

test('null sets whatever it was; a comparison that is not there is refused', async () => {
  const shop = openShop();
  const { changeFromQuantity: _, ...silent } = plateTo(shop, 1);
  expect((await set(shop, [silent])).userErrors).toEqual([
    {
      field: ['input', 'quantities', '0', 'changeFromQuantity'],
      message: 'changeFromQuantity is mandatory: pass null to opt out of the comparison.',
      code: null,
    },
  ]);
  expect((await set(shop, [plateTo(shop, 1, null)], { key: 'key-2' })).userErrors).toEqual([]);
  expect(shop.stock('PLATE')).toBe(1);
});

test.each([
  ['INVALID_INVENTORY_ITEM', { inventoryItemId: 'gid://shopify/InventoryItem/1' }],
  ['INVALID_LOCATION', { locationId: 'gid://shopify/Location/1' }],
  ['INVALID_QUANTITY_NEGATIVE', { quantity: -1 }],
  ['INVALID_QUANTITY_TOO_HIGH', { quantity: 1_000_000_001 }],
])('%s names the field of the one quantity', async (code, wrong) => {
  const shop = openShop();
  const { userErrors } = await set(shop, [{ ...plateTo(shop, 11), ...wrong }]);
  expect(userErrors).toEqual([
    { code, field: ['input', 'quantities', '0', Object.keys(wrong)[0]], message: expect.any(String) },
  ]);
  expect(shop.stock('PLATE')).toBe(8);
});

test.each([
  ['INVALID_NAME', { name: 'reserved' }],
  ['INVALID_REASON', { reason: 'because' }],
  ['INVALID_REFERENCE_DOCUMENT', { referenceDocumentUri: 'gid://stallhand' }],
])('%s is about the whole call', async (code, wrong) => {
  const shop = openShop();
  const { userErrors } = await set(shop, [plateTo(shop, 11)], wrong);
  expect(userErrors).toEqual([
    { code, field: ['input', Object.keys(wrong)[0]], message: expect.any(String) },
  ]);
});

test('one item at one place may stand in a call once', async () => {
  const shop = openShop();
  const { userErrors } = await set(shop, [plateTo(shop, 11), plateTo(shop, 12)]);
  expect(userErrors).toEqual([
    {
      code: 'NO_DUPLICATE_INVENTORY_ITEM_ID_GROUP_ID_PAIR',
      field: ['input', 'quantities', '1'],
      message: 'The combination of inventoryItemId and locationId must be unique.',
    },
  ]);
});

test('more than 250 quantities are refused as a whole', async () => {
  const shop = openShop();
  const { errors } = await set(
    shop,
    Array.from({ length: 251 }, () => plateTo(shop, 11)),
  );
  expect(errors.map(({ code }) => code)).toEqual(['MAX_INPUT_SIZE_EXCEEDED']);
});

test('the same key sets once, also when the answer was lost', async () => {
  const shop = openShop();
  shop.emulator.faults.push('drop_after');
  const lost = await shop.ask(SET_QUANTITIES, {
    key: 'key-1',
    input: {
      name: 'available',
      reason: 'correction',
      quantities: [{ locationId: shop.place(), ...plateTo(shop, 11) }],
    },
  });
  expect(lost.status).toBeUndefined();
  shop.emulator.sell('PLATE');
  const again = await set(shop, [plateTo(shop, 11)]);
  expect(again).toEqual({
    errors: [],
    userErrors: [],
    group: { id: 'gid://shopify/InventoryAdjustmentGroup/1' },
  });
  expect(shop.stock('PLATE')).toBe(10);
});

test('a key that was used for something else is refused; after a day it is forgotten', async () => {
  const shop = openShop();
  await set(shop, [plateTo(shop, 11)]);
  const other = await set(shop, [plateTo(shop, 12, 11)]);
  expect(other.userErrors).toEqual([
    {
      code: 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH',
      field: null,
      message: 'The same idempotency key cannot be used with different operation parameters.',
    },
  ]);
  await shop.clock.sleep(24 * 60 * 60 * 1000);
  expect((await set(shop, [plateTo(shop, 12, 11)])).userErrors).toEqual([]);
});

test.each([
  [false, 'CHANGE_FROM_QUANTITY_STALE'],
  [true, 'IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED'],
])('the key of a refused attempt comes again (refusesFailedKeys %s): %s', async (refusesFailedKeys, code) => {
  const shop = openShop({ refusesFailedKeys });
  await set(shop, [plateTo(shop, 11, 7)]);
  const { userErrors } = await set(shop, [plateTo(shop, 11, 7)]);
  expect(userErrors.map((error: { code: string }) => error.code)).toEqual([code]);
});

test.each(['', ' '])('a key is required, and "%s" is none', async (key) => {
  const shop = openShop();
  const { errors } = await set(shop, [plateTo(shop, 11)], { key });
  expect(errors).toEqual([
    {
      message:
        'The @idempotent directive is required for the mutation inventorySetQuantities, with a key that is not blank.',
      code: 'BAD_REQUEST',
    },
  ]);
  expect(shop.stock('PLATE')).toBe(8);
});

test('without the directive nothing is set', async () => {
  const shop = openShop();
  const text = SET_QUANTITIES.replace(' @idempotent(key: $key)', '').replace(', $key: String!', '');
  const quantities = [{ locationId: shop.place(), ...plateTo(shop, 11) }];
  const { errors } = await shop.ask(text, { input: { name: 'available', reason: 'correction', quantities } });
  expect(errors.map(({ code }) => code)).toEqual(['BAD_REQUEST']);
  expect(shop.stock('PLATE')).toBe(8);
});

test('where an item is not stocked, 2026-07 refuses and 2026-10 counts without stocking it there', async () => {
  const change = (shop: OpenShop) => [
    {
      inventoryItemId: shop.item('MUG-S'),
      locationId: shop.place('Store'),
      quantity: 4,
      changeFromQuantity: 0,
    },
  ];
  const before = openShop({}, '2026-07');
  const refused = await set(before, change(before));
  expect(refused.userErrors).toEqual([
    {
      code: 'ITEM_NOT_STOCKED_AT_LOCATION',
      field: ['input', 'quantities', '0', 'locationId'],
      message: 'The specified inventory item is not stocked at the location.',
    },
  ]);
  const now = openShop();
  expect((await set(now, change(now))).userErrors).toEqual([]);
  expect(now.stock('MUG-S', 'Store')).toBeNull();
  expect((await set(now, change(now), { key: 'key-2' })).userErrors[0].code).toBe(
    'CHANGE_FROM_QUANTITY_STALE',
  );
});
