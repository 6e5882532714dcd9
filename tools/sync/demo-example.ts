import type { Example } from '../contract/define.ts';

/** What examples begin with: the demo store and the demo sheet, connected. */
export const givenDemo = [
  ['connect_store', { domain: 'demo.myshopify.com', store_access_token: 'demo' }],
  ['connect_sheet', { spreadsheet_id: 'demo', name: 'Demo', access_token: 'demo', refresh_token: 'demo' }],
] as const satisfies Example['given'];

/** The two of `givenDemo`, in an input. */
export const demoPair = { store_id: '<connect_store.id>', sheet_id: '<connect_sheet.id>' };

const twoWay = {
  ...demoPair,
  direction: 'two_way',
  mappings: [
    { sheet_column: 'SKU', store_field: 'sku' },
    { sheet_column: 'Stock', store_field: 'inventory_quantity' },
  ],
};

/** A configuration of them after `givenDemo`. */
export const givenConfig = [...givenDemo, ['create_sync_config', twoWay]] as const satisfies Example['given'];

/** A run of the demo that has ended. */
export const givenRun = [
  ...givenDemo,
  ['run_sync', { ...demoPair, direction: 'store_to_sheet' }],
] as const satisfies Example['given'];
const run = ['run_sync', { config_id: '<create_sync_config.id>' }] as const;

/** A cell that the demo store and the demo sheet have both changed. */
export const givenConflict = [
  ...givenDemo,
  ['create_sync_config', { ...twoWay, quantity_merge: false }],
  run,
  ['set_demo_stock', { side: 'store', sku: 'MUG-SEA', stock: 20 }],
  ['set_demo_stock', { side: 'sheet', sku: 'MUG-SEA', stock: 30 }],
  run,
] as const satisfies Example['given'];
