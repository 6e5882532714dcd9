import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPairs, type Pairs, stocked } from '../support/sync-pairs.ts';

let pairs: Pairs;
beforeAll(async () => {
  pairs = await openPairs();
});
afterAll(() => pairs.close());

const HEADER = ['SKU', 'Stock'];
const WITH_PRICE = [
  { sheet_column: 'SKU', store_field: 'sku' },
  { sheet_column: 'Stock', store_field: 'inventory_quantity' },
  { sheet_column: 'Price', store_field: 'price' },
];
const TWO_WAY = { direction: 'two_way', mappings: WITH_PRICE };
const products = stocked({ A: 5, B: 6 });
/** A tab whose grid ends with its last column. */
const full = {
  products,
  tabs: [{ title: 'Sheet1', rows: [HEADER, ['A', 5], ['B', 6]], rowCount: 3, columnCount: 2 }],
};
const filled = [
  [...HEADER, 'Price'],
  ['A', 5, 10],
  ['B', 6, 10],
];

test('a mapping without a column: the run says how to add it, and the run that is told so adds it', async () => {
  const pair = await pairs.open(full);
  const config_id = await pair.config(TWO_WAY);
  const before = { writes: pair.writes(), columns: 2 };
  const standing = () => ({ writes: pair.writes(), columns: pair.book.grid('Sheet1').columns });
  expect(await pair.run({ config_id })).toMatchObject({
    status: 200,
    body: {
      status: 'failed',
      errors: [
        {
          code: 'header_not_found',
          message:
            'The first 10 rows of the sheet have no column Price. Headers found: SKU, Stock. To add it with the values of the store, run again with add_columns=true or save that in the configuration. Otherwise, restore the header or change the mapping.',
        },
      ],
    },
  });
  expect(standing()).toEqual(before);

  const order = { config_id, add_columns: true };
  const planned = await pair.post('/sync/preview', order, { 'accept-language': 'es' });
  expect(planned.body).toMatchObject({
    counts: { to_sheet: 2, to_store: 0 },
    changes: [
      { key: '', row: 1, field: 'price', side: 'sheet', to: 'Price', state: 'planned' },
      { key: 'A', row: 2, field: 'price', side: 'sheet', to: '10.00', state: 'planned' },
      { key: 'B', row: 3, field: 'price', side: 'sheet', to: '10.00', state: 'planned' },
    ],
    errors: [
      {
        code: 'column_added',
        row: 1,
        field: 'price',
        message:
          'Columna nueva Price: su encabezado va en la celda C1 y sus celdas reciben los valores de la tienda. Para usar otra columna, cambia su encabezado a Price.',
      },
    ],
  });
  expect(standing()).toEqual(before);

  expect((await pair.run(order)).body).toMatchObject({ status: 'succeeded', changed: 2 });
  expect([pair.rows(), standing().columns]).toEqual([filled, 3]);
  expect((await pair.run({ config_id })).body).toMatchObject({ status: 'succeeded', changed: 0, errors: [] });
});

test('a configuration that was saved with it adds the columns of its new mappings', async () => {
  const pair = await pairs.open(full);
  const config_id = await pair.config({ direction: 'two_way', add_columns: true });
  expect((await pair.run({ config_id })).body).toMatchObject({ status: 'succeeded', errors: [] });
  const changed = await pair.rest('PATCH', `/sync/config/${config_id}`, { body: { mappings: WITH_PRICE } });
  expect(changed.body).toMatchObject({ add_columns: true });
  expect((await pair.run({ config_id })).body).toMatchObject({ status: 'succeeded', changed: 2 });
  expect(pair.rows()).toEqual(filled);
});
