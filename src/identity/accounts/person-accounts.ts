import type { Sql } from '../../platform/database/database.ts';
import type { Caller, Role } from '../caller.ts';
import type { Invitation, Invitations } from '../members/invitations.ts';
import * as membershipRepo from '../members/membership-repo.ts';
import { restorableUntil } from './account-state.ts';

type PersonAccountsDeps = {
  readonly sql: Sql;
  /** The hooks plan an account has now. */
  readonly planOf: (accountId: string) => Promise<string>;
  readonly invitations: Pick<Invitations, 'listOf'>;
};

/** An account that the caller can choose with the header Stallhand-Account. */
type PersonAccount = {
  readonly id: string;
  readonly name: string;
  readonly role: Role | null;
  readonly plan: string;
  /** Of this call. */
  readonly current: boolean;
  readonly status: 'active' | 'deleted';
  /** Where it is deleted. */
  readonly restorable_until?: string;
};

/** The accounts of a person, and those they are invited to. For a key or the local owner, the account itself. */
export function createPersonAccounts({ sql, planOf, invitations }: PersonAccountsDeps) {
  return async (
    caller: Caller,
  ): Promise<{ items: readonly PersonAccount[]; invitations: readonly Invitation[] }> => {
    const { accountId, userId, via } = caller;
    const rows =
      userId === undefined
        ? [await membershipRepo.findAccount(sql, accountId)]
        : await membershipRepo.listAccounts(sql, userId);
    const items = rows.flatMap(async (row) => {
      if (!row) return [];
      const { id, name, deleted_at } = row;
      const status = deleted_at ? ('deleted' as const) : ('active' as const);
      return {
        ...{ id, name, status },
        role: row.role ?? (via === 'local' ? ('owner' as const) : null),
        plan: await planOf(id),
        current: id === accountId,
        ...(deleted_at && { restorable_until: restorableUntil(deleted_at).toISOString() }),
      };
    });
    return { items: (await Promise.all(items)).flat(), invitations: await invitations.listOf(caller) };
  };
}

/** The live accounts of a person with their role, the one they are at home in first. */
export function createMemberAccounts(sql: Sql) {
  return async (userId: string): Promise<readonly { id: string; name: string; role: Role }[]> => {
    const rows = await membershipRepo.listAccounts(sql, userId);
    return rows.flatMap(({ id, name, role, deleted_at }) =>
      role === null || deleted_at !== null ? [] : [{ id, name, role }],
    );
  };
}
