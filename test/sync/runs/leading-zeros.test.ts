import { describe, expect, test } from 'vitest';
import type { Mapping } from '../../../src/sync/config.ts';
import { CONFIG, caller, gist, STOCK, sheetRows, stock, useRuns } from '../../support/sync-runs.ts';

const setup = useRuns();

describe('a key that the sheet took for a number', () => {
  test.each(['store_to_sheet', 'sheet_to_store', 'two_way'] as const)(
    'is asked about, instead of being appended as a second row: %s',
    async (direction) => {
      const shop = await setup.open({
        variants: [
          { sku: '00123', available: 5 },
          { sku: 'A', available: 1 },
        ],
        rows: [
          ['SKU', 'Stock'],
          [123, 7],
          ['A', 1],
        ],
        settings: { direction },
      });
      expect(gist(await setup.node.sync())).toEqual({
        status: 'partial',
        changed: 0,
        failed: 0,
        errors: [
          {
            key: 'leading_zeros',
            params: { sheet: '123', store: '00123' },
            row: 2,
            sku: '00123',
            field: 'key',
          },
        ],
      });
      expect(sheetRows(shop)).toEqual([
        [123, 7],
        ['A', 1],
      ]);
      expect(stock(shop)).toEqual({ '00123': 5, A: 1 });
    },
  );

  test('is known again once it is text, with what it had when both sides agreed', async () => {
    const shop = await setup.open({
      variants: [{ sku: '00123', available: 5 }],
      rows: [
        ['SKU', 'Stock'],
        ['00123', 5],
      ],
      settings: { direction: 'two_way' },
    });
    await setup.node.sync();
    shop.sheet.set(2, 0, 123);
    shop.sheet.set(2, 1, 9);
    await setup.node.sync();
    shop.sheet.set(2, 0, '00123');
    expect(gist(await setup.node.sync())).toEqual({ status: 'succeeded', changed: 1, failed: 0, errors: [] });
    expect(stock(shop)).toEqual({ '00123': 9 });
  });

  test('is no other item where the store has both', async () => {
    const shop = await setup.open({
      variants: [
        { sku: '123', available: 5 },
        { sku: '00123', available: 6 },
      ],
      rows: [
        ['SKU', 'Stock'],
        [123, 5],
      ],
      settings: { direction: 'store_to_sheet' },
    });
    expect(gist(await setup.node.sync())).toMatchObject({ status: 'succeeded', changed: 1 });
    expect(sheetRows(shop)).toEqual([
      [123, 5],
      ['00123', 6],
    ]);
  });

  test('stands for several items of the store: none of them is appended', async () => {
    const shop = await setup.open({
      variants: [
        { sku: '0123', available: 5 },
        { sku: '00123', available: 6 },
      ],
      rows: [
        ['SKU', 'Stock'],
        [123, 5],
      ],
      settings: { direction: 'two_way' },
    });
    expect((await setup.node.sync()).errors.map(({ key }) => key)).toEqual(['leading_zeros']);
    expect(sheetRows(shop)).toEqual([[123, 5]]);
  });

  test('is held in each of many rows, also where several rows stand for one item', async () => {
    const count = 600;
    const bare = Array.from({ length: count }, (_, nth) => 1_000 + nth);
    await setup.open({
      variants: bare.map((key) => ({ sku: `00${key}`, available: 5 })),
      rows: [['SKU', 'Stock'], ...bare.map((key) => [key, 7]), ['01000', 8]],
      settings: { direction: 'two_way' },
    });
    const { counts, errors } = await setup.node.sync();
    expect(counts).toMatchObject({ changed: 0, appended: 0 });
    expect(errors.map(({ row, sku }) => [row, sku])).toEqual([
      ...bare.map((key, nth) => [nth + 2, `00${key}`]),
      [count + 2, '001000'],
    ]);
  });
});

describe('a barcode that the sheet took for a number', () => {
  const mappings: readonly Mapping[] = [...STOCK, { sheet_column: 'EAN', store_field: 'barcode' }];
  const given = {
    variants: [{ sku: 'A', available: 1, barcode: '0012345678905' }],
    rows: [
      ['SKU', 'Stock', 'EAN'],
      ['A', 1, 12_345_678_905],
    ],
  } as const;
  const held = {
    status: 'partial',
    changed: 0,
    errors: [
      {
        key: 'leading_zeros',
        params: { sheet: '12345678905', store: '0012345678905' },
        row: 2,
        sku: 'A',
        field: 'barcode',
      },
    ],
  };

  test.each([
    ['store', '0012345678905'],
    ['sheet', '12345678905'],
  ] as const)('stays in the store until a person has chosen: the %s', async (take, barcode) => {
    const settings = { direction: 'sheet_to_store', mappings } as const;
    const shop = await setup.open({ ...given, settings });
    expect(gist(await setup.node.sync())).toMatchObject(held);
    expect(shop.store.all().map((one) => one.barcode)).toEqual(['0012345678905']);

    const choice = { key: 'A', field: 'barcode', take } as const;
    await setup.node.end(await setup.node.runs.resolve(caller, CONFIG, [choice]));
    expect(gist(await setup.node.sync())).toEqual({ status: 'succeeded', changed: 0, failed: 0, errors: [] });
    expect(shop.store.all().map((one) => one.barcode)).toEqual([barcode]);
  });

  test('is held where both sides had agreed before', async () => {
    const settings = { direction: 'two_way', mappings } as const;
    const rows = [given.rows[0], ['A', 1, '0012345678905']] as const;
    const shop = await setup.open({ ...given, rows, settings });
    await setup.node.sync();
    shop.sheet.set(2, 2, 12_345_678_905);
    expect(gist(await setup.node.sync())).toMatchObject(held);
  });

  test('is given its zeros where the sheet follows the store', async () => {
    const shop = await setup.open({ ...given, settings: { direction: 'store_to_sheet', mappings } });
    expect(gist(await setup.node.sync())).toMatchObject({ status: 'succeeded', changed: 1 });
    expect(sheetRows(shop)).toEqual([['A', 1, '0012345678905']]);
  });
});

test('zeros that a person has added in the sheet go to the store', async () => {
  const mappings: readonly Mapping[] = [...STOCK, { sheet_column: 'EAN', store_field: 'barcode' }];
  const shop = await setup.open({
    variants: [{ sku: 'A', available: 1, barcode: '123' }],
    rows: [
      ['SKU', 'Stock', 'EAN'],
      ['A', 1, '00123'],
    ],
    settings: { direction: 'sheet_to_store', mappings },
  });
  expect(gist(await setup.node.sync())).toMatchObject({ status: 'succeeded', changed: 1 });
  expect(shop.store.all().map(({ barcode }) => barcode)).toEqual(['00123']);
});
