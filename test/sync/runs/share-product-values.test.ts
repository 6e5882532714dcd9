import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAttempt } from '../../../src/platform/work/attempt.ts';
import type { Mapping } from '../../../src/sync/config.ts';
import { createApplyWork } from '../../../src/sync/runs/apply/apply.ts';
import { createRunStore } from '../../../src/sync/runs/repositories/run-repo.ts';
import { EMBEDDED_WRITE_ROWS, WRITE_ROWS } from '../../../src/sync/statement-size.ts';
import { openTestDatabase, type TestDatabase, testServer } from '../../support/database.ts';
import { queueRun } from '../../support/sync-crashes.ts';
import { CONFIG, caller, openAccount, openShop } from '../../support/sync-runs.ts';

const MAPPINGS: readonly Mapping[] = [
  { sheet_column: 'SKU', store_field: 'sku' },
  { sheet_column: 'Title', store_field: 'title' },
];
const ROWS_A_PRODUCT = 4;
/** Without statistics PostgreSQL plans these tables as if they had a row, so that what joins them does not end in 5 s. */
const PRODUCTS = testServer ? 10_000 : 250;
const ROWS = PRODUCTS * ROWS_A_PRODUCT;
const WRITE = testServer ? WRITE_ROWS : EMBEDDED_WRITE_ROWS;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  await database.reset();
  await openAccount(database);
});
afterAll(() => database.close());

/** A run that has told the store a title of each product, by its first row; every row says it, and none has agreed on it. */
async function openWork() {
  const { sql } = database;
  const shop = openShop({ variants: [], rows: [], settings: { direction: 'two_way', mappings: MAPPINGS } });
  const { id } = await queueRun(database, shop, 1);
  const fence = { accountId: caller.accountId, id, attempt: 1 };
  const run = await createRunStore(sql).claim(fence);
  if (!run) throw new Error('the run was not claimed');
  await sql`
    insert into sync_read_sheet (run_id, row_no, key, folded, vals)
    select ${id}, nth + 2, 'K' || nth, 'k' || nth, array['K' || nth, 'New ' || nth / ${ROWS_A_PRODUCT}::int]
    from generate_series(0, ${ROWS - 1}::int) nth`;
  await sql`
    insert into sync_base (config_id, key, variant_id, product_id, item_id, row_no, vals)
    select ${CONFIG}, 'K' || nth, 'V' || nth, 'P' || nth / ${ROWS_A_PRODUCT}::int, 'I' || nth, nth + 2, array['K' || nth, null]
    from generate_series(0, ${ROWS - 1}::int) nth`;
  await sql`
    insert into sync_changes (run_id, seq, account_id, key, row_no, variant_id, product_id, item_id, field, side, kind,
      from_value, to_value, batch, state)
    select ${id}, nth + 1, ${caller.accountId}, 'K' || nth * ${ROWS_A_PRODUCT}::int, nth * ${ROWS_A_PRODUCT}::int + 2,
      'V' || nth, 'P' || nth, 'I' || nth, 'title', 'store', 'set', 'Old', 'New ' || nth, 1, 'applied'
    from generate_series(0, ${PRODUCTS - 1}::int) nth`;
  await sql`
    update sync_base b set vals[2] = c.to_value from sync_changes c where c.run_id = ${id} and c.key = b.key`;
  const attempt = createAttempt(
    fence,
    () => {},
    (wait) => wait(),
  );
  const work = createApplyWork(
    { sql, writeRows: WRITE, now: () => new Date() },
    { run, owner: run, sides: shop.sides(), attempt },
  );
  return { sql, work };
}

test(`${PRODUCTS} titles that the store was told are taken into the baseline of ${ROWS} rows, ${WRITE} rows a transaction`, async () => {
  const { sql, work } = await openWork();
  await work.shareProductValues();
  const [agreed] = await sql<{ rows: number; rightly: number }[]>`
    select count(*)::int as rows, (count(*) filter (
      where vals[2] = 'New ' || substr(key, 2)::int / ${ROWS_A_PRODUCT}::int))::int as rightly
    from sync_base`;
  expect(agreed).toEqual({ rows: ROWS, rightly: ROWS });
  const [largest] = await sql<{ rows: number }[]>`
    select max(rows)::int as rows from (
      select count(*) as rows from sync_base where not key = any(
        select key from sync_changes) group by xmin::text) of_a_transaction`;
  expect(largest?.rows).toBe(WRITE);
}, 120_000);

test('a row that says something else, cannot be read or is of another product keeps its baseline', async () => {
  const { sql, work } = await openWork();
  await sql`update sync_read_sheet set vals[2] = 'Mine' where key = 'K1'`;
  await sql`update sync_read_sheet set faults = array[null, 'expected.text'] where key = 'K2'`;
  await sql`update sync_base set product_id = 'other' where key = 'K3'`;
  await sql`delete from sync_read_sheet where key = 'K5'`;
  await work.shareProductValues();
  const rows = await sql<{ key: string }[]>`
    select key from sync_base where vals[2] is null order by key`;
  expect(rows.map(({ key }) => key)).toEqual(['K1', 'K2', 'K3', 'K5']);
}, 120_000);
