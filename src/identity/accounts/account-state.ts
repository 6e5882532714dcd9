import type { Sql } from '../../platform/database/database.ts';
import { createNotifiedCache, type NotifiedCache } from '../../platform/notified-cache.ts';
import type { AccountStateRow } from './account-repo.ts';
import * as accountRepo from './account-repo.ts';

/** How long a deleted account can be restored. */
export const RESTORE_DAYS = 14;

export type AccountStates = Pick<NotifiedCache<AccountStateRow>, 'invalidate' | 'listeners'> & {
  /** Undefined for an account that is gone. */
  of(accountId: string): Promise<AccountStateRow | undefined>;
};

/** Whether accounts are deleted or taken over, as every call asks. Known to all nodes at once. */
export function createAccountStates({ sql }: { sql: Sql }): AccountStates {
  const cache = createNotifiedCache<AccountStateRow>({
    max: 10_000,
    ttlMs: 60_000,
    channels: ['accounts'],
    payloadIsKey: true,
  });
  return {
    of: (accountId) => cache.get(accountId, () => accountRepo.findState(sql, accountId)),
    invalidate: cache.invalidate,
    listeners: cache.listeners,
  };
}

/** Until when a deleted account can be restored. */
export function restorableUntil(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + RESTORE_DAYS * 86_400_000);
}
