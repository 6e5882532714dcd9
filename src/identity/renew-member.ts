import { Fault } from '../errors.ts';
import type { Sql } from '../platform/database/database.ts';
import type { Caller } from './caller.ts';
import { createMembershipStore } from './membership-repo.ts';
import { scopesOf } from './roles.ts';

/** A person who called earlier, with what their role leaves of their rights by now. @throws Fault unauthenticated.revoked */
export async function refreshMember(sql: Sql, caller: Caller): Promise<Caller> {
  const { accountId, userId } = caller;
  const membership = userId && (await createMembershipStore(sql).find(userId, accountId));
  if (!membership) throw new Fault('unauthenticated.revoked');
  const scopes = scopesOf(membership.role);
  return { ...caller, scopes: caller.scopes.filter((scope) => scopes.includes(scope)) };
}
