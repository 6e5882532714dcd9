import { describe, expect, test } from 'vitest';
import { CONFIG, caller, gist, PRICES, type Shop, useRuns } from '../../support/sync-runs.ts';

const setup = useRuns();

/** Plans, has people change the sheet, and confirms. */
async function confirmAfter(change: () => void) {
  const work = { signal: new AbortController().signal, progress: () => {} };
  const plan = await setup.node.runs.preview(caller, { config_id: CONFIG }, work);
  change();
  return setup.node.end(await setup.node.runs.confirm(caller.accountId, plan.id));
}

/** Before the first write of a run has been answered. */
function whileWriting({ sheet }: Shop, change: () => void): void {
  sheet.after = ({ name }) => {
    if (name !== 'write') return;
    sheet.after = () => {};
    change();
  };
}

const HEADER = ['SKU', 'Stock'];
const A = { sku: 'A', available: 5, price: '7.00' };
const B = { sku: 'B', available: 6, price: '9.00' };
const done = { status: 'succeeded', failed: 0, errors: [] };

describe('a status column that people have moved', () => {
  const withStatus = { direction: 'store_to_sheet', options: { status_column: 'Sync' } } as const;

  test('is found again by a plan that has waited, and what took its place stays', async () => {
    const shop = await setup.open({
      variants: [A, B],
      rows: [
        [...HEADER, 'Sync'],
        ['A', 1],
        ['B', 2],
      ],
      settings: withStatus,
    });
    const run = await confirmAfter(() => {
      for (const [row, note, status] of [
        [1, 'Notes', 'Sync'],
        [2, 'call Ana', ''],
        [3, 'fragile', ''],
      ] as const) {
        shop.sheet.set(row, 2, note);
        shop.sheet.set(row, 3, status);
      }
    });
    expect(gist(run)).toEqual({ ...done, changed: 2 });
    expect(shop.sheet.rows()).toEqual([
      [...HEADER, 'Notes', 'Sync'],
      ['A', 5, 'call Ana', 'ok'],
      ['B', 6, 'fragile', 'ok'],
    ]);
  });

  test('is found again at the end of the run in which it was moved', async () => {
    const shop = await setup.open({
      variants: [A, B],
      rows: [
        [...HEADER, 'Sync'],
        ['A', 1],
        ['B', 6],
      ],
      settings: withStatus,
    });
    whileWriting(shop, () => {
      shop.sheet.set(1, 2, 'Notes');
      shop.sheet.set(1, 3, 'Sync');
      shop.sheet.set(2, 2, '');
      shop.sheet.set(2, 3, 'ok');
      shop.sheet.set(3, 2, 'fragile');
    });
    expect(gist(await setup.node.sync())).toEqual({ ...done, changed: 1 });
    expect(shop.sheet.rows()).toEqual([
      [...HEADER, 'Notes', 'Sync'],
      ['A', 5, '', 'ok'],
      ['B', 6, 'fragile', 'ok'],
    ]);
  });

  test('is not written over a column that somebody else began in its place', async () => {
    const shop = await setup.open({ variants: [A], rows: [HEADER, ['A', 1]], settings: withStatus });
    const run = await confirmAfter(() => {
      shop.sheet.set(1, 2, 'Supplier');
      shop.sheet.set(2, 2, 'Pérez');
    });
    expect(gist(run)).toMatchObject({ status: 'partial', errors: [{ key: 'sheet_changed', row: 1 }] });
    expect(shop.sheet.rows()).toEqual([
      [...HEADER, 'Supplier'],
      ['A', 5, 'Pérez'],
    ]);
  });
});

describe('mapped columns that people have moved', () => {
  test('are found again by a plan that has waited, also for rows it appends', async () => {
    const shop = await setup.open({
      variants: [A, B],
      rows: [
        [...HEADER, 'Price'],
        ['A', 4, 6],
      ],
      settings: { direction: 'store_to_sheet', mappings: PRICES },
    });
    const run = await confirmAfter(() => {
      for (const [row, price, stock] of [
        [1, 'Price', 'Stock'],
        [2, 6, 4],
      ] as const) {
        shop.sheet.set(row, 1, price);
        shop.sheet.set(row, 2, stock);
      }
    });
    expect(gist(run)).toEqual({ ...done, changed: 2 });
    expect(shop.sheet.rows()).toEqual([
      ['SKU', 'Price', 'Stock'],
      ['A', 7, 5],
      ['B', 9, 6],
    ]);
  });

  test('are found again by an undo, which leaves the one in their place alone', async () => {
    const shop = await setup.open({
      variants: [A],
      rows: [
        [...HEADER, 'Min'],
        ['A', 1, 5],
      ],
      settings: { direction: 'store_to_sheet' },
    });
    const run = await setup.node.sync();
    shop.sheet.set(1, 1, 'Min');
    shop.sheet.set(1, 2, 'Stock');
    expect(gist(await setup.node.end(await setup.node.runs.revert(caller, run.id)))).toEqual({
      ...done,
      changed: 1,
    });
    expect(shop.sheet.rows()).toEqual([
      ['SKU', 'Min', 'Stock'],
      ['A', 5, 1],
    ]);
  });

  test('and are gone leave their rows as they are', async () => {
    const shop = await setup.open({
      variants: [A, B],
      rows: [HEADER, ['A', 1]],
      settings: { direction: 'store_to_sheet' },
    });
    const run = await confirmAfter(() => shop.sheet.set(1, 1, 'Minimum'));
    expect(gist(run)).toMatchObject({ changed: 0, failed: 2 });
    expect(new Set(run.errors.map(({ key }) => key))).toEqual(new Set(['sheet_changed']));
    expect(shop.sheet.rows()).toEqual([
      ['SKU', 'Minimum'],
      ['A', 1],
    ]);
  });

  test('whose header is a formula are where they were', async () => {
    const shop = await setup.open({
      variants: [A],
      rows: [
        ['SKU', { formula: '=PROPER("stock")', result: 'Stock' }],
        ['A', 1],
      ],
      settings: { direction: 'store_to_sheet' },
    });
    expect(gist(await setup.node.sync())).toEqual({ ...done, changed: 1 });
    expect(shop.sheet.rows()).toEqual([HEADER, ['A', 5]]);
  });
});

describe('rows that are appended', () => {
  test('go below formulas that show nothing, however far those go down', async () => {
    const formula = (row: number) => ({ formula: `=IF(A${row}="","",1)`, result: '' });
    const shop = await setup.open({
      variants: [A, B],
      rows: [HEADER, ...Array.from({ length: 9 }, (_, nth) => ['', formula(nth + 2)])],
      settings: { direction: 'store_to_sheet' },
    });
    expect(gist(await setup.node.sync())).toEqual({ ...done, changed: 2 });
    const rows = Array.from({ length: 12 }, (_, nth) => nth + 1);
    const entered = await shop.sheet.client.readEntered(shop.sheet.tab, rows, new AbortController().signal);
    expect([...entered.values()]).toEqual([
      HEADER,
      ...Array.from({ length: 9 }, (_, nth) => ['', formula(nth + 2).formula]),
      ['A', 5],
      ['B', 6],
    ]);
  });

  test('are taken back as a whole or not at all', async () => {
    const shop = await setup.open({
      variants: [A, B],
      rows: [HEADER],
      settings: { direction: 'store_to_sheet' },
    });
    const run = await setup.node.sync();
    shop.sheet.set(2, 1, 8);
    expect(gist(await setup.node.end(await setup.node.runs.revert(caller, run.id)))).toMatchObject({
      status: 'partial',
      changed: 1,
      failed: 1,
    });
    expect(shop.sheet.rows()).toEqual([HEADER, ['A', 8]]);
  });
});

test('a row that is marked as one the store does not have keeps the mark', async () => {
  const shop = await setup.open({
    variants: [A],
    rows: [
      [...HEADER, 'Sync'],
      ['A', 1],
      ['GONE', 2],
    ],
    settings: { direction: 'store_to_sheet', options: { status_column: 'Sync', stale_rows: 'mark' } },
  });
  await setup.node.sync();
  expect(shop.sheet.rows()[2]).toEqual(['GONE', 2, expect.stringMatching(/store/)]);
});
