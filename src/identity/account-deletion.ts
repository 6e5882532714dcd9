import { Fault } from '../errors.ts';
import type { Sql, Tx } from '../platform/database/database.ts';
import * as accountRepo from './account-repo.ts';
import { ANONYMOUS_ACCOUNT } from './anonymous-callers.ts';
import type { Caller } from './caller.ts';
import { requireRight } from './roles.ts';

/** The files of an account outside the database. */
type AccountFiles = {
  blobsOf(accountId: string): Promise<readonly string[]>;
  removeBlobs(keys: readonly string[]): Promise<void>;
};

type AccountDeletionDeps = {
  readonly sql: Sql;
  readonly files: AccountFiles;
  /** Cancels the account's subscriptions; undefined without billing. */
  readonly cancelSubscriptions?: ((accountId: string) => Promise<void>) | undefined;
  /** Called when an account is gone: no node may go by what it knew. */
  readonly invalidate: () => void;
};

/** Deletes an account and everything in it, immediately and permanently. */
export function createAccountDeletion({ sql, files, cancelSubscriptions, invalidate }: AccountDeletionDeps) {
  return {
    /**
     * @param confirm The name of the account.
     * @throws Fault forbidden.owners, forbidden.local_account, confirmation_required.account
     */
    async delete(caller: Caller, confirm: string): Promise<void> {
      const { accountId } = caller;
      await sql.begin((tx) => demand(tx, caller, confirm));
      // No one must keep paying for a deleted account: if this fails, the account stays.
      await cancelSubscriptions?.(accountId);
      const blobs = await files.blobsOf(accountId);
      await sql.begin(async (tx) => {
        await demand(tx, caller, confirm);
        await accountRepo.raiseStatementTimeout(tx);
        await accountRepo.deleteSoleMembers(tx, accountId);
        await accountRepo.deleteAccount(tx, accountId);
        await accountRepo.notifyDeleted(tx, accountId);
      });
      invalidate();
      // If this fails, the periodic cleanup of files deletes the rest.
      await files.removeBlobs(blobs);
    },
  };
}

async function demand(tx: Tx, caller: Caller, confirm: string): Promise<void> {
  const { accountId: id, userId } = caller;
  requireRight('change owners', caller);
  const account = await accountRepo.lockForDeletion(tx, id);
  if (!account) throw new Fault('not_found.account', { id });
  if (userId && !(await accountRepo.isOwner(tx, id, userId))) throw new Fault('forbidden.owners');
  if (account.is_local || id === ANONYMOUS_ACCOUNT) throw new Fault('forbidden.local_account');
  if (confirm !== account.name) throw new Fault('confirmation_required.account', { name: account.name });
}
