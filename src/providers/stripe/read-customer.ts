import type { Stripe } from 'stripe';
import { z } from 'zod';
import type { CreditPurchase, CustomerState } from '../../billing/payment-service.ts';
import { isMissing } from './open-stripe.ts';
import { CreditCount, dateOf, readSubscription } from './read-objects.ts';

const PAGE = 100;
const MAX_ITEMS = 1000;

/** Everything about a customer that we store a copy of; undefined when there is no such customer. */
export async function readCustomer(stripe: Stripe, id: string): Promise<CustomerState | undefined> {
  const customer = await stripe.customers.retrieve(id).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!customer || customer.deleted) return undefined;
  const [found, purchases] = await Promise.all([
    stripe.subscriptions
      .list({ customer: id, status: 'all', limit: PAGE })
      .autoPagingToArray({ limit: MAX_ITEMS }),
    readPurchases(stripe, id),
  ]);
  const owed = found.some(({ status }) => status === 'past_due' || status === 'unpaid')
    ? await readOwed(stripe, id)
    : new Map<string, Date>();
  const marks = await readMarks(stripe, found);
  return { subscriptions: found.flatMap((one) => readSubscription(one, owed, marks) ?? []), purchases };
}

/** Metadata of products whose prices name no plan: prices that were added manually, in the dashboard. */
async function readMarks(
  stripe: Stripe,
  subscriptions: readonly Stripe.Subscription[],
): Promise<ReadonlyMap<string, Stripe.Metadata>> {
  const unmarked = subscriptions.flatMap(({ items }) => items.data.slice(0, 1)).map(({ price }) => price);
  const products = unmarked
    .filter(({ metadata }) => metadata['plan'] === undefined)
    .map(({ product }) => (typeof product === 'string' ? product : product.id));
  const found = [...new Set(products)].map(async (id) => {
    const product = await stripe.products.retrieve(id);
    return [id, product.metadata] as const;
  });
  return new Map(await Promise.all(found));
}

/** The date of the oldest unpaid invoice per subscription. */
async function readOwed(stripe: Stripe, customer: string): Promise<ReadonlyMap<string, Date>> {
  const open = await stripe.invoices
    .list({ customer, status: 'open', limit: PAGE })
    .autoPagingToArray({ limit: MAX_ITEMS });
  const since = new Map<string, Date>();
  for (const invoice of open) {
    const subscription = invoice.parent?.subscription_details?.subscription;
    const id = typeof subscription === 'string' ? subscription : subscription?.id;
    const date = dateOf(invoice.status_transitions.finalized_at ?? invoice.created);
    const known = id === undefined ? undefined : since.get(id);
    if (id !== undefined && (!known || date < known)) since.set(id, date);
  }
  return since;
}

async function readPurchases(stripe: Stripe, customer: string): Promise<CreditPurchase[]> {
  const sessions = stripe.checkout.sessions.list({
    customer,
    status: 'complete',
    limit: PAGE,
    expand: ['data.payment_intent.latest_charge'],
  });
  const purchases: CreditPurchase[] = [];
  for (const session of await sessions.autoPagingToArray({ limit: MAX_ITEMS })) {
    const purchase = await readPurchase(stripe, session);
    if (purchase) purchases.push(purchase);
  }
  return purchases;
}

const Credits = z.object({ credits: CreditCount });

async function readPurchase(
  stripe: Stripe,
  session: Stripe.Checkout.Session,
): Promise<CreditPurchase | undefined> {
  const credits = Credits.safeParse(session.metadata).data?.credits;
  // Nothing is to be paid where a promotion code takes off everything.
  if (credits === undefined || session.mode !== 'payment' || session.payment_status === 'unpaid')
    return undefined;
  return { sessionId: session.id, credits, takeBack: await takeBackOf(stripe, session, credits) };
}

/** The refunded share of the credits equals that of the money, by refunds or a dispute. */
async function takeBackOf(
  stripe: Stripe,
  { payment_intent: intent }: Stripe.Checkout.Session,
  credits: number,
): Promise<number> {
  const charge = intent && typeof intent !== 'string' ? intent.latest_charge : null;
  if (!charge || typeof charge === 'string' || charge.amount === 0) return 0;
  const disputed = charge.disputed ? await disputedOf(stripe, charge.id) : 0;
  const gone = Math.min(charge.amount_refunded + disputed, charge.amount);
  return Math.floor((credits * gone) / charge.amount);
}

/** Disputes in which the bank has withdrawn the money: not those won, and not inquiries. */
const WITHDRAWN = ['needs_response', 'under_review', 'lost'];

async function disputedOf(stripe: Stripe, charge: string): Promise<number> {
  const { data } = await stripe.disputes.list({ charge, limit: PAGE });
  const withdrawn = data.filter(({ status }) => WITHDRAWN.includes(status));
  return withdrawn.reduce((sum, { amount }) => sum + amount, 0);
}
