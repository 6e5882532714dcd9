import { z } from 'zod';
import { BILLED_APPS, type BilledApp } from '../plans.ts';
import type { Sql, Tx } from '../platform/database/database.ts';

const PlanGrant = z.object({
  app: z.enum(BILLED_APPS),
  plan: z.string(),
  /** Null: until the operator takes it back. */
  ends_at: z.date().nullable(),
});
export type PlanGrant = z.output<typeof PlanGrant>;

/** The SQL of plans that the operator gives. */

export async function list(sql: Sql | Tx, accountId: string): Promise<PlanGrant[]> {
  const rows = await sql`
    select app, plan, ends_at from plan_grants where account_id = ${accountId} order by app`;
  return z.array(PlanGrant).parse(rows);
}

export async function save(tx: Tx, accountId: string, { app, plan, ends_at }: PlanGrant): Promise<void> {
  await tx`
    insert into plan_grants (account_id, app, plan, ends_at) values (${accountId}, ${app}, ${plan}, ${ends_at})
    on conflict (account_id, app) do update set plan = excluded.plan, ends_at = excluded.ends_at, created_at = now()`;
}

export async function remove(tx: Tx, accountId: string, app: BilledApp): Promise<void> {
  await tx`delete from plan_grants where account_id = ${accountId} and app = ${app}`;
}
