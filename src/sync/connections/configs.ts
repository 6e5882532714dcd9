import { Fault } from '../../errors.ts';
import type { Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { byNumber, type Page, type PageRequest, pageOf } from '../../platform/paging.ts';
import { dropBases, purgeConfigs } from './bases.ts';
import { checkSettings } from './check-settings.ts';
import { type ConfigParts, createConfigAccess, demandSides } from './config-access.ts';
import {
  asksForPace,
  type ConfigChange,
  type ConfigRequest,
  changedConfig,
  columnsOf,
  touchesPace,
} from './config-change.ts';
import { type ConfigRow, createConfigStore } from './config-store.ts';
import { meansAnother } from './means-another.ts';
import { demandPace, nextAt } from './pace.ts';
import { type SyncConfig, syncConfig } from './sync-config.ts';

/** Configurations an account may have. */
const MOST = 500;

/** What of a store goes into what column of a sheet, which way, and when. */
export function createConfigs(parts: ConfigParts) {
  const { sql, entitlements, now = Date.now } = parts;
  const rows = createConfigStore(sql);

  return {
    ...createConfigAccess(parts),

    /** @throws Fault validation_failed, not_found.store, not_found.sheet, plan_required, plan_limit, conflict */
    async create(accountId: string, request: ConfigRequest): Promise<SyncConfig> {
      const row = { id: newId('cfg'), account_id: accountId, implicit: false, ...columnsOf(request) };
      const settled = { ...row, ...checkSettings(row), next_at: nextAt(row, now()) };
      await demandSides(rows, accountId, row.store_id, row.sheet_id);
      demandPace(row, (await entitlements.of(accountId)).sync);
      const inserted = await sql.begin(async (tx) => {
        const own = createConfigStore(tx);
        await own.lock(accountId);
        if ((await own.count(accountId)) >= MOST)
          throw new Fault('conflict.too_many_sync_configs', { limit: MOST });
        return own.insert(settled);
      });
      // Only one that a run made can be there before.
      if (!inserted) throw new Error(`the configuration ${row.id} was not kept`);
      return syncConfig(inserted);
    },

    /** Newest first. */
    async list(accountId: string, request: PageRequest): Promise<Page<SyncConfig>> {
      const { before, limit } = byNumber(request);
      const found = await rows.list(accountId, { before, limit: limit + 1 });
      return pageOf(found, limit, ({ seq }) => seq, syncConfig);
    },

    /** Also one that a run made. @throws Fault not_found.sync_config */
    async get(accountId: string, id: string): Promise<SyncConfig> {
      const row = await rows.find(accountId, id);
      if (!row) throw new Fault('not_found.sync_config', { id });
      return syncConfig(row);
    },

    /**
     * Changes what is given. What makes the configuration mean something else makes it forget how both sides stood.
     * @throws Fault not_found, validation_failed, precondition_failed.etag, plan_required, plan_limit, and
     * sync_running.sheet where a run would go on by what it was
     */
    async update(
      accountId: string,
      id: string,
      change: ConfigChange,
      ifMatch?: readonly string[],
    ): Promise<SyncConfig> {
      const { sync } = await entitlements.of(accountId);
      return sql.begin(async (tx) => {
        const own = createConfigStore(tx);
        const row = await lockOwn(own, accountId, id, ifMatch);
        const changed = changedConfig(row, change);
        if (change.store_id !== undefined || change.sheet_id !== undefined)
          await demandSides(own, accountId, changed.store_id, changed.sheet_id);
        if (asksForPace(change)) demandPace(changed, sync);
        const settled = { ...changed, ...checkSettings(changed) };
        if (meansAnother(row, settled)) await dropBases(tx, [id]);
        const next_at = touchesPace(change) ? nextAt(settled, now()) : row.next_at;
        return syncConfig(await own.settle(accountId, id, { ...settled, next_at }));
      });
    },

    /** With the history of its runs. @throws Fault not_found.sync_config, precondition_failed.etag, sync_running.sheet */
    async delete(accountId: string, id: string, ifMatch?: readonly string[]): Promise<void> {
      await sql.begin((tx: Tx) => lockOwn(createConfigStore(tx), accountId, id, ifMatch));
      await purgeConfigs(sql, accountId, [id]);
    },
  };
}

/** Held until the transaction ends. @throws Fault not_found.sync_config, precondition_failed.etag */
async function lockOwn(
  own: ReturnType<typeof createConfigStore>,
  accountId: string,
  id: string,
  ifMatch: readonly string[] | undefined,
): Promise<ConfigRow> {
  const row = await own.lockOne(accountId, id);
  if (!row) throw new Fault('not_found.sync_config', { id });
  if (ifMatch && !ifMatch.includes(String(row.version))) throw new Fault('precondition_failed.etag');
  return row;
}
