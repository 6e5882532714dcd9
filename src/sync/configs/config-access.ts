import type { Entitlements } from '../../billing/entitlements.ts';
import { Fault } from '../../errors.ts';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { DEFAULT_MAPPINGS, type Direction, SyncOptions, type SyncSettings } from '../config.ts';
import { isWithinQuota, planQuota } from '../connections/plan-quota.ts';
import type { ClaimedRow, ConfigRow } from './config-repo.ts';
import * as configRepository from './config-repo.ts';
import { minutesAfter, REALTIME_SCHEDULE } from './schedule.ts';

export type ConfigDeps = {
  readonly sql: Sql;
  readonly entitlements: Pick<Entitlements, 'of'>;
  /** Milliseconds since 1970; the same for all nodes. */
  readonly now: () => number;
  /** Called when a realtime configuration has been saved. */
  readonly realtimeSaved?: () => void;
};

/** The configuration that a run uses. */
type RunBasis = {
  /** Of the configuration. */
  readonly id: string;
  readonly store_id: string;
  readonly sheet_id: string;
  readonly settings: SyncSettings;
};

/** A configuration whose automatic run is due now. */
export type DueConfig = {
  readonly id: string;
  readonly accountId: string;
  /** `webhook` where its store has just reported a change. */
  readonly trigger: 'schedule' | 'webhook';
  /** The products and inventory items that its store has named, by id; undefined: all is read. */
  readonly items?: readonly string[];
};

/** Means all items of the store. */
const ALL_ITEMS: readonly string[] = ['*'];

/** How long a run may have waited for another one since the webhook that caused it. */
const WEBHOOK_MINUTES = 5;

/** Configurations as runs and the scheduler use them. */
export function createConfigAccess({ sql, entitlements }: ConfigDeps) {
  return {
    /** Given a transaction, the configuration does not change until it ends. @throws Fault not_found.sync_config */
    async settingsOf(accountId: string, configId: string, tx?: Tx): Promise<RunBasis> {
      const row = await (tx
        ? configRepository.findForShare(tx, accountId, configId)
        : configRepository.find(sql, accountId, configId));
      if (!row) throw new Fault('not_found.sync_config', { id: configId });
      return basis(row);
    },

    /**
     * The configuration of a run that names only a store and a sheet: their latest changed one of that direction, else an
     * implicit one for the documented layout, which is created when first needed and not listed.
     * @throws Fault not_found.store, not_found.sheet
     */
    async implicitFor(
      accountId: string,
      storeId: string,
      sheetId: string,
      direction: Direction,
    ): Promise<RunBasis> {
      const pair = { store_id: storeId, sheet_id: sheetId, direction };
      const found = await configRepository.findByPair(sql, accountId, pair);
      if (found) return basis(found);
      await requireSides(sql, accountId, storeId, sheetId);
      await configRepository.insert(sql, {
        ...pair,
        id: newId('cfg'),
        account_id: accountId,
        mappings: [...DEFAULT_MAPPINGS],
        options: SyncOptions.parse({}),
        ...{ implicit: true, enabled: true, every_minutes: null, realtime: false, next_at: null },
      });
      // A concurrent run may have created it first.
      const created = await configRepository.findByPair(sql, accountId, pair);
      if (!created) throw new Fault('not_found.store', { id: storeId });
      return basis(created);
    },

    /**
     * Claims due configurations: each is returned once, and is then next due by its schedule. Those that the plan does not
     * cover are skipped until it does.
     */
    async due(now: Date, limit: number): Promise<readonly DueConfig[]> {
      const allowed: DueConfig[] = [];
      for (const row of await configRepository.claimDue(sql, now, limit, REALTIME_SCHEDULE)) {
        if (row.reads === 'nothing') continue;
        if (await isAllowed(row, now)) allowed.push(dueConfig(row, now));
        else await configRepository.makeDue(sql, row.id, null, ALL_ITEMS);
      }
      return allowed;
    },

    /** The realtime configurations of a store are due at this moment, or earlier, with these items. */
    makeStoreDue: (storeId: string, at: Date, items = ALL_ITEMS) =>
      configRepository.makeStoreDue(sql, storeId, at, items),

    /**
     * A configuration that could not run when it was due is due again at this moment, or by its schedule (null), with the
     * items of that run.
     */
    makeDue: (configId: string, at: Date | null, items = ALL_ITEMS) =>
      configRepository.makeDue(sql, configId, at, items),
  };

  async function isAllowed(row: ClaimedRow, now: Date): Promise<boolean> {
    const { sync } = await entitlements.of(row.account_id);
    if (sync.autoSyncMinutes === null) return false;
    if (row.every_minutes !== null && row.every_minutes < sync.autoSyncMinutes)
      await configRepository.postpone(sql, row.id, minutesAfter(now.getTime(), sync.autoSyncMinutes));
    return (
      isWithinQuota(planQuota('stores', sync), row.store_place) &&
      isWithinQuota(planQuota('sheets', sync), row.sheet_place)
    );
  }
}

/** @throws Fault not_found.store, not_found.sheet */
export async function requireSides(
  sql: Sql | Tx,
  accountId: string,
  storeId: string,
  sheetId: string,
): Promise<void> {
  const { has_store, has_sheet } = await configRepository.connectedSides(sql, accountId, storeId, sheetId);
  if (!has_store) throw new Fault('not_found.store', { id: storeId });
  if (!has_sheet) throw new Fault('not_found.sheet', { id: sheetId });
}

function basis(row: ConfigRow): RunBasis {
  const { id, store_id, sheet_id, direction, mappings, options } = row;
  return { id, store_id, sheet_id, settings: { direction, mappings, options } };
}

function dueConfig({ id, account_id, realtime, webhook_at, reads, items }: ClaimedRow, now: Date): DueConfig {
  const since = minutesAfter(now.getTime(), -WEBHOOK_MINUTES);
  const isWebhook = realtime && webhook_at !== null && webhook_at >= since;
  const trigger = isWebhook ? 'webhook' : 'schedule';
  return { id, accountId: account_id, trigger, ...(reads === 'items' && { items }) };
}
