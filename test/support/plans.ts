import type { App } from '../../src/app.ts';
import type { HooksPlan, SyncPlan } from '../../src/plans.ts';

type Subscribing = { readonly database: Pick<App['database'], 'sql'> } & Pick<App, 'entitlements'>;

/** Puts an account on a plan, as a paid subscription would. */
export async function givePlan(
  { database: { sql }, entitlements }: Subscribing,
  accountId: string,
  plan: HooksPlan | SyncPlan,
  service: 'hooks' | 'sync' = 'hooks',
): Promise<void> {
  await sql`
    insert into subscriptions (id, account_id, app, plan, status, price_id, interval, amount, currency,
      current_period_end, cancel_at_period_end)
    values (${`sub_${service}_${accountId}`}, ${accountId}, ${service}, ${plan}, 'active', 'price_test', 'month', 900, 'usd',
      now() + interval '30 days', false)
    on conflict (id) do update set plan = excluded.plan`;
  entitlements.invalidate(accountId);
}
