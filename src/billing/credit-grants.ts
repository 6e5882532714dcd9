import type { Sql } from '../platform/database/database.ts';
import * as billingRepo from './billing-repo.ts';

/** What billing needs of the quota. */
export type Credits = {
  /** Adds credits once for a source. */
  grantCredits(accountId: string, grant: { credits: number; source: string }): Promise<boolean>;
  /** Takes credits back once for a source, never below zero; answers how many that were, also when it is repeated. */
  takeBackCredits(accountId: string, request: { credits: number; source: string }): Promise<number>;
};

type CreditGrantsDeps = { readonly sql: Sql; readonly credits: Credits };

/** Credits follow their money, as the purchases of an account were noted. */
export type GrantCredits = (accountId: string) => Promise<void>;

/** Every step is made once, so all of them are made each time: what a crash left out is made up for. */
export function createCreditGrants({ sql, credits }: CreditGrantsDeps): GrantCredits {
  return async (accountId) => {
    for (const { sessionId, credits: bought, takenBack } of await billingRepo.purchases(sql, accountId)) {
      await credits.grantCredits(accountId, { credits: bought, source: `purchase:${sessionId}` });
      await takeBack(accountId, sessionId, takenBack);
    }
  };

  /** Credits that were spent cannot be taken, so only what really was taken is ever given back. */
  async function takeBack(accountId: string, sessionId: string, steps: readonly number[]): Promise<void> {
    let [wanted, taken] = [0, 0];
    for (const [place, upTo] of steps.entries()) {
      const source = `refund:${sessionId}:${place}`;
      const more = upTo - wanted;
      const tooMany = taken - upTo;
      if (more > 0) taken += await credits.takeBackCredits(accountId, { credits: more, source });
      else if (tooMany > 0) {
        await credits.grantCredits(accountId, { credits: tooMany, source });
        taken = upTo;
      }
      wanted = upTo;
    }
  }
}
