import { Fault } from '../errors.ts';
import { UNLIMITED } from '../plans.ts';
import type { Sql } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { type Balance, HOLD_MS, type Left, type Quota, type UnitPurpose } from './quota.ts';
import * as quotaRepo from './quota-repo.ts';

/** The account's current plan. */
type Entitlements = {
  of(accountId: string): Promise<{
    readonly hooks: { readonly plan: string; readonly hooksLimit: number; readonly pastDue: boolean };
  }>;
};

type QuotaDeps = {
  readonly sql: Sql;
  readonly entitlements: Entitlements;
  readonly now?: () => number;
  /** How long units stay reserved without a sign of life; default HOLD_MS. */
  readonly holdMs?: number;
};

const SWEEP_BATCH_SIZE = 500;

/**
 * Quotas that concurrent calls cannot overspend. Each reservation reads the plan's limit, so a new plan takes effect
 * immediately; used units stay used.
 */
export function createQuota({ sql, entitlements, now = Date.now, holdMs = HOLD_MS }: QuotaDeps): Quota {
  return {
    async reserve(accountId, { units, key = null, purpose = 'hooks' }) {
      const { hooks } = await entitlements.of(accountId);
      const at = new Date(now());
      const request = { id: newId('res', now()), units, limit: hooks.hooksLimit, key, purpose };
      const reserved = await quotaRepo.reserveUnits(sql, accountId, request, at);
      if (reserved.reservation_id !== null && reserved.reservation_state !== null) {
        const { reservation_id: id, reservation_state: state, granted, asked: requested } = reserved;
        return { id, granted, requested, state };
      }
      if (hooks.pastDue && hooks.plan === 'free') throw new Fault('subscription_past_due.app');
      throw quotaExhausted(purpose, reserved.used_units ?? 0, hooks.hooksLimit, at);
    },

    keep: (accountId, id) => quotaRepo.keepReservation(sql, accountId, id, new Date(now())),

    settle: (accountId, id, delivered) =>
      quotaRepo.settle(sql, accountId, { id, delivered }, new Date(now())),

    async usage(accountId) {
      const { hooks } = await entitlements.of(accountId);
      const at = new Date(now());
      const month = at.toISOString().slice(0, 7);
      const { by_day, template_units, ...balance } = await quotaRepo.readBalance(sql, accountId, month);
      return {
        month,
        ...leftOf(balance, hooks.hooksLimit),
        resets_at: nextMonth(at),
        template_units,
        by_day,
      };
    },

    async leftOf(accountId, balance) {
      const { hooks } = await entitlements.of(accountId);
      return leftOf(balance, hooks.hooksLimit);
    },

    grantCredits: (accountId, { credits, source }) =>
      quotaRepo.grantCredits(sql, accountId, credits, source, new Date(now())),

    takeBackCredits: (accountId, { credits, source }) =>
      quotaRepo.takeBackCredits(sql, accountId, credits, source, new Date(now())),

    async sweep() {
      for (;;) {
        const at = new Date(now());
        const silentSince = new Date(now() - holdMs);
        const silent = await quotaRepo.listSilent(sql, silentSince, SWEEP_BATCH_SIZE);
        // Nodes may sweep the same reservations concurrently; the first one refunds them.
        for (const { id, account_id } of silent) {
          await quotaRepo.settle(sql, account_id, { id, delivered: 0, silentSince }, at);
        }
        if (silent.length < SWEEP_BATCH_SIZE) return;
      }
    },

    accountsWithOld: (accountIds, before) => quotaRepo.accountsWithOld(sql, accountIds, before),
    removeOld: (accountId, before, limit) => quotaRepo.deleteOld(sql, accountId, before, limit),

    async *entries(accountId) {
      for (let after = 0; ; ) {
        const page = await quotaRepo.listEntries(sql, accountId, after, SWEEP_BATCH_SIZE);
        yield* page;
        const last = page.at(-1);
        if (!last || page.length < SWEEP_BATCH_SIZE) return;
        after = last.seq;
      }
    },
  };
}

function leftOf({ credits, used }: Balance, limit: number): Left {
  const shared = { hooks_used: used, hooks_limit: limit, credits };
  if (limit === UNLIMITED) return { ...shared, remaining: UNLIMITED, percent_used: 0 };
  // After a downgrade within the month, used can exceed the limit.
  const remaining = Math.max(limit - used, 0);
  return { ...shared, remaining, percent_used: percentOf(used, limit) };
}

/** Rounded to two decimals. */
function percentOf(used: number, limit: number): number {
  return limit > 0 ? Math.min(Math.round((used / limit) * 10_000) / 100, 100) : 100;
}

function nextMonth(at: Date): string {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)).toISOString();
}

function quotaExhausted(purpose: UnitPurpose, used: number, limit: number, at: Date): Fault {
  const resets_at = nextMonth(at);
  return new Fault(
    purpose === 'hooks' ? 'quota_exhausted.hooks' : 'quota_exhausted.templates',
    { used, limit, resets: resets_at.slice(0, 10) },
    { data: { resets_at, hooks_used: used, hooks_limit: limit, upgrade_url: '/billing' } },
  );
}
