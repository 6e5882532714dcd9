import type { Entitlements } from '../../billing/entitlements.ts';
import { Fault } from '../../errors.ts';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { DEFAULT_MAPPINGS, type Direction, SyncOptions, type SyncSettings } from '../config.ts';
import { type ClaimedRow, type ConfigRow, createConfigStore } from './config-store.ts';
import { minutesAfter, NEWS_PACE } from './pace.ts';
import { hasRoom, roomFor } from './room.ts';

export type ConfigParts = {
  readonly sql: Sql;
  readonly entitlements: Pick<Entitlements, 'of'>;
  readonly now?: () => number;
};

/** What a run is made by. */
type RunBasis = {
  /** Of the configuration. */
  readonly id: string;
  readonly store_id: string;
  readonly sheet_id: string;
  readonly settings: SyncSettings;
};

/** A configuration that is to run by itself now. */
export type DueConfig = {
  readonly id: string;
  readonly accountId: string;
  /** `webhook` where its store has just told of a change. */
  readonly trigger: 'schedule' | 'webhook';
};

/** How long a run may have had to wait for another one since its store told of a change. */
const NEWS_MINUTES = 5;

/** Configurations as runs and the clock need them. */
export function createConfigAccess({ sql, entitlements }: ConfigParts) {
  const rows = createConfigStore(sql);

  return {
    /** With a transaction, nobody changes them before that has ended. @throws Fault not_found.sync_config */
    async settingsOf(accountId: string, configId: string, within?: Tx): Promise<RunBasis> {
      const row = await (within
        ? createConfigStore(within).hold(accountId, configId)
        : rows.find(accountId, configId));
      if (!row) throw new Fault('not_found.sync_config', { id: configId });
      return basis(row);
    },

    /**
     * What a run goes by that names only a store and a sheet: their latest changed configuration of that direction, else
     * one for the documented layout, which is made on first need and not listed.
     * @throws Fault not_found.store, not_found.sheet
     */
    async implicitFor(
      accountId: string,
      storeId: string,
      sheetId: string,
      direction: Direction,
    ): Promise<RunBasis> {
      await demandSides(rows, accountId, storeId, sheetId);
      const pair = { store_id: storeId, sheet_id: sheetId, direction };
      const found = await rows.ofPair(accountId, pair);
      if (found) return basis(found);
      await rows.insert({
        ...pair,
        id: newId('cfg'),
        account_id: accountId,
        mappings: [...DEFAULT_MAPPINGS],
        options: SyncOptions.parse({}),
        ...{ implicit: true, enabled: true, every_minutes: null, realtime: false, next_at: null },
      });
      // Another run may have been faster to make it.
      const made = await rows.ofPair(accountId, pair);
      if (!made) throw new Fault('not_found.store', { id: storeId });
      return basis(made);
    },

    /**
     * Takes what is due: each configuration is handed out once, and is then next due after its pace. What the plan does
     * not allow any more is passed over, and comes back with the plan.
     */
    async due(now: Date, limit: number): Promise<readonly DueConfig[]> {
      const allowed: DueConfig[] = [];
      for (const row of await rows.claimDue(now, limit, NEWS_PACE))
        if (await isAllowed(row, now)) allowed.push(dueConfig(row, now));
      return allowed;
    },

    /** The realtime configurations of a store are due at this moment, or before. */
    touch: (storeId: string, at: Date) => rows.touch(storeId, at),

    /** A configuration that could not run when it was due is due again at this moment. */
    again: (configId: string, at: Date) => rows.touchOne(configId, at),
  };

  async function isAllowed(row: ClaimedRow, now: Date): Promise<boolean> {
    const { sync } = await entitlements.of(row.account_id);
    if (sync.autoSyncMinutes === null) return false;
    if (row.every_minutes !== null && row.every_minutes < sync.autoSyncMinutes)
      await rows.putOff(row.id, minutesAfter(now.getTime(), sync.autoSyncMinutes));
    return (
      hasRoom(roomFor('stores', sync), row.store_place) && hasRoom(roomFor('sheets', sync), row.sheet_place)
    );
  }
}

/** @throws Fault not_found.store, not_found.sheet */
export async function demandSides(
  rows: ReturnType<typeof createConfigStore>,
  accountId: string,
  storeId: string,
  sheetId: string,
): Promise<void> {
  const { has_store, has_sheet } = await rows.sides(accountId, storeId, sheetId);
  if (!has_store) throw new Fault('not_found.store', { id: storeId });
  if (!has_sheet) throw new Fault('not_found.sheet', { id: sheetId });
}

function basis(row: ConfigRow): RunBasis {
  const { id, store_id, sheet_id, direction, mappings, options } = row;
  return { id, store_id, sheet_id, settings: { direction, mappings, options } };
}

function dueConfig({ id, account_id, realtime, heard_at }: ClaimedRow, now: Date): DueConfig {
  const isNews = realtime && heard_at !== null && heard_at >= minutesAfter(now.getTime(), -NEWS_MINUTES);
  return { id, accountId: account_id, trigger: isNews ? 'webhook' : 'schedule' };
}
