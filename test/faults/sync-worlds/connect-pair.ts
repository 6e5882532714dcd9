import type { App } from '../../../src/app.ts';
import { SCOPES } from '../../../src/identity/caller.ts';
import { useTools } from '../../support/app.ts';
import type { Shelf } from './shelf.ts';

const SAFETY_LIMITS = { changed_percent: 100, zeroed_percent: 100, shrunk_percent: 100, price_percent: 100 };

export type BegunRun = { readonly config: string; readonly run: string };

/** Connects the shop and the spreadsheet, as their owner would, and orders a run, which no process takes yet. */
export async function connectPair(app: App, shelf: Shelf): Promise<BegunRun> {
  const { id: accountId } = await app.accounts.local();
  const call = useTools(app, { accountId, actor: 'test', scopes: SCOPES, via: 'api_key' });
  const { domain, token } = shelf.shop;
  const store = await call('connect_store', { domain, store_access_token: token });
  const sheet = await call('connect_sheet', {
    spreadsheet_id: shelf.book.id,
    name: shelf.name,
    sheet_name: 'Sheet1',
    access_token: 'ya29.test',
    refresh_token: '1//test',
  });
  const config = await call('create_sync_config', {
    store_id: store['id'],
    sheet_id: sheet['id'],
    direction: shelf.direction,
    mappings: Object.entries(shelf.columns).map(([sheet_column, store_field]) => ({
      sheet_column,
      store_field,
    })),
    ...shelf.options,
    safety_limits: SAFETY_LIMITS,
  });
  const id = String(config['id']);
  await rememberBase(app, id, shelf);
  const run = await app.sync.runs.create({ accountId, actor: 'test' }, { config_id: id });
  return { config: id, run: run.id };
}

/** Both sides were once the same. */
async function rememberBase({ database }: App, config: string, { before, valuesOf }: Shelf): Promise<void> {
  const rows = before.map((variant, nth) => ({
    key: variant.sku,
    variant: variant.variantId,
    product: variant.productId,
    item: variant.itemId,
    row: nth + 2,
    vals: valuesOf(variant),
  }));
  await database.sql`
    insert into sync_base (config_id, key, variant_id, product_id, item_id, row_no, vals)
    select ${config}, key, variant, product, item, row, array(select jsonb_array_elements_text(vals))
    from jsonb_to_recordset(${database.sql.json(rows)}::jsonb) as given (
      key text, variant text, product text, item text, row int, vals jsonb)`;
}
