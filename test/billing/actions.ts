import fc from 'fast-check';
import type { StripePeer } from '../peers/stripe/peer.ts';
import { buyerOf, type Node } from './setup.ts';

export type Action =
  | { readonly do: 'subscribe'; readonly app: 'hooks' | 'sync'; readonly large: boolean }
  | { readonly do: 'buy'; readonly credits: 100 | 500 | 2000; readonly later: boolean }
  | { readonly do: 'settle'; readonly outcome: 'succeeded' | 'failed' }
  | { readonly do: 'refund'; readonly amount: number }
  | { readonly do: 'win' | 'dispute' | 'resume' | 'cancel' | 'cancel now' }
  | { readonly do: 'cards'; readonly mood: 'ok' | 'declined' }
  | { readonly do: 'wait'; readonly days: number };

export const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('subscribe' as const),
      app: fc.constantFrom('hooks' as const, 'sync' as const),
      large: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('buy' as const),
      credits: fc.constantFrom(100 as const, 500 as const, 2000 as const),
      later: fc.boolean(),
    }),
  },
  fc.record({
    do: fc.constant('settle' as const),
    outcome: fc.constantFrom('succeeded' as const, 'failed' as const),
  }),
  fc.record({ do: fc.constant('refund' as const), amount: fc.integer({ min: 1, max: 150 }) }),
  fc.record({ do: fc.constantFrom('dispute', 'win', 'resume', 'cancel', 'cancel now') }),
  fc.record({ do: fc.constant('cards' as const), mood: fc.constantFrom('ok' as const, 'declined' as const) }),
  fc.record({ do: fc.constant('wait' as const), days: fc.constantFrom(1, 10, 32) }),
);

/** Does it at the peer; nothing happens where it cannot be done now, as with a card that is declined. */
export async function act(
  peer: StripePeer,
  { billing }: Node,
  accountId: string,
  action: Action,
): Promise<void> {
  const buyer = buyerOf(accountId);
  const returns = { successUrl: '/billing' };
  const customer = [...peer.holds.customers()].find(
    ({ metadata }) => metadata['account_id'] === accountId,
  )?.id;
  const [subscription] = subscriptionsOf(peer, customer);
  const [payment] = peer.holds.paymentIntents().filter((one) => one.customer === customer);
  // Many things cannot be done now, as a card that is declined: then nothing happens, as in life.
  const attempt = async (run: () => unknown) => {
    try {
      await run();
    } catch {}
  };
  switch (action.do) {
    case 'subscribe':
      return attempt(async () => {
        const plan = action.large ? { hooks: 'enterprise', sync: 'pro_api' }[action.app] : 'pro';
        const choice = { app: action.app, plan, interval: 'month' } as const;
        peer.pay((await billing.checkout(buyer, choice, returns)).id);
      });
    case 'buy':
      return attempt(async () => {
        const { id } = await billing.buyCredits(
          buyer,
          { packageId: `hooks_credits_${action.credits}` },
          returns,
        );
        peer.pay(id, { later: action.later });
      });
    case 'settle':
      return attempt(() => {
        const open = peer.holds
          .sessions()
          .find(
            (one) =>
              one.customer === customer && one.status === 'complete' && one.payment_status === 'unpaid',
          );
        if (open) peer.settle(open.id, action.outcome);
      });
    case 'refund':
      return attempt(() => payment && peer.dashboard.refund(payment.id, action.amount));
    case 'dispute':
      return attempt(() => payment && peer.dashboard.dispute(payment.id));
    case 'win':
      return attempt(() => {
        const [disputed] = peer.holds.disputes().filter((one) => one.payment_intent === payment?.id);
        if (disputed) peer.dashboard.closeDispute(disputed.id, 'won');
      });
    case 'cancel':
    case 'cancel now':
      return attempt(
        () => subscription && peer.portal.cancel(subscription.id, { now: action.do === 'cancel now' }),
      );
    case 'resume':
      return attempt(() => subscription && peer.portal.resume(subscription.id));
    case 'cards':
      return attempt(() => customer && peer.cards(customer, action.mood));
    case 'wait':
      return peer.clock.advance(action.days * 86_400);
  }
}

/** Those that go on. */
export function subscriptionsOf(peer: StripePeer, customer: string | null | undefined) {
  return peer.holds
    .subscriptions()
    .filter(
      (one) => one.customer === customer && one.status !== 'canceled' && one.status !== 'incomplete_expired',
    );
}
