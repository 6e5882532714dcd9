import { Fault } from '../../src/errors.ts';
import type { Caller, Scope } from '../../src/identity/caller.ts';
import type { Tool } from './define.ts';

/** @throws Fault insufficient_scope.key; plan_required.members and forbidden.takeover for a scope that does not count now */
export function requireScope(tool: string, scope: Scope | 'any', { scopes, withheld, role }: Caller): void {
  if (scope === 'any' || scopes.includes(scope)) return;
  if (!withheld?.scopes.includes(scope)) throw new Fault('insufficient_scope.key', { scope, tool });
  if (withheld.because === 'plan') throw new Fault('plan_required.members', { tool, role: role ?? '' });
  throw new Fault('forbidden.takeover', { tool });
}

/** Whether a caller's scopes suffice to call a tool at all. */
export function hasScope({ scope }: Pick<Tool, 'scope'>, { scopes }: Pick<Caller, 'scopes'>): boolean {
  return scope === 'any' || scopes.includes(scope);
}
