import { z } from 'zod';
import type { Sql } from '../platform/database/database.ts';
import type { PaymentEvent } from './payment-service.ts';

const WaitingEvent = z
  .object({
    id: z.string(),
    type: z.string(),
    customer_id: z.string().nullable(),
    charge_id: z.string().nullable(),
    attempts: z.number(),
  })
  .transform(({ customer_id: customerId, charge_id: chargeId, ...row }) => ({
    ...row,
    customerId,
    chargeId,
  }));

/** An event that is still to be worked off, and how often that was begun. */
export type WaitingEvent = z.output<typeof WaitingEvent>;

/** The SQL of the inbox of events. They are of the whole server: whose they are is found when they are worked off. */

/** False when it has been received before. Wakes the workers of every node. */
export async function add(sql: Sql, { id, type, customerId, chargeId }: PaymentEvent): Promise<boolean> {
  const added = await sql`
    with added as (
      insert into stripe_events (id, type, customer_id, charge_id)
      values (${id}, ${type}, ${customerId}, ${chargeId}) on conflict do nothing returning id
    )
    select pg_notify('stripe_events', '') from added`;
  return added.length > 0;
}

/** Takes some that are due, so that no other worker has them until then. */
export async function claim(sql: Sql, now: Date, until: Date, limit: number): Promise<WaitingEvent[]> {
  const rows = await sql`
    update stripe_events set claimed_until = ${until}, attempts = attempts + 1
    where id in (
      select id from stripe_events
      where done_at is null and dead_at is null and next_try_at <= ${now}
        and (claimed_until is null or claimed_until <= ${now})
      order by received_at limit ${limit} for update skip locked
    )
    returning id, type, customer_id, charge_id, attempts`;
  return rows.map((row) => WaitingEvent.parse(row));
}

export async function finish(sql: Sql, ids: readonly string[], now: Date): Promise<void> {
  await sql`
    update stripe_events set done_at = ${now}, claimed_until = null, last_error = null
    where id in (select unnest(${sql.array([...ids])}::text[]))`;
}

export async function postpone(sql: Sql, id: string, nextTry: Date, error: string): Promise<void> {
  await sql`
    update stripe_events set next_try_at = ${nextTry}, claimed_until = null, last_error = ${error}
    where id = ${id}`;
}

export async function bury(sql: Sql, id: string, now: Date, error: string): Promise<void> {
  await sql`
    update stripe_events set dead_at = ${now}, claimed_until = null, last_error = ${error} where id = ${id}`;
}

export async function dropCatalogues(sql: Sql): Promise<void> {
  await sql`select pg_notify('price_catalogue', '')`;
}

/** Claims the next check for missed events. Returns the time to check from, or undefined if none is due. */
export async function takeTurn(
  sql: Sql,
  now: Date,
  lastBefore: Date,
  first: Date,
): Promise<Date | undefined> {
  await sql`insert into billing_watermarks (name, at) values ('events', ${first}) on conflict do nothing`;
  const [row] = await sql`
    with before as (select at from billing_watermarks where name = 'events' for update)
    update billing_watermarks set at = ${now} from before
    where name = 'events' and before.at <= ${lastBefore}
    returning before.at as at`;
  return row && z.object({ at: z.date() }).parse(row).at;
}

/** Gives the turn back after a failure, so that nothing in between is left out. */
export async function returnTurn(sql: Sql, at: Date): Promise<void> {
  await sql`update billing_watermarks set at = least(at, ${at}) where name = 'events'`;
}

/** Removes what was worked off long ago. */
export async function sweep(sql: Sql, before: Date): Promise<void> {
  await sql`delete from stripe_events where done_at < ${before}`;
}
