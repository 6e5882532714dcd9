import { z } from 'zod';
import type { Sql } from '../platform/database/database.ts';
import { idsOf } from '../platform/database/ids-of.ts';
import type { UnitPurpose } from './quota.ts';

const Reserved = z.object({
  reservation_id: z.string().nullable(),
  reservation_state: z.enum(['held', 'settled']).nullable(),
  granted: z.number(),
  asked: z.number(),
  used_units: z.number().nullable(),
});

const Settled = z.object({ done: z.boolean() });
const Granted = z.object({ granted: z.boolean() });
const Deleted = z.object({ deleted: z.number() });
const Taken = z.object({ taken: z.number() });

const Balance = z.object({
  credits: z.number(),
  used: z.number(),
  template_units: z.number(),
  by_day: z.array(z.object({ date: z.string(), hooks: z.number() })),
});

const Silent = z.object({ id: z.string(), account_id: z.string() });

const Entry = z.object({
  seq: z.number(),
  kind: z.enum(['reserve', 'refund', 'grant', 'take_back']),
  month: z.string(),
  plan_units: z.number(),
  credit_units: z.number(),
  reservation_id: z.string().nullable(),
  source: z.string().nullable(),
  created_at: z.date(),
});
export type LedgerEntry = z.output<typeof Entry>;

type NewReservation = { id: string; units: number; limit: number; key: string | null; purpose: UnitPurpose };

// The SQL of quotas. Every change is one call of a database function; see quota.ts.

export async function reserveUnits(
  sql: Sql,
  accountId: string,
  { id, units, limit, key, purpose }: NewReservation,
  at: Date,
) {
  const [row] = await sql`
    select reservation_id, reservation_state, granted, asked, used_units
    from quota_reserve(${accountId}, ${id}, ${units}, ${limit}, ${key}, ${at}, ${purpose})`;
  return Reserved.parse(row);
}

/** Says that the work of a reservation is still going on. */
export async function keepReservation(sql: Sql, accountId: string, id: string, at: Date): Promise<void> {
  await sql`
    update quota_reservations set kept_at = greatest(kept_at, ${at})
    where account_id = ${accountId} and id = ${id} and state = 'held'`;
}

/** With `silentSince`, only when the work has given no sign of life since then. */
export async function settle(
  sql: Sql,
  accountId: string,
  { id, delivered, silentSince = null }: { id: string; delivered: number; silentSince?: Date | null },
  at: Date,
): Promise<boolean> {
  const [row] = await sql`
    select done from quota_settle(${accountId}, ${id}, ${delivered}, ${at}, ${silentSince})`;
  return Settled.parse(row).done;
}

export async function readBalance(
  sql: Sql,
  accountId: string,
  month: string,
): Promise<z.output<typeof Balance>> {
  const [row] = await sql`
    select
      coalesce((select credits from quota_balances where account_id = ${accountId}), 0) as credits,
      coalesce((select used from quota_months
        where account_id = ${accountId} and month = ${month}), 0) as used,
      coalesce((select jsonb_agg(jsonb_build_object('date', day, 'hooks', hooks) order by day)
        from quota_days where account_id = ${accountId} and hooks > 0
          and day >= (${month}::text || '-01')::date
          and day < (${month}::text || '-01')::date + interval '1 month'), '[]') as by_day,
      coalesce((select sum(templates)::int from quota_days where account_id = ${accountId}
        and day >= (${month}::text || '-01')::date
        and day < (${month}::text || '-01')::date + interval '1 month'), 0) as template_units`;
  return Balance.parse(row);
}

export async function grantCredits(
  sql: Sql,
  accountId: string,
  credits: number,
  source: string,
  at: Date,
): Promise<boolean> {
  const [row] = await sql`
    select quota_grant(${accountId}, ${credits}, ${source}, ${at}) as granted`;
  return Granted.parse(row).granted;
}

export async function takeBackCredits(
  sql: Sql,
  accountId: string,
  credits: number,
  source: string,
  at: Date,
): Promise<number> {
  const [row] = await sql`
    select quota_take_back(${accountId}, ${credits}, ${source}, ${at}) as taken`;
  return Taken.parse(row).taken;
}

/** Reservations of all accounts without a sign of life since. */
export async function listSilent(sql: Sql, since: Date, limit: number): Promise<z.output<typeof Silent>[]> {
  const rows = await sql`
    select id, account_id from quota_reservations
    where state = 'held' and kept_at <= ${since} order by kept_at limit ${limit}`;
  return z.array(Silent).parse(rows);
}

/** The ledger in order, a page after the entry `after`. */
export async function listEntries(
  sql: Sql,
  accountId: string,
  after: number,
  limit: number,
): Promise<LedgerEntry[]> {
  const rows = await sql`
    select seq::float8 as seq, kind, month, plan_units, credit_units, reservation_id, source, created_at
    from quota_entries where account_id = ${accountId} and seq > ${after} order by quota_entries.seq limit ${limit}`;
  return z.array(Entry).parse(rows);
}

/** Of these accounts, those that have ended reservations, or days, from before. */
export async function accountsWithOld(
  sql: Sql,
  accountIds: readonly string[],
  before: Date,
): Promise<string[]> {
  const rows = await sql`
    select a.id from unnest(${[...accountIds]}::text[]) a (id)
    where exists (
      select from quota_reservations where account_id = a.id and state <> 'held' and ended_at < ${before})
    or exists (
      select from quota_days
      where account_id = a.id and day < date_trunc('month', ${before}::timestamptz at time zone 'UTC'))`;
  return idsOf(rows);
}

/** Deletes at most `limit` of the account's ended reservations, and of its days, from before; returns how many. */
export async function deleteOld(sql: Sql, accountId: string, before: Date, limit: number): Promise<number> {
  const [row] = await sql`
    with reservations as (
      delete from quota_reservations where id in (
        select id from quota_reservations
        where account_id = ${accountId} and state <> 'held' and ended_at < ${before} limit ${limit})
      returning id),
    days as (
      delete from quota_days where account_id = ${accountId} and day in (
        select day from quota_days
        where account_id = ${accountId} and day < date_trunc('month', ${before}::timestamptz at time zone 'UTC')
        order by day limit ${limit})
      returning day)
    select ((select count(*) from reservations) + (select count(*) from days))::int as deleted`;
  return Deleted.parse(row).deleted;
}
