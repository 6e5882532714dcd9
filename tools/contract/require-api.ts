import type { Call, Tool } from './define.ts';

/**
 * A key that an account made for itself is used for the apps that its plan opens to programs. Other credentials need no
 * plan for that, nor does what carries no plan at all.
 * @throws Fault plan_required
 */
export async function requireApiAccess({ toolset }: Tool, { app, caller }: Call): Promise<void> {
  if (!caller.byPlan || (toolset !== 'hooks' && toolset !== 'sync')) return;
  await app.entitlements.requireApi(caller.accountId, toolset);
}
