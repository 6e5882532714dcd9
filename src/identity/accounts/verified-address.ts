import { Fault } from '../../errors.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { Caller } from '../caller.ts';
import * as membershipRepo from '../members/membership-repo.ts';

/**
 * Requires that the owners of the caller's account have verified their email addresses: anyone can register with an invented
 * one. The local owner, keys of the operator and anonymous callers have no address; the latter have their own limits.
 * @throws Fault forbidden.unverified_ai
 */
export function createVerifiedAddress(sql: Sql) {
  return async ({ accountId, via, byPlan }: Pick<Caller, 'accountId' | 'via' | 'byPlan'>): Promise<void> => {
    if (via === 'local' || via === 'anonymous' || (via === 'api_key' && !byPlan)) return;
    if (!(await membershipRepo.hasVerifiedOwners(sql, accountId))) throw new Fault('forbidden.unverified_ai');
  };
}
