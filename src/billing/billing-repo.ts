import { z } from 'zod';
import { BILLED_APPS, type BilledApp } from '../plans.ts';
import type { Sql, Tx } from '../platform/database/database.ts';
import { type Contact, type CreditPurchase, PERIODS, type Subscription } from './payment-service.ts';

const SubscriptionRow = z
  .object({
    id: z.string(),
    app: z.enum(BILLED_APPS),
    plan: z.string(),
    status: z.string(),
    price_id: z.string(),
    interval: z.enum(PERIODS),
    interval_count: z.number(),
    amount: z.number(),
    currency: z.string(),
    current_period_end: z.date(),
    cancel_at_period_end: z.boolean(),
    past_due_since: z.date().nullable(),
  })
  .transform(
    ({
      price_id,
      interval_count,
      current_period_end,
      cancel_at_period_end,
      past_due_since,
      ...row
    }): Subscription => ({
      ...row,
      priceId: price_id,
      intervalCount: interval_count,
      currentPeriodEnd: current_period_end,
      cancelAtPeriodEnd: cancel_at_period_end,
      pastDueSince: past_due_since,
    }),
  );

const PurchaseRow = z
  .object({ checkout_session_id: z.string(), credits: z.number(), taken_back: z.array(z.number()) })
  .transform(({ checkout_session_id: sessionId, credits, taken_back: takenBack }) => ({
    sessionId,
    credits,
    takenBack,
  }));

/** Credits that were bought, and each number of them that was to be taken back in all, in turn. */
export type NotedPurchase = z.output<typeof PurchaseRow>;

const Customer = z.object({ stripe_customer_id: z.string().nullable(), generation: z.number() });
const Fetch = z.object({ account_id: z.string(), fetch: z.string() });

/** A fetch of a customer that has begun; `number` counts them. */
export type Fetch = { readonly accountId: string; readonly number: string };

const ContactRow = z
  .object({
    account_id: z.string(),
    stripe_customer_id: z.string(),
    contact: z
      .object({ email: z.string().nullable(), name: z.string(), language: z.string().nullable() })
      .nullable(),
  })
  .transform(({ account_id: accountId, stripe_customer_id: customerId, contact }) => ({
    accountId,
    customerId,
    contact,
  }));

/** A customer, and its contact as it was last sent. */
export type KnownContact = z.output<typeof ContactRow>;

const Turn = z.object({ checkout_session_id: z.string().nullable() });

/** The SQL of customers, and of the copies of what they have. Inside a transaction give it `tx`. */

/** The account's row, made on first need. */
export async function customer(
  sql: Sql | Tx,
  accountId: string,
): Promise<{ id: string | null; generation: number }> {
  await sql`insert into billing_customers (account_id) values (${accountId}) on conflict do nothing`;
  const [row] = await sql`
    select stripe_customer_id, generation from billing_customers where account_id = ${accountId}`;
  const { stripe_customer_id: id, generation } = Customer.parse(row);
  return { id, generation };
}

export async function findCustomer(sql: Sql | Tx, accountId: string): Promise<string | null> {
  const [row] = await sql`
    select stripe_customer_id, generation from billing_customers where account_id = ${accountId}`;
  return row ? Customer.parse(row).stripe_customer_id : null;
}

/** False if the account has another customer, or unlinked one since `generation` was read. */
export async function linkCustomer(
  sql: Sql | Tx,
  accountId: string,
  generation: number,
  customerId: string,
  contact: Contact,
): Promise<boolean> {
  const linked = await sql`
    update billing_customers set stripe_customer_id = ${customerId}, contact = ${sql.json({ ...contact })}
    where account_id = ${accountId} and generation = ${generation}
      and coalesce(stripe_customer_id, ${customerId}) = ${customerId}
    returning account_id`;
  return linked.length > 0;
}

/** The customer's contact as it was last sent. */
export async function findContact(sql: Sql | Tx, accountId: string): Promise<KnownContact | undefined> {
  const [row] = await sql`
    select account_id, stripe_customer_id, contact from billing_customers
    where account_id = ${accountId} and stripe_customer_id is not null`;
  return row && ContactRow.parse(row);
}

/** The same of all accounts, a page at a time in the order of the accounts. */
export async function listContacts(sql: Sql | Tx, after: string, limit: number): Promise<KnownContact[]> {
  const rows = await sql`
    select account_id, stripe_customer_id, contact from billing_customers
    where stripe_customer_id is not null and account_id > ${after} order by account_id limit ${limit}`;
  return rows.map((row) => ContactRow.parse(row));
}

export async function saveContact(
  sql: Sql | Tx,
  { accountId, customerId }: KnownContact,
  contact: Contact,
): Promise<void> {
  await sql`
    update billing_customers set contact = ${sql.json({ ...contact })}
    where account_id = ${accountId} and stripe_customer_id = ${customerId}`;
}

/**
 * Takes the turn to open a checkout of the app: the id of the one before it, null for none. Undefined while another has
 * the turn; one that was cut off loses it after two minutes.
 */
export async function takeTurn(
  sql: Sql | Tx,
  accountId: string,
  app: BilledApp,
  turn: string,
): Promise<{ readonly before: string | null } | undefined> {
  const [row] = await sql`
    insert into checkout_turns as held (account_id, app, turn, until)
    values (${accountId}, ${app}, ${turn}, now() + interval '2 minutes')
    on conflict (account_id, app) do update set turn = excluded.turn, until = excluded.until
    where held.turn is null or held.until < now()
    returning checkout_session_id`;
  return row && { before: Turn.parse(row).checkout_session_id };
}

/** Ends the turn with the checkout that is open now, or without a new one. False when the turn was lost before. */
export async function endTurn(
  sql: Sql | Tx,
  accountId: string,
  app: BilledApp,
  { turn, sessionId }: { turn: string; sessionId: string | null },
): Promise<boolean> {
  const ended = await sql`
    update checkout_turns
    set turn = null, checkout_session_id = coalesce(${sessionId}::text, checkout_session_id)
    where account_id = ${accountId} and app = ${app} and turn = ${turn}
    returning account_id`;
  return ended.length > 0;
}

/** The customer is gone: the next purchase makes another. */
export async function unlinkCustomer(sql: Sql | Tx, accountId: string, customerId: string): Promise<void> {
  await sql`
    update billing_customers set stripe_customer_id = null, generation = generation + 1
    where account_id = ${accountId} and stripe_customer_id = ${customerId}`;
  await sql`delete from subscriptions where account_id = ${accountId}`;
}

/** Counts a fetch before it asks anything; undefined when the customer is none of ours. */
export async function beginFetch(sql: Sql | Tx, customerId: string): Promise<Fetch | undefined> {
  const [row] = await sql`
    update billing_customers set fetches_begun = fetches_begun + 1
    where stripe_customer_id = ${customerId}
    returning account_id, fetches_begun::text as fetch`;
  if (!row) return undefined;
  const { account_id: accountId, fetch: number } = Fetch.parse(row);
  return { accountId, number };
}

/** Whether a fetch may write: no newer one has. Holds the row until the transaction ends. */
export async function claimWrite(
  sql: Sql | Tx,
  { accountId, number }: Fetch,
  customerId: string,
): Promise<boolean> {
  const claimed = await sql`
    update billing_customers set fetch_written = ${number}::bigint
    where account_id = ${accountId} and stripe_customer_id = ${customerId}
      and fetch_written < ${number}::bigint
    returning account_id`;
  return claimed.length > 0;
}

export async function subscriptions(sql: Sql | Tx, accountId: string): Promise<Subscription[]> {
  const rows = await sql`
    select id, app, plan, status, price_id, interval, interval_count, amount::float8 as amount, currency,
      current_period_end, cancel_at_period_end, past_due_since
    from subscriptions where account_id = ${accountId} order by id`;
  return rows.map((row) => SubscriptionRow.parse(row));
}

export async function saveSubscription(sql: Sql | Tx, accountId: string, one: Subscription): Promise<void> {
  await sql`
    insert into subscriptions (id, account_id, app, plan, status, price_id, interval, interval_count, amount, currency,
      current_period_end, cancel_at_period_end, past_due_since)
    values (${one.id}, ${accountId}, ${one.app}, ${one.plan}, ${one.status}, ${one.priceId},
      ${one.interval}, ${one.intervalCount}, ${one.amount}, ${one.currency}, ${one.currentPeriodEnd}, ${one.cancelAtPeriodEnd},
      ${one.pastDueSince})
    on conflict (id) do update set app = excluded.app, plan = excluded.plan, status = excluded.status,
      price_id = excluded.price_id, interval = excluded.interval,
      interval_count = excluded.interval_count, amount = excluded.amount,
      currency = excluded.currency, current_period_end = excluded.current_period_end,
      cancel_at_period_end = excluded.cancel_at_period_end, past_due_since = excluded.past_due_since,
      updated_at = now()
    where subscriptions.account_id = ${accountId}`;
}

export async function deleteSubscription(sql: Sql | Tx, accountId: string, id: string): Promise<void> {
  await sql`delete from subscriptions where account_id = ${accountId} and id = ${id}`;
}

/** Notes what was bought, and when it changed, how many credits of it are to be taken back in all. */
export async function savePurchase(
  sql: Sql | Tx,
  accountId: string,
  { sessionId, credits, takeBack }: CreditPurchase,
): Promise<void> {
  await sql`
    insert into credit_purchases (checkout_session_id, account_id, credits)
    values (${sessionId}, ${accountId}, ${credits}) on conflict do nothing`;
  await sql`
    update credit_purchases set taken_back = taken_back || to_jsonb(${takeBack}::int)
    where checkout_session_id = ${sessionId} and account_id = ${accountId}
      and coalesce((taken_back ->> -1)::int, 0) <> ${takeBack}::int`;
}

export async function purchases(sql: Sql | Tx, accountId: string): Promise<NotedPurchase[]> {
  const rows = await sql`
    select checkout_session_id, credits, taken_back from credit_purchases
    where account_id = ${accountId} order by created_at, checkout_session_id`;
  return rows.map((row) => PurchaseRow.parse(row));
}

/** Tells every node that the account may have another plan now. */
export async function announce(sql: Sql | Tx, accountId: string): Promise<void> {
  await sql`select pg_notify('entitlements', ${accountId})`;
}
