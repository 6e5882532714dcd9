import type { Caller } from '../../src/identity/caller.ts';
import type { RateName } from '../../src/platform/rates.ts';
import type { Call, Tool } from './define.ts';

/**
 * Counts a call against the limit of its kind, as one or as so many. The local owner has none, and a job was counted when it was asked for.
 * @throws Fault rate_limited.calls
 */
export async function limitRate(
  tool: Tool,
  { app, caller, jobId, limited }: Call,
  cost?: number,
): Promise<void> {
  if (caller.via === 'local' || jobId !== undefined) return;
  await app.rateLimits.requireWithin(rateOf(tool, caller), caller.visitor ?? caller.accountId, limited, cost);
}

function rateOf({ rate, effect }: Tool, { via }: Caller): RateName {
  if (via === 'anonymous') return rate === 'generate' ? 'anonymous_generate' : 'public';
  return rate ?? (effect === 'read' ? 'read' : 'write');
}
