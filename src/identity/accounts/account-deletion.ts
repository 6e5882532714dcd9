import { Fault } from '../../errors.ts';
import type { Locale } from '../../language.ts';
import type { Sql, Tx } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { ANONYMOUS_ACCOUNT } from '../anonymous-callers.ts';
import type { Caller } from '../caller.ts';
import { accountDeleted } from '../caller-rights.ts';
import { nameInMail, type Post } from '../mail.ts';
import { type RecordEvent, requireRight } from '../members/roles.ts';
import * as accountRepo from './account-repo.ts';
import { RESTORE_DAYS, restorableUntil } from './account-state.ts';

/** The files of an account outside the database. */
type AccountFiles = {
  blobsOf(accountId: string): Promise<readonly string[]>;
  removeBlobs(keys: readonly string[]): Promise<void>;
};

/** A subscription that ends: nothing more is charged for it. */
export type EndingSubscription = { readonly app: string; readonly plan: string; readonly ends_at: string };

/** What the account pays for. */
type AccountSubscriptions = {
  /** Lets all of them end with what is paid for; those that owe money end at once. */
  end(accountId: string): Promise<void>;
  /** Ends all of them at once. */
  cancel(accountId: string): Promise<void>;
  ending(accountId: string): Promise<readonly EndingSubscription[]>;
};

/** Access that people gave to the account at other services. */
type AccountConsents = {
  /** Keeps what is to be revoked beyond the deletion in the same transaction. Returns its ids. */
  leave(tx: Tx, accountId: string): Promise<readonly string[]>;
  revokeLeft(ids: readonly string[]): Promise<void>;
};

type AccountDeletionDeps = {
  readonly sql: Sql;
  readonly files: AccountFiles;
  readonly subscriptions: AccountSubscriptions;
  readonly consents: AccountConsents;
  /** Cancels jobs, videos and runs of syncs that have not ended. */
  readonly stopWork: (accountId: string) => Promise<void>;
  readonly record: RecordEvent;
  readonly post: Post;
  /** Called when an account is deleted, restored or gone: no node may go by what it knew. */
  readonly invalidate: (accountId: string) => void;
  readonly log: Log;
  readonly now?: () => number;
};

/** Where the call came in, and its language. */
type Place = { readonly baseUrl: string; readonly locale: Locale };

const DAY_MS = 86_400_000;
const BATCH_SIZE = 20;

export type AccountDeletion = ReturnType<typeof createAccountDeletion>;

/**
 * Deletes accounts in two steps. A deleted account stops at once: people, keys, jobs, syncs, webhooks and links. Its owners
 * can restore it for 14 days; then it goes permanently, with everything in it.
 */
export function createAccountDeletion(deps: AccountDeletionDeps) {
  const { sql, files, subscriptions, consents, stopWork, record, post, invalidate, log } = deps;
  const { now = Date.now } = deps;

  return {
    /**
     * @param confirm The name of the account.
     * @returns until when it can be restored
     * @throws Fault forbidden.owners, forbidden.local_account, confirmation_required.account
     */
    async delete(caller: Caller, confirm: string, place: Place): Promise<Date> {
      const { accountId, actor } = caller;
      await sql.begin((tx) => requireDeletable(tx, caller, confirm));
      // No one must keep paying for a deleted account: if this fails, the account stays.
      await subscriptions.end(accountId);
      const deletedAt = new Date(now());
      const until = restorableUntil(deletedAt);
      const name = await sql.begin(async (tx) => {
        const account = await requireDeletable(tx, caller, confirm);
        await accountRepo.setDeleted(tx, accountId, deletedAt);
        await record(tx, accountId, { actor, action: 'account.deleted', target: accountId });
        await accountRepo.notifyDeleted(tx, accountId);
        return account.name;
      });
      invalidate(accountId);
      // Nothing of it is claimed any more; this ends what runs.
      await stopWork(accountId).catch((error: unknown) =>
        log.warn({ err: error, account: accountId }, 'work of a deleted account was not canceled'),
      );
      await writeToOwners(caller, nameInMail(name), until, place);
      return until;
    },

    /**
     * Undoes a deletion. What was canceled stays canceled.
     * @returns the subscriptions that end unless someone resumes them
     * @throws Fault forbidden.owners, conflict.not_deleted, not_found.account
     */
    async restore(caller: Caller): Promise<readonly EndingSubscription[]> {
      const { accountId, actor } = caller;
      await sql.begin((tx) => requireRestorable(tx, caller));
      // What was added in the moment of the deletion would otherwise wait for ever.
      await stopWork(accountId);
      await sql.begin(async (tx) => {
        await requireRestorable(tx, caller);
        await accountRepo.setDeleted(tx, accountId, null);
        await record(tx, accountId, { actor, action: 'account.restored', target: accountId });
        await accountRepo.notifyDeleted(tx, accountId);
      });
      invalidate(accountId);
      return subscriptions.ending(accountId);
    },

    /** Permanently deletes the accounts that were deleted 14 days ago. One that fails is tried again with the next call. */
    async purge(): Promise<void> {
      const before = new Date(now() - RESTORE_DAYS * DAY_MS);
      for (const accountId of await accountRepo.deletedBefore(sql, before, BATCH_SIZE))
        await remove(accountId, async (tx) => {
          const account = await accountRepo.lockForDeletion(tx, accountId);
          if (!account?.deleted_at || account.deleted_at > before) return false;
          await accountRepo.deleteSoleMembers(tx, accountId);
          return true;
        }).catch((error: unknown) =>
          log.error(
            { err: error, account: accountId },
            'a deleted account was not removed and will be retried',
          ),
        );
    },

    /** Permanently deletes an account that `prepare` leaves ready for it, in the same transaction; false keeps it. */
    remove,
  };

  async function remove(accountId: string, prepare: (tx: Tx) => Promise<boolean>): Promise<void> {
    await subscriptions.cancel(accountId);
    const blobs = await files.blobsOf(accountId);
    const left = await sql.begin(async (tx) => {
      await accountRepo.raiseStatementTimeout(tx);
      if (!(await prepare(tx))) return undefined;
      const ids = await consents.leave(tx, accountId);
      await accountRepo.deleteAccount(tx, accountId);
      await accountRepo.notifyDeleted(tx, accountId);
      return ids;
    });
    if (!left) return;
    invalidate(accountId);
    // If one of these fails, the periodic cleanup does the rest.
    await consents
      .revokeLeft(left)
      .catch((error: unknown) =>
        log.warn({ err: error, account: accountId }, 'consents of a deleted account were not revoked'),
      );
    await files.removeBlobs(blobs);
  }

  async function requireRestorable(tx: Tx, caller: Caller): Promise<void> {
    const account = await lockOwned(tx, caller);
    if (!account.deleted_at) throw new Fault('conflict.not_deleted');
    if (restorableUntil(account.deleted_at).getTime() <= now())
      throw new Fault('not_found.account', { id: account.id });
  }

  /** The account is deleted by then, so an email that fails is only logged. */
  async function writeToOwners({ accountId, actor }: Caller, account: string, until: Date, place: Place) {
    const params = {
      ...{ account, actor: nameInMail(actor), date: until.toISOString().slice(0, 10) },
      url: `${place.baseUrl}/settings/account`,
    };
    for (const { email, language } of await accountRepo.owners(sql, accountId)) {
      const locale = language === 'en' || language === 'es' ? language : place.locale;
      await post({ kind: 'account_deleted', to: email, locale, params }).catch((error: unknown) =>
        log.warn({ err: error, account: accountId }, 'an owner was not told of a deletion'),
      );
    }
  }
}

async function requireDeletable(tx: Tx, caller: Caller, confirm: string) {
  const account = await lockOwned(tx, caller);
  if (account.deleted_at) throw accountDeleted(account.id, account.deleted_at);
  if (account.is_local || account.id === ANONYMOUS_ACCOUNT) throw new Fault('forbidden.local_account');
  // The message does not name it: the caller is to know what they delete.
  if (confirm !== account.name) throw new Fault('confirmation_required.account');
  return account;
}

async function lockOwned(tx: Tx, caller: Caller) {
  const { accountId: id, userId } = caller;
  requireRight('change owners', caller);
  const account = await accountRepo.lockForDeletion(tx, id);
  if (!account) throw new Fault('not_found.account', { id });
  if (userId && !(await accountRepo.isOwner(tx, id, userId))) throw new Fault('forbidden.owners');
  return account;
}
