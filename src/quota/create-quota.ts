import { Fault } from '../errors.ts';
import { UNLIMITED } from '../plans.ts';
import type { Sql } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { type Balance, HOLD_MS, type Left, type Quota } from './quota.ts';
import { createQuotaStore } from './store.ts';

/** What an account may use now. */
type Entitlements = {
  of(accountId: string): Promise<{
    readonly hooks: { readonly plan: string; readonly hooksLimit: number; readonly pastDue: boolean };
  }>;
};

type Parts = {
  readonly sql: Sql;
  readonly entitlements: Entitlements;
  readonly now?: () => number;
  /** How long units stay held without a sign of life; HOLD_MS unless said. */
  readonly holdMs?: number;
};

const SWEPT_AT_ONCE = 500;

/**
 * Quotas that cannot be overspent, however many calls come at once. A plan's limit is asked for with each reservation,
 * so a new plan counts at once; what was used stays.
 */
export function createQuota({ sql, entitlements, now = Date.now, holdMs = HOLD_MS }: Parts): Quota {
  const store = createQuotaStore(sql);

  return {
    async reserve(accountId, { units, key = null }) {
      const { hooks } = await entitlements.of(accountId);
      const at = new Date(now());
      const request = { id: newId('res', now()), units, limit: hooks.hooksLimit, key };
      const made = await store.reserve(accountId, request, at);
      if (made.reservation_id !== null && made.reservation_state !== null) {
        const { reservation_id: id, reservation_state: state, granted, asked: requested } = made;
        return { id, granted, requested, state };
      }
      if (hooks.pastDue && hooks.plan === 'free') throw new Fault('subscription_past_due.app');
      throw exhausted(made.used_units ?? 0, hooks.hooksLimit, at);
    },

    settle: (accountId, id, delivered) => store.settle(accountId, { id, delivered }, new Date(now())),

    async usage(accountId) {
      const { hooks } = await entitlements.of(accountId);
      const at = new Date(now());
      const month = at.toISOString().slice(0, 7);
      const { by_day, ...balance } = await store.balance(accountId, month);
      return { month, ...leftOf(balance, hooks.hooksLimit), resets_at: nextMonth(at), by_day };
    },

    async leftOf(accountId, balance) {
      const { hooks } = await entitlements.of(accountId);
      return leftOf(balance, hooks.hooksLimit);
    },

    grantCredits: (accountId, { credits, source }) =>
      store.grant(accountId, credits, source, new Date(now())),

    takeBackCredits: (accountId, { credits, source }) =>
      store.takeBack(accountId, credits, source, new Date(now())),

    async sweep() {
      for (;;) {
        const at = new Date(now());
        const silentSince = new Date(now() - holdMs);
        const silent = await store.silent(silentSince, SWEPT_AT_ONCE);
        // Another node may be sweeping the same ones: the first to come gives them back.
        for (const { id, account_id } of silent) {
          await store.settle(account_id, { id, delivered: 0, silentSince }, at);
        }
        if (silent.length < SWEPT_AT_ONCE) return;
      }
    },

    async *entries(accountId) {
      for (let after = 0; ; ) {
        const page = await store.entries(accountId, after, SWEPT_AT_ONCE);
        yield* page;
        const last = page.at(-1);
        if (!last || page.length < SWEPT_AT_ONCE) return;
        after = last.seq;
      }
    },
  };
}

function leftOf({ credits, used }: Balance, limit: number): Left {
  const shared = { hooks_used: used, hooks_limit: limit, credits };
  if (limit === UNLIMITED) return { ...shared, remaining: UNLIMITED, percent_used: 0 };
  // A plan that became smaller within the month can have been overrun.
  const remaining = Math.max(limit - used, 0) + credits;
  return { ...shared, remaining, percent_used: percentOf(used, limit) };
}

/** With two digits after the point. */
function percentOf(used: number, limit: number): number {
  return limit > 0 ? Math.min(Math.round((used / limit) * 10_000) / 100, 100) : 100;
}

function nextMonth(at: Date): string {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)).toISOString();
}

function exhausted(used: number, limit: number, at: Date): Fault {
  const resets_at = nextMonth(at);
  return new Fault(
    'quota_exhausted.hooks',
    { used, limit, resets: resets_at.slice(0, 10) },
    { data: { resets_at, hooks_used: used, hooks_limit: limit, upgrade_url: '/billing' } },
  );
}
