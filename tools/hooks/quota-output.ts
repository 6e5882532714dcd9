import { z } from 'zod';
import type { Caller } from '../../src/identity/caller.ts';
import type { Balance, Quota } from '../../src/quota/quota.ts';

/** The quota after a call. */
export const hooksQuota = z.object({
  hooks_used: z.number(),
  hooks_limit: z.number().meta({ description: '-1 means unlimited' }),
  remaining: z.number(),
  credits: z.number(),
});

/**
 * Null for visitors: what they have left is the business of all that share their address. A balance of just now need not
 * be read again.
 */
export async function readQuota(
  quota: Pick<Quota, 'usage' | 'leftOf'>,
  { accountId, visitor }: Caller,
  balance?: Balance,
) {
  if (visitor !== undefined) return null;
  const left = balance ? quota.leftOf(accountId, balance) : quota.usage(accountId);
  const { hooks_used, hooks_limit, remaining, credits } = await left;
  return { hooks_used, hooks_limit, remaining, credits };
}
