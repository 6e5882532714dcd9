import { z } from 'zod';
import { Fault } from '../errors.ts';
import {
  type BilledApp,
  HOOKS_PLANS,
  type HooksFeature,
  type HooksLimits,
  type HooksPlan,
  SYNC_PLANS,
  type SyncLimits,
  type SyncPlan,
} from '../plans.ts';
import type { Listener, Sql } from '../platform/database/database.ts';
import { createNotifiedCache } from '../platform/notified-cache.ts';

/** The plan and limits of an account, per app. */
type Entitlement = {
  readonly hooks: { readonly plan: HooksPlan } & HooksLimits & Standing;
  readonly sync: { readonly plan: SyncPlan } & SyncLimits & Standing;
};

type Standing = {
  /** A payment failed permanently, or longer ago than the grace period: that subscription grants nothing. */
  readonly pastDue: boolean;
};

export type Entitlements = {
  of(accountId: string): Promise<Entitlement>;
  /** @throws Fault plan_required */
  requireFeature(accountId: string, feature: HooksFeature): Promise<void>;
  /** Requires a plan that includes API keys, for any app. @throws Fault plan_required */
  requireKeys(accountId: string): Promise<void>;
  /** Requires a plan that includes API keys for this app. @throws Fault plan_required */
  requireApi(accountId: string, app: BilledApp): Promise<void>;
  /** Invalidates one account, or every account. The listeners do on every node after a billing change. */
  invalidate(accountId?: string): void;
  readonly listeners: readonly Listener[];
};

const Row = z.object({
  is_local: z.boolean(),
  app: z.enum(['hooks', 'sync']).nullable(),
  plan: z.string().nullable(),
  status: z.string().nullable(),
  past_due_since: z.date().nullable(),
});
type Row = z.output<typeof Row>;

const CACHE_TTL_MS = 60_000;

/** Grace period after a failed payment. */
const GRACE_DAYS = 7;
const GRACE_MS = GRACE_DAYS * 86_400_000;

/** Derives plans from billing's copy of the subscriptions, and from what the operator gives. The local owner has the largest plan of each app. */
export function createEntitlements({ sql, now = Date.now }: { sql: Sql; now?: () => number }): Entitlements {
  const cache = createNotifiedCache<Entitlement>({
    max: 10_000,
    ttlMs: CACHE_TTL_MS,
    channels: ['entitlements'],
    payloadIsKey: true,
  });

  function of(accountId: string): Promise<Entitlement> {
    return cache.get(accountId, async () => {
      const rows = await sql`
        select a.is_local, s.app, s.plan, s.status, s.past_due_since
        from accounts a left join (
          select account_id, app, plan, status, past_due_since from subscriptions where account_id = ${accountId}
          union all
          select account_id, app, plan, 'active', null from plan_grants
          where account_id = ${accountId} and (ends_at is null or ends_at > ${new Date(now())})) s on s.account_id = a.id
        where a.id = ${accountId}`;
      return entitlementOf(z.array(Row).parse(rows), now());
    });
  }

  async function requireFeature(accountId: string, feature: HooksFeature): Promise<void> {
    const { hooks } = await of(accountId);
    if (hooks.features.includes(feature)) return;
    throw new Fault('plan_required.feature', { feature, plan: leastWith(feature) });
  }

  return {
    of,
    requireFeature,

    async requireKeys(accountId) {
      const { hooks, sync } = await of(accountId);
      if (sync.api || hooks.features.includes('api_keys')) return;
      throw new Fault('plan_required.feature', { feature: 'api_keys', plan: 'enterprise / pro_api' });
    },

    async requireApi(accountId, app) {
      if (app === 'hooks') return requireFeature(accountId, 'api_keys');
      const { sync } = await of(accountId);
      if (!sync.api) throw new Fault('plan_required.sync_api');
    },

    invalidate: cache.invalidate,
    listeners: cache.listeners,
  };
}

function entitlementOf(rows: readonly Row[], now: number): Entitlement {
  if (rows.some(({ is_local }) => is_local)) return entitlement('enterprise', 'pro_api', []);
  const good = rows.filter((row) => hasAccess(row, now));
  const hooks = highest(HOOKS_PLANS, good, 'hooks');
  const sync = highest(SYNC_PLANS, good, 'sync');
  const overdue = rows.filter((row) => isOverdue(row, now));
  return entitlement(hooks, sync, overdue);
}

function entitlement(hooks: HooksPlan, sync: SyncPlan, overdue: readonly Row[]): Entitlement {
  const standing = (of: BilledApp) => ({ pastDue: overdue.some(({ app }) => app === of) });
  return {
    hooks: { plan: hooks, ...HOOKS_PLANS[hooks], ...standing('hooks') },
    sync: { plan: sync, ...SYNC_PLANS[sync], ...standing('sync') },
  };
}

/** Whether a subscription in this state gives its plan. */
function hasAccess(row: Row, now: number): boolean {
  if (row.status === 'active' || row.status === 'trialing') return true;
  return row.status === 'past_due' && !isOverdue(row, now);
}

function isOverdue({ status, past_due_since }: Row, now: number): boolean {
  // Stripe has given up collecting, so the grace period no longer applies.
  if (status === 'unpaid') return true;
  return status === 'past_due' && past_due_since !== null && now - past_due_since.getTime() > GRACE_MS;
}

/** The best plan of an app among its subscriptions; names the table does not know give nothing. */
function highest<Plans extends Record<string, { rank: number }>>(
  plans: Plans,
  rows: readonly Row[],
  app: string,
) {
  const names = rows.filter((row) => row.app === app).map(({ plan }) => plan ?? '');
  const known = Object.entries(plans).filter(([name, { rank }]) => rank === 0 || names.includes(name));
  const [best] = known.sort(([, a], [, b]) => b.rank - a.rank);
  // Every table has a plan of rank 0.
  return best?.[0] as keyof Plans & string;
}

function leastWith(feature: HooksFeature): string {
  return (
    Object.entries(HOOKS_PLANS).find(([, plan]) =>
      (plan.features as readonly string[]).includes(feature),
    )?.[0] ?? ''
  );
}
