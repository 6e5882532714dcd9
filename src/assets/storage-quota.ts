import { Fault } from '../errors.ts';
import type { Sql, Tx } from '../platform/database/database.ts';
import { LIMITS } from './asset.ts';
import * as assetRepo from './asset-repo.ts';

type StorageQuotaDeps = {
  readonly sql: Sql;
  /** Bytes that the account's plan includes. */
  readonly quotaOf: (accountId: string) => Promise<number>;
};

export type StorageQuota = ReturnType<typeof createStorageQuota>;

/** What an account may store: its assets, and what upload links have received of files to come. */
export function createStorageQuota({ sql, quotaOf }: StorageQuotaDeps) {
  return {
    /**
     * `upload`: the link whose file this is; what it has received is not counted a second time.
     * @throws Fault plan_limit.assets when so many bytes more do not fit
     */
    async requireSpace(on: Sql | Tx, accountId: string, bytes: number, upload?: string): Promise<void> {
      const limit = await quotaOf(accountId);
      const used = await assetRepo.usedBytes(on, accountId, upload);
      if (used + Math.max(bytes, LIMITS.leastBytes) > limit)
        throw new Fault('plan_limit.assets', { used: inMb(used), limit: inMb(limit), needed: inMb(bytes) });
    },

    /** Bytes used, and those that the plan includes. */
    async usage(accountId: string): Promise<{ used: number; limit: number }> {
      return { used: await assetRepo.usedBytes(sql, accountId), limit: await quotaOf(accountId) };
    },
  };
}

const inMb = (bytes: number) => Math.ceil((bytes / 1024 / 1024) * 10) / 10;
