import type { App } from '../../src/app.ts';
import type { HooksPlan } from '../../src/plans.ts';

/** Puts an account on a plan, as a paid subscription would. */
export async function givePlan(
  { database: { sql }, entitlements }: Pick<App, 'database' | 'entitlements'>,
  accountId: string,
  plan: HooksPlan,
): Promise<void> {
  await sql`
    insert into subscriptions (id, account_id, app, plan, status, price_id, interval, amount, currency,
      current_period_end, cancel_at_period_end)
    values (${`sub_${accountId}`}, ${accountId}, 'hooks', ${plan}, 'active', 'price_test', 'month', 900, 'usd',
      now() + interval '30 days', false)
    on conflict (id) do update set plan = excluded.plan`;
  entitlements.invalidate(accountId);
}
