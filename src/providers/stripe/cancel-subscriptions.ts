import type { Stripe } from 'stripe';
import { isGoing } from '../../billing/current-subscription.ts';

const PAGE = 100;
const MOST = 1000;

/** Ends whatever a customer subscribes to: what is none of our plans costs money as well. */
export async function cancelSubscriptions(stripe: Stripe, customer: string): Promise<void> {
  const found = await stripe.subscriptions
    .list({ customer, status: 'all', limit: PAGE })
    .autoPagingToArray({ limit: MOST });
  for (const { id } of found.filter(isGoing)) await stripe.subscriptions.cancel(id);
}
