import { Fault } from '../../errors.ts';
import type { Also, Sql } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { onceAsync } from '../../platform/once-async.ts';
import { type Caller, SCOPES } from '../caller.ts';
import type { AccountRow } from './account-repo.ts';
import * as accountRepo from './account-repo.ts';

/** Seeds a new account. It runs again after a crash, so it must be safe to repeat. */
export type SeedAccount = (accountId: string) => Promise<void>;

export type Accounts = ReturnType<typeof createAccounts>;

/**
 * Accounts, and the local owner, who needs no credential on a server that only this machine can reach.
 *
 * In: a name. Out: an account, seeded. Invariant: a new account is returned only once it is seeded.
 */
export function createAccounts({ sql, seedAccount }: { sql: Sql; seedAccount: SeedAccount }) {
  async function seed(account: AccountRow): Promise<AccountRow> {
    if (account.seeded) return account;
    await seedAccount(account.id);
    await accountRepo.markSeeded(sql, account.id);
    return { ...account, seeded: true };
  }

  return {
    async create(name: string, also: Also = async () => {}): Promise<AccountRow> {
      const account = { id: newId('acc'), name };
      await sql.begin(async (tx) => {
        await accountRepo.insert(tx, { ...account, is_local: false });
        await also(tx, account.id);
      });
      return seed({ ...account, seeded: false });
    },

    /** Seeds an account unless it is seeded: one created in a transaction, or interrupted. */
    ensureSeeded: seed,

    /** @throws Fault not_found */
    async get(id: string): Promise<AccountRow> {
      const found = await accountRepo.find(sql, id);
      if (!found) throw new Fault('not_found.account', { id });
      return found;
    },

    /** The local owner's account, created on first use and cached: it never changes. */
    local: onceAsync(openLocal),
  };

  async function openLocal(): Promise<AccountRow> {
    await accountRepo.insert(sql, { id: newId('acc'), name: 'local', is_local: true });
    const account = await accountRepo.findLocal(sql);
    if (!account) throw new Error('the local account is neither there nor could it be made');
    return seed(account);
  }
}

/** The local owner as a caller: every scope. */
export function localCaller(accountId: string): Caller {
  return { accountId, actor: 'local', scopes: SCOPES, via: 'local', fresh: true };
}
