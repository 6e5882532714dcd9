import { expect, test } from 'vitest';
import { sheetRows, useRuns } from '../../support/sync-runs.ts';

const setup = useRuns();

const UNKNOWN = {
  en: 'The store has no item with this sku. Check its spelling, or delete the row.',
  es: 'La tienda no tiene ningún artículo con este sku. Revisa cómo está escrito o elimina la fila.',
};

test.each([
  ['es_MX', UNKNOWN.es],
  ['en_GB', UNKNOWN.en],
  ['fr_FR', UNKNOWN.en],
])(
  'the status column is in the language of the spreadsheet, whoever asks for the run: %s',
  async (locale, text) => {
    const shop = await setup.open({
      variants: [{ sku: 'A', available: 1 }],
      rows: [
        ['SKU', 'Stock', 'Sync'],
        ['B', 1, ''],
      ],
      settings: { direction: 'sheet_to_store', options: { status_column: 'Sync' } },
    });
    await setup.database.sql`update sync_sheets set locale = ${locale}`;
    await setup.node.sync();
    expect(sheetRows(shop)).toEqual([['B', 1, text]]);
  },
);
