import { Fault } from '../../errors.ts';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import type { Caller } from '../caller.ts';
import * as membershipRepo from '../members/membership-repo.ts';
import type { RecordEvent } from '../members/roles.ts';
import * as accountRepo from './account-repo.ts';
import type { Accounts } from './accounts.ts';
import type { Holdings } from './takeover-repo.ts';
import * as takeoverRepo from './takeover-repo.ts';

type TakeoversDeps = {
  readonly sql: Sql;
  readonly accounts: Pick<Accounts, 'ensureSeeded'>;
  /** Permanently deletes an account that `prepare` leaves ready for it, in the same transaction; false keeps it. */
  readonly removeAccount: (accountId: string, prepare: (tx: Tx) => Promise<boolean>) => Promise<void>;
  /** Cancels jobs, videos and runs of syncs that have not ended. */
  readonly stopWork: (accountId: string) => Promise<void>;
  readonly record: RecordEvent;
  /** Called when an account is taken over or kept: no node may go by what it knew. */
  readonly invalidate: (accountId: string) => void;
};

/** What a person who verified a registered address is asked. */
export type Takeover = {
  readonly account: { readonly id: string; readonly name: string };
  readonly has: Holdings;
};

export type Takeovers = ReturnType<typeof createTakeovers>;

/**
 * Someone may have registered an address before its owner verified it. The owner gets the account, without password, sessions
 * and keys of before, and is asked whether to keep what is in it. Until they answer, nothing runs automatically in it,
 * and connected stores and sheets are not used.
 */
export function createTakeovers({
  sql,
  accounts,
  removeAccount,
  stopWork,
  record,
  invalidate,
}: TakeoversDeps) {
  async function pending(userId: string): Promise<Takeover[]> {
    const rows = await takeoverRepo.pending(sql, userId);
    return Promise.all(
      rows.map(async ({ id, name }) => ({
        account: { id, name },
        has: await takeoverRepo.holdings(sql, id),
      })),
    );
  }

  async function keep(userId: string, actor: string, found: readonly Takeover[]): Promise<void> {
    await sql.begin(async (tx) => {
      await accountRepo.setTakenOver(tx, userId, null);
      for (const { account } of found)
        await record(tx, account.id, { actor, action: 'account.kept', target: account.id });
    });
    for (const { account } of found) invalidate(account.id);
  }

  /** Deletes the account and gives the person an empty one, in which their sessions go on. */
  async function wipe(userId: string, actor: string, accountId: string): Promise<string> {
    const account = {
      id: newId('acc'),
      name: actor.slice(0, Math.max(actor.lastIndexOf('@'), 1)),
      seeded: false,
    };
    await removeAccount(accountId, async (tx) => {
      if (!(await takeoverRepo.lockPending(tx, accountId))) return false;
      await accountRepo.insert(tx, { ...account, is_local: false });
      await membershipRepo.insert(tx, account.id, userId, 'owner');
      await takeoverRepo.moveSessions(tx, userId, accountId, account.id);
      await takeoverRepo.resetPerson(tx, userId, account.name);
      await record(tx, account.id, { actor, action: 'account.wiped', target: accountId });
      return true;
    });
    await accounts.ensureSeeded(account);
    return account.id;
  }

  return {
    /** What a person is to be asked at sign-in. An account in which there is nothing is theirs without a question. */
    async askOf(userId: string, actor: string): Promise<Takeover | undefined> {
      const found = await pending(userId);
      const [asked] = found.filter(({ has }) => Object.values(has).some((count) => count > 0));
      if (!asked && found.length > 0) await keep(userId, actor, found);
      if (asked) {
        // The notification reaches this node too, but only after the response of this call.
        invalidate(asked.account.id);
        await stopWork(asked.account.id);
      }
      return asked;
    },

    /**
     * Keeps what the account has, or deletes all of it permanently. Deleting needs a fresh session.
     * @throws Fault conflict.no_takeover, unauthenticated.no_session, reauthentication_required.session
     */
    async answer(caller: Caller, isKept: boolean): Promise<{ kept: boolean; account_id: string }> {
      const { userId, actor, fresh, accountId } = caller;
      if (userId === undefined) throw new Fault('unauthenticated.no_session');
      const found = await pending(userId);
      if (found.length === 0) throw new Fault('conflict.no_takeover');
      if (isKept) {
        await keep(userId, actor, found);
        return { kept: true, account_id: accountId };
      }
      if (!fresh) throw new Fault('reauthentication_required.session', { tool: 'POST /auth/takeover' });
      let home = accountId;
      for (const { account } of found) home = await wipe(userId, actor, account.id);
      return { kept: false, account_id: home };
    },
  };
}
