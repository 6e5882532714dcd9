import { expect, test } from 'vitest';
import { gist, sheetRows, useRuns } from '../../support/sync-runs.ts';

const setup = useRuns();

test('a row without a key, such as a total, is listed, but the run succeeds and its status cell stays empty', async () => {
  const shop = await setup.open({
    variants: [{ sku: 'A', available: 3 }],
    rows: [
      ['SKU', 'Stock', 'Sync'],
      ['A', 1, ''],
      ['', 1, ''],
    ],
    settings: { direction: 'store_to_sheet', options: { status_column: 'Sync' } },
  });
  const errors = [{ key: 'missing_key_in_row', params: { key: 'sku' }, row: 3, field: 'key' }];
  expect(gist(await setup.node.sync())).toEqual({ status: 'succeeded', changed: 1, failed: 0, errors });
  expect(sheetRows(shop)).toEqual([
    ['A', 3, 'ok'],
    ['', 1],
  ]);
});
