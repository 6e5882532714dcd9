import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { Consented } from './consented.ts';

const StoreRow = z.object({
  seq: z.number(),
  id: z.string(),
  account_id: z.string(),
  domain: z.string(),
  credentials: z.string(),
  webhook_secret: z.string().nullable(),
  token_hint: z.string(),
  location_id: z.string(),
  location_name: z.string(),
  name: z.string(),
  currency: z.string(),
  status: z.enum(['connected', 'reconnect_required', 'disconnected']),
  grant_id: z.string().nullable(),
  renewable: z.boolean().nullable(),
  expires_at: z.date().nullable(),
  /** Absent for pasted credentials. */
  consent: Consented.nullish().transform((consent) => consent ?? null),
  created_at: z.date(),
  updated_at: z.date(),
  /** Which of the account's stores it is, in the order they were connected, from 1. */
  place: z.number(),
});
export type StoreRow = z.output<typeof StoreRow>;

type NewStoreRow = Omit<StoreRow, 'seq' | 'status' | 'created_at' | 'updated_at' | 'place' | 'consent'>;

/** What no two stores of an account share. */
export type StoreIdentity = Pick<StoreRow, 'account_id' | 'domain'>;

const Count = z.object({ used: z.number(), same: z.string().nullable() });
const Listening = StoreRow.pick({
  id: true,
  account_id: true,
  webhook_secret: true,
  grant_id: true,
}).extend({ consented_at: z.date().nullable() });
const Claimed = StoreRow.pick({ id: true, account_id: true });

/** Until the transaction ends, no other transaction connects a store to the account. */
export async function lock(sql: Sql | Tx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('sync_stores ' || ${accountId}::text, 0))`;
}

/** How many the account has, and which of them has this domain. */
export async function countWithSame(
  sql: Sql | Tx,
  { account_id, domain }: StoreIdentity,
): Promise<z.output<typeof Count>> {
  const [row] = await sql`
    select count(*)::integer as used, min(id) filter (where domain = ${domain}) as same
    from sync_stores where account_id = ${account_id}`;
  return Count.parse(row);
}

/** Undefined where the limit is reached; -1 is no limit. Under `lock`. */
export async function insert(sql: Sql | Tx, row: NewStoreRow, limit: number): Promise<StoreRow | undefined> {
  const [inserted] = await sql`
    insert into sync_stores (id, account_id, domain, credentials, webhook_secret, token_hint, location_id,
      location_name, name, currency, grant_id, renewable, expires_at)
    select ${row.id}, ${row.account_id}, ${row.domain}, ${row.credentials}, ${row.webhook_secret}::text,
      ${row.token_hint}, ${row.location_id}, ${row.location_name}, ${row.name}, ${row.currency},
      ${row.grant_id}::text, ${row.renewable}::boolean, ${row.expires_at}::timestamptz
    where ${limit}::integer = -1
      or (select count(*) from sync_stores where account_id = ${row.account_id}) < ${limit}::integer
    returning *, (select count(*)::integer + 1 from sync_stores o where o.account_id = ${row.account_id}) as place,
      (select jsonb_build_object('account', g.label, 'by', g.actor, 'at', g.consented_at, 'scopes', g.scopes)
        from sync_grants g where g.account_id = ${row.account_id} and g.id = ${row.grant_id}::text) as consent`;
  return inserted && StoreRow.parse(inserted);
}

export async function find(sql: Sql | Tx, accountId: string, id: string): Promise<StoreRow | undefined> {
  const [row] = await sql`
    select s.*, (select count(*)::integer from sync_stores o
      where o.account_id = s.account_id and o.seq <= s.seq) as place,
      (select jsonb_build_object('account', g.label, 'by', g.actor, 'at', g.consented_at, 'scopes', g.scopes)
        from sync_grants g where g.account_id = s.account_id and g.id = s.grant_id) as consent
    from sync_stores s where s.account_id = ${accountId} and s.id = ${id}`;
  return row && StoreRow.parse(row);
}

/** Newest first. */
export async function list(
  sql: Sql | Tx,
  accountId: string,
  { before, limit }: { before: number; limit: number },
): Promise<StoreRow[]> {
  const rows = await sql`
    select s.*, (select count(*)::integer from sync_stores o
      where o.account_id = s.account_id and o.seq <= s.seq) as place,
      (select jsonb_build_object('account', g.label, 'by', g.actor, 'at', g.consented_at, 'scopes', g.scopes)
        from sync_grants g where g.account_id = s.account_id and g.id = s.grant_id) as consent
    from sync_stores s where s.account_id = ${accountId} and s.seq < ${before}
    order by s.seq desc limit ${limit}`;
  return z.array(StoreRow).parse(rows);
}

/** Saves a connection that was just verified; false when it was deleted, or its credentials changed concurrently. */
export async function update(sql: Sql | Tx, row: NewStoreRow, previousCredentials: string): Promise<boolean> {
  const rows = await sql`
    update sync_stores set credentials = ${row.credentials}, webhook_secret = ${row.webhook_secret},
      token_hint = ${row.token_hint}, location_id = ${row.location_id}, location_name = ${row.location_name},
      name = ${row.name}, currency = ${row.currency}, grant_id = ${row.grant_id}, renewable = ${row.renewable},
      expires_at = ${row.expires_at}, status = 'connected', updated_at = now()
    where account_id = ${row.account_id} and id = ${row.id} and credentials = ${previousCredentials} returning id`;
  return rows.length === 1;
}

/** The store rejects these credentials. Not if others were saved since; one that was uninstalled stays that. */
export async function requireReconnect(
  sql: Sql | Tx,
  accountId: string,
  id: string,
  credentials: string,
): Promise<void> {
  await sql`
    update sync_stores set status = 'reconnect_required', updated_at = now()
    where account_id = ${accountId} and id = ${id} and credentials = ${credentials} and status = 'connected'`;
}

/** Not if it was verified after `asOf`; one that was uninstalled stays that. */
export async function setStatus(
  sql: Sql | Tx,
  accountId: string,
  id: string,
  status: StoreRow['status'],
  asOf: Date | null,
): Promise<void> {
  await sql`
    update sync_stores set status = ${status}, updated_at = now()
    where account_id = ${accountId} and id = ${id} and status <> ${status} and status <> 'disconnected'
      and (${asOf}::timestamptz is null or updated_at <= ${asOf}::timestamptz)`;
}

export async function remove(sql: Sql | Tx, accountId: string, id: string): Promise<boolean> {
  const rows = await sql`
    delete from sync_stores where account_id = ${accountId} and id = ${id} returning id`;
  return rows.length === 1;
}

/** Connections of all accounts to a domain: its webhooks do not name accounts. */
export async function listByDomain(sql: Sql | Tx, domain: string): Promise<z.output<typeof Listening>[]> {
  const rows = await sql`
    select s.id, s.account_id, s.webhook_secret, s.grant_id, g.consented_at
    from sync_stores s left join sync_grants g on g.account_id = s.account_id and g.id = s.grant_id
    where s.domain = ${domain} and s.status <> 'disconnected' order by s.seq`;
  return z.array(Listening).parse(rows);
}

/** Connections of all accounts to a domain that has uninstalled the operator's app since. */
export async function listUninstalled(sql: Sql | Tx, domain: string): Promise<z.output<typeof Claimed>[]> {
  const rows = await sql`
    select id, account_id from sync_stores
    where domain = ${domain} and status = 'disconnected' and grant_id is not null order by seq`;
  return z.array(Claimed).parse(rows);
}

/** Claims stores with a realtime configuration whose webhooks were not subscribed since `before`. */
export async function claimUnsubscribed(
  sql: Sql | Tx,
  now: Date,
  before: Date,
  limit: number,
): Promise<z.output<typeof Claimed>[]> {
  const rows = await sql`
    with unsubscribed as materialized (
      select s.id from sync_stores s
      where s.status = 'connected' and (s.webhook_secret is not null or s.grant_id is not null)
        and (s.webhooks_checked_at is null or s.webhooks_checked_at < ${before})
        and exists (select from sync_configs c where c.store_id = s.id and c.realtime and c.enabled)
        and exists (select from active_accounts a where a.id = s.account_id)
      order by s.seq limit ${limit} for update of s skip locked)
    update sync_stores s set webhooks_checked_at = ${now}
    from unsubscribed where s.id = unsubscribed.id
    returning s.id, s.account_id`;
  return z.array(Claimed).parse(rows);
}
