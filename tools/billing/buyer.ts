import type { Buyer } from '../../src/billing/purchases.ts';
import type { Call } from '../contract/define.ts';

/** The caller as someone who buys. */
export function buyer({ caller, locale, baseUrl }: Call): Buyer {
  return { accountId: caller.accountId, actor: caller.actor, locale, baseUrl };
}
