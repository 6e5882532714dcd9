import { Fault } from '../../src/errors.ts';
import { APP_SCOPES, type Caller } from '../../src/identity/caller.ts';
import { scopesOf } from '../../src/identity/members/roles.ts';
import type { Registry } from '../../tools/contract/registry.ts';

/**
 * Refuses an MCP call for a scope that its program was not given and could ask for, before anything else of the call is
 * done: by HTTP, as the protocol has it, so that the client asks the person again. Others get the answer of the tool.
 * @throws Fault insufficient_scope.key
 */
export function requireGivenScope(registry: Registry, body: unknown, caller: Caller): void {
  if (caller.via !== 'oauth' || caller.role === undefined) return;
  const { name, args } = calledTool(body);
  const called = registry.find(name);
  const tool = called?.inner?.(args)?.tool ?? called;
  if (!tool || tool.scope === 'any' || caller.scopes.includes(tool.scope)) return;
  const { scope } = tool;
  const isWithheld = caller.withheld?.scopes.includes(scope) ?? false;
  // Asking again would not help where the person, or no program, has it.
  if (isWithheld || !APP_SCOPES.includes(scope) || !scopesOf(caller.role).includes(scope)) return;
  throw new Fault('insufficient_scope.key', { scope, tool: tool.name });
}

function calledTool(body: unknown): { name: string; args: unknown } {
  const none = { name: '', args: undefined };
  if (typeof body !== 'object' || body === null || Reflect.get(body, 'method') !== 'tools/call') return none;
  const params: unknown = Reflect.get(body, 'params');
  if (typeof params !== 'object' || params === null) return none;
  const name: unknown = Reflect.get(params, 'name');
  return typeof name === 'string' ? { name, args: Reflect.get(params, 'arguments') } : none;
}
