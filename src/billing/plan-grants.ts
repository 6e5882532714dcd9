import type { BilledApp } from '../plans.ts';
import type { Sql } from '../platform/database/database.ts';
import { announce } from './billing-repo.ts';
import type { BillingAudit } from './customer-sync.ts';
import type { Entitlements } from './entitlements.ts';
import { list, type PlanGrant, remove, save } from './plan-grant-repo.ts';

type PlanGrantsDeps = {
  readonly sql: Sql;
  readonly audit: BillingAudit;
  readonly entitlements: Pick<Entitlements, 'invalidate'>;
};

export type PlanGrants = ReturnType<typeof createPlanGrants>;

/** Plans that the operator gives accounts, without a payment. What an account pays for stays as it is. */
export function createPlanGrants({ sql, audit, entitlements }: PlanGrantsDeps) {
  return {
    list: (accountId: string) => list(sql, accountId),

    /** Gives a plan of an app instead of the one given before. Known to all nodes at once. */
    async give(accountId: string, grant: PlanGrant, actor: string): Promise<void> {
      await change(accountId, grant.app, grant, actor);
    },

    /** Takes back what was given. */
    async takeBack(accountId: string, app: BilledApp, actor: string): Promise<void> {
      await change(accountId, app, undefined, actor);
    },
  };

  async function change(accountId: string, app: BilledApp, grant: PlanGrant | undefined, actor: string) {
    await sql.begin(async (tx) => {
      const before = (await list(tx, accountId)).find((one) => one.app === app);
      if (grant) await save(tx, accountId, grant);
      else await remove(tx, accountId, app);
      const event = { actor, action: grant ? 'plan.given' : 'plan.taken_back', target: app };
      const [from, to] = [before && told(before), grant && told(grant)];
      await audit.record(tx, accountId, {
        ...event,
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
      });
      await announce(tx, accountId);
    });
    entitlements.invalidate(accountId);
  }
}

function told({ plan, ends_at }: PlanGrant): string {
  return ends_at ? `${plan} until ${ends_at.toISOString().slice(0, 10)}` : plan;
}
