import { expect, test } from 'vitest';
import {
  DESCRIBE_STORE,
  LIST_LOCATIONS,
  readById,
  readFirstPage,
  readPage,
} from '../../../src/providers/shopify/operations.ts';
import { openShop } from './open-shop.ts';

const ALL_SCOPES = [
  ...['read_products', 'write_products', 'read_inventory', 'write_inventory', 'read_locations'],
];

test('a page has the fields that were asked for, and says whether there is more', async () => {
  const shop = openShop();
  const { data } = await shop.ask(readFirstPage([]), { first: 1, location: shop.place() });
  expect(data).toEqual({
    shop: { name: 'Corner shop', currencyCode: 'EUR' },
    location: { id: shop.place(), name: 'Shop', isActive: true },
    productVariantsCount: { count: 3 },
    currentAppInstallation: { accessScopes: ALL_SCOPES.map((handle) => ({ handle })) },
    productVariants: {
      nodes: [
        {
          id: shop.variant('MUG-S'),
          sku: 'MUG-S',
          price: '12.00',
          barcode: '2000000000015',
          taxable: true,
          product: { id: shop.product('MUG-S'), title: 'Mug', handle: 'mug' },
          inventoryItem: {
            id: shop.item('MUG-S'),
            requiresShipping: true,
            tracked: true,
            measurement: { weight: { value: 380, unit: 'GRAMS' } },
            inventoryLevel: { quantities: [{ quantity: 5 }] },
          },
        },
      ],
      pageInfo: { hasNextPage: true, endCursor: expect.any(String) },
    },
  });
});

test('pages go on behind the cursor, also when the variant that it stands at is gone', async () => {
  const shop = openShop();
  const first = await shop.ask(readPage([]), { first: 2, location: shop.place() });
  shop.emulator.removeVariant('MUG-L');
  const { endCursor: after } = first.data.productVariants.pageInfo;
  const { data } = await shop.ask(readPage([]), { first: 2, after, location: shop.place() });
  expect(data.productVariants.nodes.map(({ sku }: { sku: string }) => sku)).toEqual(['PLATE']);
  expect(data.productVariants.pageInfo.hasNextPage).toBe(false);
});

test.each([
  [{ first: 251 }, 'first cannot exceed 250; 251 were asked for'],
  [{ first: 0 }, 'first must be a positive integer'],
  [{ first: 1, after: 'nonsense' }, 'Invalid cursor for current pagination sort.'],
  [{ first: 1, location: '1' }, "Invalid global id '1'"],
])('%o is refused', async (variables, message) => {
  const shop = openShop();
  const { errors } = await shop.ask(readPage([]), { location: shop.place(), ...variables });
  expect(errors[0]?.message).toBe(message);
});

test('what the published schema does not have is refused as the service does, with status 200', async () => {
  const shop = openShop();
  const { status, errors } = await shop.ask('query Odd { productVariants(first: 1) { nodes { weight } } }');
  expect({ status, messages: errors.map(({ message }) => message) }).toEqual({
    status: 200,
    messages: ['Cannot query field "weight" on type "ProductVariant".'],
  });
});

test('a count stops at 10,000 unless it is asked without a limit', async () => {
  const products = [{ title: 'Bead', variants: Array.from({ length: 10_001 }, () => ({})) }];
  const shop = openShop({ shop: { products } });
  const { data } = await shop.ask(
    '{ stops: productVariantsCount { count } all: productVariantsCount(limit: null) { count } }',
  );
  expect(data).toEqual({ stops: { count: 10_000 }, all: { count: 10_001 } });
});

test('stock is of one place; where an item is not stocked there is no level', async () => {
  const shop = openShop();
  const ids = [shop.variant('MUG-S'), shop.variant('PLATE')];
  const { data } = await shop.ask(readById([]), { ids, location: shop.place('Store') });
  const levels = data.nodes.map(
    (node: { inventoryItem: { inventoryLevel: unknown } }) => node.inventoryItem.inventoryLevel,
  );
  expect(levels).toEqual([null, { quantities: [{ quantity: 40 }] }]);
});

test('ids are answered in their order: gone ones by null, those of another kind without fields', async () => {
  const shop = openShop();
  const gone = shop.variant('MUG-S');
  shop.emulator.removeVariant('MUG-S');
  const ids = [gone, shop.product('MUG-L'), shop.variant('PLATE')];
  const { data } = await shop.ask(readById([]), { ids, location: shop.place() });
  expect(data.nodes).toEqual([null, {}, expect.objectContaining({ sku: 'PLATE' })]);
});

test('more than 250 ids are refused', async () => {
  const shop = openShop();
  const ids = Array.from({ length: 251 }, () => shop.variant('PLATE'));
  const { errors } = await shop.ask(readById([]), { ids, location: shop.place() });
  expect(errors).toEqual([
    {
      message: 'The input array size of 251 is greater than the maximum allowed of 250.',
      code: 'MAX_INPUT_SIZE_EXCEEDED',
    },
  ]);
});

test('places come in pages; the primary one is the answer where none is named', async () => {
  const shop = openShop();
  const first = await shop.ask(LIST_LOCATIONS, { first: 1 });
  const { nodes, pageInfo } = first.data.locations;
  const next = await shop.ask(LIST_LOCATIONS, { first: 1, after: pageInfo.endCursor });
  const described = await shop.ask(DESCRIBE_STORE);
  expect([...nodes, ...next.data.locations.nodes].map(({ name }) => name)).toEqual(['Shop', 'Store']);
  expect(described.data.location.name).toBe('Shop');
});

test('one item may serve two variants', async () => {
  const shop = openShop();
  shop.emulator.addProduct({
    title: 'Mug, gift wrapped',
    variants: [{ itemId: shop.item('MUG-S'), price: '14.00' }],
  });
  shop.emulator.sell('MUG-S', 2);
  const mugs = shop.emulator.variants().filter(({ sku }) => sku === 'MUG-S');
  expect(mugs.map(({ title, available }) => ({ title, available }))).toEqual([
    { title: 'Mug', available: 3 },
    { title: 'Mug, gift wrapped', available: 3 },
  ]);
});
