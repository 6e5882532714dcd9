import { z } from 'zod';
import type { Entitlements } from '../billing/entitlements.ts';
import type { Sql } from '../platform/database/database.ts';

type UsageDeps = { readonly sql: Sql; readonly entitlements: Pick<Entitlements, 'of'> };

/** The plan's sync limits and their use. -1 means unlimited. */
type SyncUsage = {
  readonly plan: string;
  readonly stores: Usage;
  readonly sheets: Usage;
  /** Shortest interval of automatic runs; null where the plan has none. */
  readonly auto_sync_minutes: number | null;
  readonly api_access: boolean;
};

type Usage = { readonly used: number; readonly limit: number };

export function createSyncUsage({ sql, entitlements }: UsageDeps) {
  return async (accountId: string): Promise<SyncUsage> => {
    const { sync } = await entitlements.of(accountId);
    const used = await countConnections(sql, accountId);
    return {
      plan: sync.plan,
      stores: { used: used.stores, limit: sync.stores },
      sheets: { used: used.sheets, limit: sync.sheets },
      auto_sync_minutes: sync.autoSyncMinutes,
      api_access: sync.api,
    };
  };
}

const Counts = z.object({ stores: z.number(), sheets: z.number() });

async function countConnections(sql: Sql, accountId: string): Promise<z.output<typeof Counts>> {
  const [row] = await sql`
    select (select count(*)::integer from sync_stores where account_id = ${accountId}) as stores,
      (select count(*)::integer from sync_sheets where account_id = ${accountId}) as sheets`;
  return Counts.parse(row);
}
