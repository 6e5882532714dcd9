import { Fault } from '../../errors.ts';
import type { Also, Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { byNumber, type Page, type PageRequest, pageOf } from '../../platform/paging.ts';
import type { Direction, Mapping, SyncOptions } from '../config.ts';
import { purgeConfigs, resetBaselines } from './cleanup.ts';
import { type ConfigDeps, createConfigAccess, requireSides } from './config-access.ts';
import {
  affectsSchedule,
  type ConfigChange,
  type ConfigRequest,
  changedConfig,
  checkSettings,
  columnsOf,
  invalidatesBaseline,
  requestsSchedule,
} from './config-change.ts';
import type { ConfigRow } from './config-repo.ts';
import * as configRepository from './config-repo.ts';
import { nextAt, requireSchedule } from './schedule.ts';

/** Configurations an account may have. */
const MAX_CONFIGS = 500;

/** A configuration as its account sees it; the moments are ISO 8601. */
export type SyncConfig = SyncOptions & {
  readonly id: string;
  readonly store_id: string;
  readonly sheet_id: string;
  readonly direction: Direction;
  readonly mappings: readonly Mapping[];
  /** Created by a run that named only a store and a sheet. */
  readonly implicit: boolean;
  readonly schedule: { readonly every_minutes: number } | null;
  readonly realtime: boolean;
  readonly enabled: boolean;
  /** Incremented with every change. */
  readonly version: number;
  readonly next_run_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

export type Configs = ReturnType<typeof createConfigs>;

/**
 * Sync configurations: which fields of a store go into which columns of a sheet, in which direction, and when. A change
 * that invalidates the baseline resets it in the same transaction, and fails while a run uses the configuration.
 * In: a store, a sheet and settings. Out: a configuration. Invariant: both sides belong to the account of the
 * configuration.
 */
export function createConfigs(deps: ConfigDeps) {
  const { sql, entitlements, now, realtimeSaved } = deps;

  return {
    ...createConfigAccess(deps),

    /** @throws Fault validation_failed, not_found.store, not_found.sheet, plan_required, plan_limit, conflict */
    async create(accountId: string, request: ConfigRequest): Promise<SyncConfig> {
      const row = { id: newId('cfg'), account_id: accountId, implicit: false, ...columnsOf(request) };
      const checked = { ...row, ...checkSettings(row), next_at: nextAt(row, now()) };
      await requireSides(sql, accountId, row.store_id, row.sheet_id);
      requireSchedule(row, (await entitlements.of(accountId)).sync);
      const inserted = await sql.begin(async (tx) => {
        await configRepository.lock(tx, accountId);
        if ((await configRepository.count(tx, accountId)) >= MAX_CONFIGS)
          throw new Fault('conflict.too_many_sync_configs', { limit: MAX_CONFIGS });
        return configRepository.insert(tx, checked);
      });
      // Only an implicit one can exist already.
      if (!inserted) throw new Error(`the configuration ${row.id} was not saved`);
      return saved(inserted);
    },

    /** Newest first. */
    async list(accountId: string, request: PageRequest): Promise<Page<SyncConfig>> {
      const { before, limit } = byNumber(request);
      const found = await configRepository.list(sql, accountId, { before, limit: limit + 1 });
      return pageOf(found, limit, ({ seq }) => seq, presentConfig);
    },

    /** Also an implicit one. @throws Fault not_found.sync_config */
    async get(accountId: string, id: string): Promise<SyncConfig> {
      const row = await configRepository.find(sql, accountId, id);
      if (!row) throw new Fault('not_found.sync_config', { id });
      return presentConfig(row);
    },

    /**
     * @throws Fault not_found, validation_failed, precondition_failed.etag, plan_required, plan_limit, and
     * sync_running.sheet where the baseline is to be reset during a run
     */
    async update(
      accountId: string,
      id: string,
      change: ConfigChange,
      ifMatch?: readonly string[],
      also?: Also,
    ): Promise<SyncConfig> {
      const { sync } = await entitlements.of(accountId);
      const time = now();
      const updated = await sql.begin(async (tx) => {
        const row = await lockConfig(tx, accountId, id, ifMatch);
        const changed = changedConfig(row, change);
        if (change.store_id !== undefined || change.sheet_id !== undefined)
          await requireSides(tx, accountId, changed.store_id, changed.sheet_id);
        if (requestsSchedule(change)) requireSchedule(changed, sync);
        const checked = { ...changed, ...checkSettings(changed) };
        if (invalidatesBaseline(row, checked)) await resetBaselines(tx, [id]);
        const next_at = affectsSchedule(change) ? nextAt(checked, time) : row.next_at;
        await also?.(tx, id);
        return configRepository.update(tx, accountId, id, { ...checked, next_at });
      });
      return saved(updated);
    },

    /** With its run history. @throws Fault not_found.sync_config, precondition_failed.etag, sync_running.sheet */
    async delete(accountId: string, id: string, ifMatch?: readonly string[]): Promise<void> {
      await sql.begin((tx: Tx) => lockConfig(tx, accountId, id, ifMatch));
      await purgeConfigs(sql, accountId, [id]);
    },
  };

  function saved(row: ConfigRow): SyncConfig {
    if (row.realtime && row.enabled) realtimeSaved?.();
    return presentConfig(row);
  }
}

/** Locked until the transaction ends. @throws Fault not_found.sync_config, precondition_failed.etag */
async function lockConfig(
  tx: Tx,
  accountId: string,
  id: string,
  ifMatch: readonly string[] | undefined,
): Promise<ConfigRow> {
  const row = await configRepository.findForUpdate(tx, accountId, id);
  if (!row) throw new Fault('not_found.sync_config', { id });
  if (ifMatch && !ifMatch.includes(String(row.version))) throw new Fault('precondition_failed.etag');
  return row;
}

function presentConfig(row: ConfigRow): SyncConfig {
  const { id, store_id, sheet_id, direction, mappings, options, implicit, realtime, enabled, version } = row;
  return {
    ...options,
    ...{ id, store_id, sheet_id, direction, mappings, implicit, realtime, enabled, version },
    schedule: row.every_minutes === null ? null : { every_minutes: row.every_minutes },
    next_run_at: row.next_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
