import { z } from 'zod';
import type { Sql, Tx } from '../platform/database/database.ts';

// The SQL of the outbox: events that wait for delivery, and the log of those that were delivered or given up.

const Outcome = z.union([z.object({ status: z.number() }), z.object({ reason: z.string() })]);
/** Result of an attempt: the response status, or why there was none. */
export type Outcome = z.output<typeof Outcome>;

const DeliveryRow = z.object({
  seq: z.number(),
  id: z.string(),
  message_id: z.string(),
  type: z.string(),
  status: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.number(),
  outcome: Outcome.nullable(),
  happened_at: z.date(),
  attempted_at: z.date().nullable(),
  next_at: z.date(),
  created_at: z.date(),
});
export type DeliveryRow = z.output<typeof DeliveryRow>;

/** Receiver of one event, its language, and the base address of links. */
const Target = z.object({ url: z.string(), locale: z.enum(['en', 'es']), baseUrl: z.string() });
export type Target = z.output<typeof Target>;

const ClaimedDelivery = z.object({
  id: z.string(),
  account_id: z.string(),
  message_id: z.string(),
  type: z.string(),
  data: z.unknown(),
  attempts: z.number(),
  happened_at: z.date(),
  /** Null: a webhook of the account. */
  target: Target.nullable(),
  webhook_id: z.string().nullable(),
  url: z.string().nullable(),
  enabled: z.boolean().nullable(),
  secret_nonce: z.string().nullable(),
  /** Of the secret before, while it still signs. */
  former_nonce: z.string().nullable(),
});
/** A delivery, and what its attempt needs to know of its webhook. */
export type ClaimedDelivery = z.output<typeof ClaimedDelivery>;

/**
 * Claims at most `limit` due deliveries of all accounts in turn; `busy` names the account of each attempt that is in
 * progress: its turn is later, and with `places` of them it has none. No other process claims them for `seconds`. Steps from account to account instead of
 * reading all that is due, which one account can make arbitrarily long.
 */
export async function claimDue(
  sql: Sql | Tx,
  {
    limit,
    busy,
    places,
    seconds,
  }: { limit: number; busy: readonly string[]; places: number; seconds: number },
): Promise<ClaimedDelivery[]> {
  const rows = await sql`
    with recursive accounts (id) as (
      (select account_id from webhook_deliveries where status = 'waiting' and next_at <= now()
        order by account_id limit 1)
      union all
      select (select d.account_id from webhook_deliveries d
        where d.status = 'waiting' and d.next_at <= now() and d.account_id > accounts.id
        order by d.account_id limit 1)
      from accounts where accounts.id is not null
    ), due as (
      select first.id, first.next_at, (row_number() over (partition by accounts.id order by first.next_at)
        + (select count(*) from unnest(${[...busy]}::text[]) as one (id) where one.id = accounts.id)) as turn
      from accounts cross join lateral (
        select d.id, d.next_at from webhook_deliveries d
        where d.account_id = accounts.id and d.status = 'waiting' and d.next_at <= now()
          and d.account_id in (select id from active_accounts)
        order by d.next_at limit ${limit}) first
    ), claimed as (
      update webhook_deliveries set attempts = attempts + 1, attempted_at = now(),
        next_at = now() + make_interval(secs => ${seconds}::float8)
      where id in (
        select d.id from webhook_deliveries d join due on due.id = d.id
        where d.status = 'waiting' and d.next_at <= now() and due.turn <= ${places}
        order by due.turn, due.next_at limit ${limit} for update of d skip locked)
      returning id, account_id, webhook_id, message_id, type, data, target, attempts, happened_at)
    select claimed.*, w.url, w.enabled, w.secret_nonce,
      case when w.former_until > now() then w.former_nonce end as former_nonce
    from claimed left join webhooks w on w.account_id = claimed.account_id and w.id = claimed.webhook_id`;
  return z.array(ClaimedDelivery).parse(rows);
}

/** Adds a delivery that is claimed already. */
export async function insertClaimed(
  sql: Sql | Tx,
  accountId: string,
  one: { id: string; webhookId: string; messageId: string; type: string; data: object },
  seconds: number,
): Promise<ClaimedDelivery | undefined> {
  const [row] = await sql`
    with added as (
      insert into webhook_deliveries (id, account_id, webhook_id, message_id, type, data, attempts, attempted_at,
        next_at)
      select ${one.id}, ${accountId}, w.id, ${one.messageId}, ${one.type}, ${sql.json({ ...one.data })}::jsonb, 1,
        now(), now() + make_interval(secs => ${seconds}::float8)
      from webhooks w where w.account_id = ${accountId} and w.id = ${one.webhookId}
      returning id, account_id, webhook_id, message_id, type, data, target, attempts, happened_at)
    select added.*, w.url, w.enabled, w.secret_nonce,
      case when w.former_until > now() then w.former_nonce end as former_nonce
    from added join webhooks w on w.account_id = ${accountId} and w.id = added.webhook_id`;
  return row && ClaimedDelivery.parse(row);
}

/** It arrived, whichever attempt it was. */
export async function recordArrival(
  sql: Sql | Tx,
  { account_id, id }: Pick<ClaimedDelivery, 'account_id' | 'id'>,
  outcome: Outcome,
): Promise<void> {
  await sql`
    with arrived as (
      update webhook_deliveries set status = 'delivered', outcome = ${sql.json(outcome)}
      where account_id = ${account_id} and id = ${id}
      returning webhook_id)
    update webhooks set failing_since = null
    where account_id = ${account_id} and failing_since is not null and id in (select webhook_id from arrived)`;
}

const Failing = z.object({ failing_for: z.number() });

/**
 * The attempt failed; the next one is due in `seconds`, or never. Nothing happens when a later attempt has begun. Returns
 * for how many seconds its webhook has failed without a break; undefined where that does not count.
 */
export async function recordFailure(
  sql: Sql | Tx,
  { account_id, id, attempts }: Pick<ClaimedDelivery, 'account_id' | 'id' | 'attempts'>,
  { outcome, seconds, counts }: { outcome: Outcome; seconds: number | undefined; counts: boolean },
): Promise<number | undefined> {
  const [row] = await sql`
    with failed as (
      update webhook_deliveries set outcome = ${sql.json(outcome)},
        status = case when ${seconds ?? null}::float8 is null then 'failed' else 'waiting' end,
        next_at = now() + make_interval(secs => ${seconds ?? 0}::float8)
      where account_id = ${account_id} and id = ${id} and attempts = ${attempts} and status = 'waiting'
      returning webhook_id)
    update webhooks set failing_since = coalesce(failing_since, now())
    where account_id = ${account_id} and ${counts}::boolean and id in (select webhook_id from failed)
    returning extract(epoch from now() - failing_since)::float8 as failing_for`;
  return row && Failing.parse(row).failing_for;
}

/** Gives up what waits for a webhook. */
export async function abandonWaiting(
  sql: Sql | Tx,
  accountId: string,
  webhookId: string,
  outcome: Outcome,
): Promise<void> {
  await sql`
    update webhook_deliveries set status = 'failed', outcome = ${sql.json(outcome)}
    where account_id = ${accountId} and webhook_id = ${webhookId} and status = 'waiting'`;
}

/** Newest first. */
export async function list(
  sql: Sql | Tx,
  accountId: string,
  filter: { webhookId: string; status: string | null; before: number; limit: number },
): Promise<DeliveryRow[]> {
  const rows = await sql`
    select seq, id, message_id, type, status, attempts, outcome, happened_at, attempted_at, next_at, created_at
    from webhook_deliveries
    where account_id = ${accountId} and webhook_id = ${filter.webhookId} and seq < ${filter.before}
      and (${filter.status}::text is null or status = ${filter.status}::text)
    order by seq desc limit ${filter.limit}`;
  return z.array(DeliveryRow).parse(rows);
}

export async function find(
  sql: Sql | Tx,
  accountId: string,
  webhookId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await sql`
    select seq, id, message_id, type, status, attempts, outcome, happened_at, attempted_at, next_at, created_at
    from webhook_deliveries where account_id = ${accountId} and webhook_id = ${webhookId} and id = ${id}`;
  return row && DeliveryRow.parse(row);
}

/** Makes a waiting delivery due now. Undefined when it does not wait. */
export async function hasten(
  sql: Sql | Tx,
  accountId: string,
  webhookId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await sql`
    update webhook_deliveries set next_at = least(next_at, now())
    where account_id = ${accountId} and webhook_id = ${webhookId} and id = ${id} and status = 'waiting'
    returning seq, id, message_id, type, status, attempts, outcome, happened_at, attempted_at, next_at, created_at,
      pg_notify('webhooks', '')`;
  return row && DeliveryRow.parse(row);
}

/** Adds another delivery of the same message. */
export async function repeat(
  sql: Sql | Tx,
  accountId: string,
  webhookId: string,
  { id, newId }: { id: string; newId: string },
): Promise<DeliveryRow | undefined> {
  const [row] = await sql`
    insert into webhook_deliveries (id, account_id, webhook_id, message_id, type, data, happened_at)
    select ${newId}, account_id, webhook_id, message_id, type, data, happened_at from webhook_deliveries
    where account_id = ${accountId} and webhook_id = ${webhookId} and id = ${id}
    returning seq, id, message_id, type, status, attempts, outcome, happened_at, attempted_at, next_at, created_at,
      pg_notify('webhooks', '')`;
  return row && DeliveryRow.parse(row);
}

/** At most `limit` finished deliveries that are older than 30 days; how many there were. */
export async function deleteOld(sql: Sql | Tx, limit: number): Promise<number> {
  const rows = await sql`
    delete from webhook_deliveries where seq in (
      select seq from webhook_deliveries
      where status <> 'waiting' and created_at < now() - interval '30 days' limit ${limit})`;
  return rows.count;
}
