import { Fault } from '../../errors.ts';
import { type SyncLimits, type SyncPlan, UNLIMITED } from '../../plans.ts';

export type QuotaKind = 'stores' | 'sheets';

/** How many connections of a kind the account's plan allows, of all the account has. */
export type PlanQuota = { readonly kind: QuotaKind; readonly plan: SyncPlan; readonly limit: number };

export function planQuota(kind: QuotaKind, sync: SyncLimits & { readonly plan: SyncPlan }): PlanQuota {
  return { kind, plan: sync.plan, limit: sync[kind] };
}

/**
 * Whether the plan covers the connection at this place, in the order they were connected, from 1: after a downgrade the
 * newest are paused.
 */
export function isWithinQuota({ limit }: PlanQuota, place: number): boolean {
  return limit === UNLIMITED || place <= limit;
}

/** @throws Fault plan_limit where the plan does not cover one more than `used` */
export function requireQuota(quota: PlanQuota, used: number): void {
  if (!isWithinQuota(quota, used + 1)) throw quotaExceeded(quota, used);
}

export function quotaExceeded({ kind, plan, limit }: PlanQuota, used: number): Fault {
  const key = kind === 'stores' ? 'plan_limit.stores' : 'plan_limit.sheets';
  return new Fault(key, { plan, limit, used }, { data: { limit, used } });
}
