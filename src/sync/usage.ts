import type { Entitlements } from '../billing/entitlements.ts';
import type { Sql } from '../platform/database/database.ts';
import { createUsageStore } from './usage-store.ts';

type Parts = { readonly sql: Sql; readonly entitlements: Pick<Entitlements, 'of'> };

/** What the plan allows, and what is used of it. A limit of -1 is none. */
type SyncUsage = {
  readonly plan: string;
  readonly stores: Room;
  readonly sheets: Room;
  /** Shortest pace of automatic runs; null where there are none. */
  readonly auto_sync_minutes: number | null;
  readonly api_access: boolean;
};

type Room = { readonly used: number; readonly limit: number };

export function createSyncUsage({ sql, entitlements }: Parts) {
  const rows = createUsageStore(sql);
  return async (accountId: string): Promise<SyncUsage> => {
    const { sync } = await entitlements.of(accountId);
    const used = await rows.count(accountId);
    return {
      plan: sync.plan,
      stores: { used: used.stores, limit: sync.stores },
      sheets: { used: used.sheets, limit: sync.sheets },
      auto_sync_minutes: sync.autoSyncMinutes,
      api_access: sync.api,
    };
  };
}
