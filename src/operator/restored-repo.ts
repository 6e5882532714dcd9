import { z } from 'zod';
import type { Tx } from '../platform/database/database.ts';

const PausedSync = z.object({
  id: z.string(),
  account_id: z.string(),
  store: z.string(),
  sheet: z.string(),
});
export type PausedSync = z.output<typeof PausedSync>;

const CanceledRun = z.object({ id: z.string(), account_id: z.string(), dry_run: z.boolean() });
type CanceledRun = z.output<typeof CanceledRun>;

const Access = z.object({ keys: z.number(), sessions: z.number(), apps: z.number() });
export type Access = z.output<typeof Access>;

/** The SQL of a restore, across all accounts. No caller of the API reaches it. */

/** Stops all automatic runs, and forgets what webhooks have named. */
export async function pauseSyncs(tx: Tx): Promise<PausedSync[]> {
  const rows = await tx`
    update sync_configs c set enabled = false, next_at = null, full_at = null, webhook_items = '{}',
      version = c.version + 1, updated_at = now()
    from sync_stores s, sync_sheets h
    where s.id = c.store_id and h.id = c.sheet_id and c.enabled and (c.every_minutes is not null or c.realtime)
    returning c.id, c.account_id, s.domain as store, h.name as sheet`;
  return z.array(PausedSync).parse(rows);
}

/** Ends all runs that have not ended, and closes all writes whose outcome was not known: nothing is sent again. */
export async function cancelRuns(tx: Tx): Promise<CanceledRun[]> {
  await tx`
    update sync_changes c set state = 'skipped'
    from sync_runs r where r.id = c.run_id and r.finished_at is null and c.state = 'planned'`;
  await tx`
    update sync_changes set state = 'skipped', code = case side when 'store' then 'store_changed' else 'sheet_changed' end
    where state = 'sent'`;
  await tx`update sync_runs set counts = counts - 'sent' where counts ? 'sent'`;
  const rows = await tx`
    update sync_runs set status = 'canceled', cancel_requested = true, progress = null, finished_at = now()
    where finished_at is null returning id, account_id, dry_run`;
  return z.array(CanceledRun).parse(rows);
}

/**
 * Forgets on which quantities store and sheet last agreed. Those that were synced since look as if both sides had changed
 * them alike, and such changes are added up.
 */
export async function forgetQuantities(tx: Tx): Promise<void> {
  await tx`
    update sync_base b set vals = array(
      select case when starts_with(c.mappings -> (cell.nth - 1)::int ->> 'store_field', 'inventory_quantity') then null
        else cell.value end
      from unnest(b.vals) with ordinality cell (value, nth) order by cell.nth)
    from sync_configs c
    where c.id = b.config_id and exists (
      select from jsonb_array_elements(c.mappings) mapping
      where starts_with(mapping ->> 'store_field', 'inventory_quantity'))`;
  await tx`delete from sync_reverted where starts_with(field, 'inventory_quantity')`;
}

/** How many API keys, sessions of people and sign-ins of programs work. */
export async function countAccess(tx: Tx): Promise<Access> {
  const [row] = await tx`
    select
      (select count(*)::int from api_keys where revoked_at is null and (expires_at is null or expires_at > now())) as keys,
      (select count(*)::int from sessions where expires_at > now()) as sessions,
      (select count(*)::int from connected_apps where expires_at > now()) as apps`;
  return Access.parse(row);
}

export async function recordEvents(
  tx: Tx,
  events: readonly {
    readonly id: string;
    readonly account_id: string;
    readonly action: string;
    readonly target: string;
  }[],
): Promise<void> {
  if (events.length === 0) return;
  await tx`
    insert into audit_events (id, account_id, actor, action, target, detail)
    select id, account_id, 'operator', action, target, '{"reason": "backup restored"}'
    from jsonb_to_recordset(${tx.json([...events])}) as event (id text, account_id text, action text, target text)`;
}
