import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../src/identity/caller.ts';
import { SCOPES } from '../../src/identity/caller.ts';
import { useTools } from '../support/app.ts';
import { HEADER, openPairs, type Pair, type Pairs, stocked } from '../support/sync-pairs.ts';

let pairs: Pairs;
beforeAll(async () => {
  pairs = await openPairs({ SYNC_DEMO: 'true' });
});
afterAll(() => pairs.close());

const WEBHOOK_SECRET = 'shpss_secret_of_the_app';

const callerOf = ({ accountId }: Pair): Caller => ({
  accountId,
  actor: 'test',
  scopes: SCOPES,
  via: 'api_key',
});

/** An account with a row in every table of sync: a run that ended, a plan that waits, a delivery, and the demo. */
async function fullPair(): Promise<Pair> {
  const app = { clientId: 'app', clientSecret: WEBHOOK_SECRET };
  const pair = await pairs.open({
    ...{ products: stocked({ A: 1, B: 2 }), rows: [HEADER, ['A', 1]], plan: 'pro_api', shop: { app } },
  });
  await pair.rest('PATCH', `/sync/store/${pair.ids.store_id}`, { body: { webhook_secret: WEBHOOK_SECRET } });
  const config_id = await pair.config({ direction: 'store_to_sheet', realtime: true });
  await pair.run({ config_id });
  pair.shop.setQuantity('A', 7);
  await pair.post('/sync/preview', { config_id });
  const { headers, body } = pair.shop.webhook('products/update', { id: 1 });
  await fetch(`${pairs.url}/webhooks/shopify`, { method: 'POST', headers, body });
  const call = useTools(pairs.app, callerOf(pair));
  await call('connect_store', { domain: 'demo.myshopify.com', store_access_token: 'demo' });
  await call('set_demo_stock', { side: 'store', sku: 'MUG-SEA', stock: 1 });
  return pair;
}

/** Rows of an account in each table of sync. */
async function rowsOf(accountId: string, runs: readonly string[], configs: readonly string[]) {
  const { sql } = pairs.app.database;
  const [row] = await sql`
    select
      (select count(*) from sync_stores where account_id = ${accountId})::int as stores,
      (select count(*) from sync_sheets where account_id = ${accountId})::int as sheets,
      (select count(*) from sync_configs where account_id = ${accountId})::int as configs,
      (select count(*) from sync_runs where account_id = ${accountId})::int as runs,
      (select count(*) from sync_changes where account_id = ${accountId})::int as changes,
      (select count(*) from sync_demos where account_id = ${accountId})::int as demos,
      (select count(*) from sync_base where config_id = any(${[...configs]}::text[]))::int as base,
      (select count(*) from sync_read_store where run_id = any(${[...runs]}::text[]))::int as read_store,
      (select count(*) from sync_read_sheet where run_id = any(${[...runs]}::text[]))::int as read_sheet,
      (select count(*) from sync_webhook_events e join sync_stores s on s.id = e.store_id
        where s.account_id = ${accountId})::int as events`;
  return row;
}

async function idsOf(accountId: string) {
  const { sql } = pairs.app.database;
  const runs = await sql`select id from sync_runs where account_id = ${accountId}`;
  const configs = await sql`select id from sync_configs where account_id = ${accountId}`;
  return [runs, configs].map((rows) => rows.map(({ id }) => String(id))) as [string[], string[]];
}

test('the export has stores, sheets and configurations, and no secret of them', async () => {
  const pair = await fullPair();
  const exported = await useTools(pairs.app, callerOf(pair))('export_account');
  const answer = await fetch(String(exported['url']).replace('http://stallhand.test', pairs.url));
  const text = await answer.text();
  expect(JSON.parse(text)).toMatchObject({
    sync_stores: [{ domain: 'demo.myshopify.com' }, { domain: pair.shop.domain, status: 'connected' }],
    sync_sheets: [{ spreadsheet_id: pair.book.id, sheet_name: 'Sheet1' }],
    sync_configs: [{ direction: 'store_to_sheet', realtime: true }],
  });
  const { sql } = pairs.app.database;
  const sealed = await sql`
    select credentials, webhook_secret from sync_stores where account_id = ${pair.accountId}
    union all select credentials, null from sync_sheets where account_id = ${pair.accountId}`;
  const secrets = [pair.shop.token, WEBHOOK_SECRET, 'ya29.test', '1//test', ...sealed.flatMap(Object.values)];
  expect(secrets.filter((secret) => secret && text.includes(String(secret)))).toEqual([]);
});

test('nothing of sync outlives the account, and nothing of another account goes with it', async () => {
  const [pair, other] = [await fullPair(), await fullPair()];
  const [runs, configs] = await idsOf(pair.accountId);
  const ofOther = await rowsOf(other.accountId, ...(await idsOf(other.accountId)));
  const full = await rowsOf(pair.accountId, runs, configs);
  expect(Object.entries(full ?? {}).filter(([, count]) => count === 0)).toEqual([]);
  await useTools(pairs.app, callerOf(pair))('delete_account', { confirm: 'test' });
  await pairs.app.database.sql`
    update accounts set deleted_at = deleted_at - interval '15 days' where id = ${pair.accountId}`;
  await pairs.app.accountDeletion.purge();
  await pairs.app.sync.sweep();
  const gone = Object.fromEntries(Object.keys(full ?? {}).map((table) => [table, 0]));
  expect(await rowsOf(pair.accountId, runs, configs)).toEqual(gone);
  expect(await rowsOf(other.accountId, ...(await idsOf(other.accountId)))).toEqual(ofOther);
  const { headers, body } = pair.shop.webhook('products/update', { id: 1 });
  expect((await fetch(`${pairs.url}/webhooks/shopify`, { method: 'POST', headers, body })).status).toBe(401);
});
