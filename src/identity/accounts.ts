import { Fault } from '../errors.ts';
import type { Sql } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { onceAsync } from '../platform/once-async.ts';
import { type Caller, SCOPES } from './caller.ts';
import { type AccountRow, createIdentityStore } from './account-repo.ts';

/** Gives a new account what it begins with. Runs again after a crash, so what is there already must do no harm. */
export type SeedAccount = (accountId: string) => Promise<void>;

export type Accounts = ReturnType<typeof createAccounts>;

/** Accounts, and the local owner who acts without a credential where the server is reached from this machine only. */
export function createAccounts({ sql, furnish }: { sql: Sql; furnish: SeedAccount }) {
  const store = createIdentityStore(sql);

  async function furnished(account: AccountRow): Promise<AccountRow> {
    if (account.furnished) return account;
    await furnish(account.id);
    await store.markSeeded(account.id);
    return { ...account, furnished: true };
  }

  return {
    async create(name: string): Promise<AccountRow> {
      const account = { id: newId('acc'), name };
      await store.insert({ ...account, is_local: false });
      return furnished({ ...account, furnished: false });
    },

    /** Gives an account what it begins with, unless it has it: one made in a transaction, or cut off there. */
    furnish: furnished,

    /** @throws Fault not_found */
    async get(id: string): Promise<AccountRow> {
      const found = await store.find(id);
      if (!found) throw new Fault('not_found.account', { id });
      return found;
    },

    /** The account of the local owner, made on first need. Who owns the server does not change. */
    local: onceAsync(openLocal),
  };

  async function openLocal(): Promise<AccountRow> {
    await store.insert({ id: newId('acc'), name: 'local', is_local: true });
    const account = await store.findLocal();
    if (!account) throw new Error('the local account is neither there nor could it be made');
    return furnished(account);
  }
}

/** The local owner as a caller: every scope. */
export function localCaller(accountId: string): Caller {
  return { accountId, actor: 'local', scopes: SCOPES, via: 'local' };
}
