import { z } from 'zod';
import { createAccounts } from '../../src/identity/accounts/accounts.ts';
import type { Sql } from '../../src/platform/database/database.ts';
import { createQuota } from '../../src/quota/create-quota.ts';

/** What an account has, by its balances or by its ledger: both say the same, always. */
export type Books = { readonly credits: number; readonly used: Readonly<Record<string, number>> };

const Books = z.object({ credits: z.number(), used: z.record(z.string(), z.number()) });

export async function newAccount(sql: Sql): Promise<string> {
  return (await createAccounts({ sql, seedAccount: async () => {} }).create('test')).id;
}

/** A quota whose clock and plan the test moves. */
export function openQuota(sql: Sql, { limit = 50 }: { limit?: number } = {}) {
  const state = {
    now: Date.UTC(2026, 10, 21, 12),
    plan: 'free',
    limit,
    pastDue: false,
  };
  const entitlements = {
    of: async () => ({ hooks: { plan: state.plan, hooksLimit: state.limit, pastDue: state.pastDue } }),
  };
  return { state, quota: createQuota({ sql, entitlements, now: () => state.now }) };
}

export async function balances(sql: Sql, accountId: string): Promise<Books> {
  const [row] = await sql`
    select
      coalesce((select credits from quota_balances where account_id = ${accountId}), 0) as credits,
      coalesce((select jsonb_object_agg(month, used) from quota_months
        where account_id = ${accountId} and used > 0), '{}') as used`;
  return Books.parse(row);
}

export async function ledger(sql: Sql, accountId: string): Promise<Books> {
  const [row] = await sql`
    select
      (select coalesce(sum(credit_units), 0)::int from quota_entries where account_id = ${accountId}) as credits,
      (select coalesce(jsonb_object_agg(month, used), '{}') from (
        select month, -sum(plan_units)::int as used from quota_entries
        where account_id = ${accountId} group by month having sum(plan_units) <> 0
      ) as months) as used`;
  return Books.parse(row);
}

/** The books, once it is certain that the balances and the ledger agree. */
export async function booksOf(sql: Sql, accountId: string): Promise<Books> {
  const [balance, sums] = [await balances(sql, accountId), await ledger(sql, accountId)];
  if (JSON.stringify(sorted(balance)) !== JSON.stringify(sorted(sums)))
    throw new Error(`balances ${JSON.stringify(balance)}, ledger ${JSON.stringify(sums)}`);
  return balance;
}

function sorted({ credits, used }: Books) {
  return { credits, used: Object.entries(used).sort() };
}

/** The code of the Fault a call ends in. */
export function codeOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'no fault',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );
}

/** Units of an account that are reserved and not yet charged or given back. */
export async function heldUnits(sql: Sql, accountId: string): Promise<number> {
  const [row] = await sql`
    select coalesce(sum(plan_units + credit_units), 0)::int as units
    from quota_reservations where account_id = ${accountId} and state = 'held'`;
  return Number(row?.['units']);
}

/** The ledger is in the order in which things happened, so its running sum is what was out at each moment. */
export async function mostAtOnce(sql: Sql, accountId: string): Promise<number> {
  const [row] = await sql`
    select max(units)::int as units from (
      select -sum(plan_units + credit_units) over (order by seq) as units from quota_entries
      where account_id = ${accountId} and kind in ('reserve', 'refund')
    ) as moments`;
  return Number(row?.['units']);
}
