import { expect, test } from 'vitest';
import { settleRestored } from '../../src/operator/settle-restored.ts';
import { CONFIG, caller, type Shop, sheetRows, stock, useRuns } from '../support/sync-runs.ts';

/* The rows of a backup, and a store and a sheet that have moved on since. */

const setup = useRuns();
const ID = 'gid://shopify/ProductVariant/1';

const settle = () => setup.database.sql.begin(settleRestored);
const baseline = async () =>
  (await setup.database.sql`select key, to_jsonb(vals) as vals from sync_base order by key`).map(
    ({ key, vals }) => [key, ...vals],
  );

/** Ten on both sides when the backup was saved; `since` syncs more, and then the rows are those of the backup again. */
async function restored(since: (shop: Shop) => Promise<void>): Promise<Shop> {
  const shop = await setup.open({
    variants: [{ sku: 'A', available: 10 }],
    rows: [
      ['SKU', 'Stock'],
      ['A', 10],
    ],
    settings: { direction: 'two_way' },
  });
  await setup.node.sync();
  expect(await baseline()).toEqual([['A', 'A', '10']]);
  await since(shop);
  await setup.database.sql`update sync_base set vals = array['A', '10']`;
  return shop;
}

test('a quantity that was synced since the backup stays as it is, and is synced from then on', async () => {
  const shop = await restored(async (shop) => {
    shop.store.change(ID, { available: 9 });
    await setup.node.sync();
    expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 9 }, [['A', 9]]]);
  });
  await settle();
  expect(await setup.node.sync()).toMatchObject({ status: 'succeeded', counts: { changed: 0 } });
  expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 9 }, [['A', 9]]]);
  shop.store.change(ID, { available: 7 });
  await setup.node.sync();
  expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 7 }, [['A', 7]]]);
});

test('quantities that differ by now wait for a person, and are not added up', async () => {
  const shop = await restored(async (shop) => {
    shop.store.change(ID, { available: 9 });
    shop.sheet.set(2, 1, 50);
  });
  await settle();
  expect(await setup.node.sync()).toMatchObject({ status: 'awaiting_confirmation' });
  expect([stock(shop), sheetRows(shop)]).toEqual([{ A: 9 }, [['A', 50]]]);
});

test('a run that had not ended when the backup was saved is canceled, and writes nothing', async () => {
  const shop = await restored(async (shop) => {
    shop.sheet.set(2, 1, 8);
    await setup.node.stop();
  });
  const { sql } = setup.database;
  const [run] = await sql`
    update sync_runs set status = 'applying', finished_at = null, counts = '{"sent": 1}', expires_at = now()
    returning id`;
  await sql`
    insert into sync_changes (run_id, seq, account_id, key, variant_id, field, side, kind, from_value, to_value, batch, state)
    values (${run?.['id']}, 901, ${caller.accountId}, 'A', ${ID}, 'inventory_quantity', 'store', 'set', '10', '8', 1, 'sent'),
      (${run?.['id']}, 902, ${caller.accountId}, 'A', ${ID}, 'inventory_quantity', 'sheet', 'set', '10', '8', 2, 'planned')`;
  const { canceled } = await settle();
  expect(canceled).toBe(1);
  expect(await sql`select status, counts ? 'sent' as in_doubt from sync_runs`).toMatchObject([
    { status: 'canceled', in_doubt: false },
  ]);
  expect(await sql`select state from sync_changes where seq > 900`).toMatchObject([
    { state: 'skipped' },
    { state: 'skipped' },
  ]);
  await setup.start(shop);
  expect(stock(shop)).toEqual({ A: 10 });
});

test('only what ran automatically is paused, and each pause is in the audit log of its account', async () => {
  const { sql } = setup.database;
  await sql`
    update sync_configs set every_minutes = 60, next_at = now() - interval '1 day', webhook_items = '{1}' where id = ${CONFIG}`;
  await sql`
    insert into sync_configs (id, account_id, store_id, sheet_id, direction, mappings, options)
    values ('cfg_by_hand', ${caller.accountId}, 'sto_test', 'she_test', 'store_to_sheet', '[]', '{}')`;
  const { paused } = await settle();
  expect(paused).toEqual([
    { id: CONFIG, account_id: caller.accountId, store: 'local.myshopify.com', sheet: 'Local' },
  ]);
  expect(await sql`select id, enabled, next_at, webhook_items from sync_configs order by id`).toMatchObject([
    { id: 'cfg_by_hand', enabled: true },
    { id: CONFIG, enabled: false, next_at: null, webhook_items: [] },
  ]);
  expect(await sql`select account_id, actor, action, target from audit_events`).toMatchObject([
    { account_id: caller.accountId, actor: 'operator', action: 'sync_config.paused', target: CONFIG },
  ]);
});
