import type { Stripe } from 'stripe';
import type { BilledApp } from '../../plans.ts';

const MOST = 1000;

type Which = { readonly app: BilledApp; readonly before?: string };

/** Expires open checkouts: every one, or those of plans that `which` names, so that nobody pays twice. */
export async function closeCheckouts(stripe: Stripe, customer: string, which?: Which): Promise<void> {
  const open = await stripe.checkout.sessions
    .list({ customer, status: 'open', limit: 100 })
    .autoPagingToArray({ limit: MOST });
  // The newest come first.
  const older = which?.before === undefined ? open : open.slice(placeAfter(open, which.before));
  const closing = older.filter(
    ({ mode, metadata }) => !which || (mode === 'subscription' && metadata?.['app'] === which.app),
  );
  for (const { id } of closing) await expire(stripe, id);
}

function placeAfter(open: readonly { id: string }[], id: string): number {
  const place = open.findIndex((one) => one.id === id);
  // It may be closed already, by a newer one that closes these too.
  return place < 0 ? open.length : place + 1;
}

/** Where that is refused, the page was paid or closed a moment ago: then there is nothing left to close. */
async function expire(stripe: Stripe, id: string): Promise<void> {
  await stripe.checkout.sessions.expire(id).catch(async (error: unknown) => {
    const { status } = await stripe.checkout.sessions.retrieve(id);
    if (status === 'open') throw error;
  });
}
