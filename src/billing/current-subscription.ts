import { type BilledApp, HOOKS_PLANS, SYNC_PLANS } from '../plans.ts';
import type { Subscription } from './payment-service.ts';

const OVER = ['canceled', 'incomplete_expired'];

/** The account's subscription to an app; of several, the one that grants the most. Undefined if none is active. */
export function currentSubscription(
  subscriptions: readonly Subscription[],
  app: BilledApp,
): Subscription | undefined {
  const going = subscriptions.filter((one) => one.app === app && isGoing(one));
  return going.sort((a, b) => weight(b) - weight(a))[0];
}

/** False for what has ended for good. */
export function isGoing({ status }: { readonly status: string }): boolean {
  return !OVER.includes(status);
}

/** Those that give their plan come before those that do not. */
function weight({ app, plan, status }: Subscription): number {
  const gives = status === 'active' || status === 'trialing' ? 2 : Number(status === 'past_due');
  return gives * 100 + rankOf(app, plan);
}

/** How much a plan gives compared to the others of its app; -1 for one that the tables do not know. */
export function rankOf(app: BilledApp, plan: string): number {
  const plans: Readonly<Record<string, { readonly rank: number }>> =
    app === 'hooks' ? HOOKS_PLANS : SYNC_PLANS;
  return Object.hasOwn(plans, plan) ? (plans[plan]?.rank ?? -1) : -1;
}
