import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { Direction, Mapping, SyncOptions } from '../config.ts';

const ConfigRow = z.object({
  seq: z.number(),
  id: z.string(),
  account_id: z.string(),
  store_id: z.string(),
  sheet_id: z.string(),
  direction: Direction,
  mappings: z.array(Mapping),
  options: SyncOptions,
  implicit: z.boolean(),
  enabled: z.boolean(),
  every_minutes: z.number().nullable(),
  realtime: z.boolean(),
  next_at: z.date().nullable(),
  version: z.number(),
  created_at: z.date(),
  updated_at: z.date(),
});
export type ConfigRow = z.output<typeof ConfigRow>;

type NewConfigRow = Omit<ConfigRow, 'seq' | 'version' | 'created_at' | 'updated_at'>;

const Use = ConfigRow.pick({ id: true, implicit: true });
const Sides = z.object({ has_store: z.boolean(), has_sheet: z.boolean() });
const Claimed = ConfigRow.pick({ id: true, account_id: true, every_minutes: true, realtime: true }).extend({
  /** When its store last sent a webhook, within a day. */
  webhook_at: z.date().nullable(),
  /** What its run reads: all, or what webhooks have named. `nothing`: it needs no run. */
  reads: z.enum(['all', 'items', 'nothing']),
  /** What webhooks have named. */
  items: z.array(z.string()),
  store_place: z.number(),
  sheet_place: z.number(),
});
export type ClaimedRow = z.output<typeof Claimed>;

type Pair = Pick<ConfigRow, 'store_id' | 'sheet_id' | 'direction'>;

/** Until the transaction ends, no other transaction adds a configuration to the account. */
export async function lock(sql: Sql | Tx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('sync_configs ' || ${accountId}::text, 0))`;
}

export async function count(sql: Sql | Tx, accountId: string): Promise<number> {
  const rows = await sql`select 1 from sync_configs where account_id = ${accountId} and not implicit`;
  return rows.count;
}

/** Whether the store and the sheet are of the account. */
export async function connectedSides(
  sql: Sql | Tx,
  accountId: string,
  storeId: string,
  sheetId: string,
): Promise<z.output<typeof Sides>> {
  const [row] = await sql`
    select exists (select from sync_stores where account_id = ${accountId} and id = ${storeId}) as has_store,
      exists (select from sync_sheets where account_id = ${accountId} and id = ${sheetId}) as has_sheet`;
  return Sides.parse(row);
}

/** Undefined where an implicit one exists already, which stays as it is. */
export async function insert(sql: Sql | Tx, row: NewConfigRow): Promise<ConfigRow | undefined> {
  const [inserted] = await sql`
    insert into sync_configs (id, account_id, store_id, sheet_id, direction, mappings, options, implicit, enabled,
      every_minutes, realtime, next_at)
    values (${row.id}, ${row.account_id}, ${row.store_id}, ${row.sheet_id}, ${row.direction},
      ${sql.json(row.mappings)}, ${sql.json(row.options)}, ${row.implicit}, ${row.enabled}, ${row.every_minutes},
      ${row.realtime}, ${row.next_at})
    on conflict (store_id, sheet_id, direction) where implicit do nothing
    returning *`;
  return inserted && ConfigRow.parse(inserted);
}

export async function find(sql: Sql | Tx, accountId: string, id: string): Promise<ConfigRow | undefined> {
  const [row] = await sql`select * from sync_configs where account_id = ${accountId} and id = ${id}`;
  return row && ConfigRow.parse(row);
}

/** Does not change until the transaction ends. */
export async function findForShare(
  sql: Sql | Tx,
  accountId: string,
  id: string,
): Promise<ConfigRow | undefined> {
  const [row] = await sql`
    select * from sync_configs where account_id = ${accountId} and id = ${id} for share`;
  return row && ConfigRow.parse(row);
}

/** Locked until the transaction ends. Not one that a run created. */
export async function findForUpdate(
  sql: Sql | Tx,
  accountId: string,
  id: string,
): Promise<ConfigRow | undefined> {
  const [row] = await sql`
    select * from sync_configs where account_id = ${accountId} and id = ${id} and not implicit for update`;
  return row && ConfigRow.parse(row);
}

/** Newest first, without those that runs created. */
export async function list(
  sql: Sql | Tx,
  accountId: string,
  { before, limit }: { before: number; limit: number },
): Promise<ConfigRow[]> {
  const rows = await sql`
    select * from sync_configs where account_id = ${accountId} and seq < ${before} and not implicit
    order by seq desc limit ${limit}`;
  return z.array(ConfigRow).parse(rows);
}

/** The one a run of this pair uses: the latest changed, else the one that a run created. */
export async function findByPair(
  sql: Sql | Tx,
  accountId: string,
  { store_id, sheet_id, direction }: Pair,
): Promise<ConfigRow | undefined> {
  const [row] = await sql`
    select * from sync_configs
    where account_id = ${accountId} and store_id = ${store_id} and sheet_id = ${sheet_id}
      and direction = ${direction} and enabled
    order by implicit, updated_at desc, seq desc limit 1`;
  return row && ConfigRow.parse(row);
}

export async function update(
  sql: Sql | Tx,
  accountId: string,
  id: string,
  row: NewConfigRow,
): Promise<ConfigRow> {
  const [updated] = await sql`
    update sync_configs set store_id = ${row.store_id}, sheet_id = ${row.sheet_id}, direction = ${row.direction},
      mappings = ${sql.json(row.mappings)}, options = ${sql.json(row.options)}, enabled = ${row.enabled},
      every_minutes = ${row.every_minutes}, realtime = ${row.realtime}, next_at = ${row.next_at}, full_at = null,
      version = version + 1, updated_at = now()
    where account_id = ${accountId} and id = ${id} returning *`;
  return ConfigRow.parse(updated);
}

/** Configurations of a store or a sheet. */
export async function listUsing(
  sql: Sql | Tx,
  accountId: string,
  connectionId: string,
): Promise<z.output<typeof Use>[]> {
  const rows = await sql`
    select id, implicit from sync_configs
    where account_id = ${accountId} and (store_id = ${connectionId} or sheet_id = ${connectionId}) order by seq`;
  return z.array(Use).parse(rows);
}

/** Configurations that count stock at the store's location. */
export async function idsAtLocationOf(sql: Sql | Tx, storeId: string): Promise<string[]> {
  const rows = await sql`
    select id, implicit from sync_configs where store_id = ${storeId} and options->>'location_id' is null`;
  return z
    .array(Use)
    .parse(rows)
    .map(({ id }) => id);
}

/** Realtime configurations of a store are due at this moment, or earlier, with these items. */
export async function makeStoreDue(
  sql: Sql | Tx,
  storeId: string,
  at: Date,
  items: readonly string[],
): Promise<void> {
  await sql`
    update sync_configs set next_at = least(next_at, ${at}), webhook_items = sync_items(webhook_items, ${[...items]}::text[])
    where store_id = ${storeId} and realtime and enabled`;
}

/** Adds items to its next run, which is due at the moment, or earlier; null: when it is due anyway. */
export async function makeDue(
  sql: Sql | Tx,
  id: string,
  at: Date | null,
  items: readonly string[],
): Promise<void> {
  await sql`
    update sync_configs set next_at = least(next_at, ${at}), webhook_items = sync_items(webhook_items, ${[...items]}::text[])
    where id = ${id} and next_at is not null`;
}

/**
 * Claims configurations that are due; each is next due by its schedule. What its run reads:
 * - `items` after webhooks that named them, until `full_at`;
 * - `nothing` where a run since the latest webhook succeeded and it is not `full_at` yet;
 * - else `all`: a failed or missing run is made up for. Also while a plan waits for a person: the run replaces it.
 */
export async function claimDue(
  sql: Sql | Tx,
  now: Date,
  limit: number,
  webhooks: { receivedMinutes: number; silentMinutes: number },
): Promise<ClaimedRow[]> {
  const rows = await sql`
    with due as materialized (
      select d.id, d.webhook_items as items, d.full_at, d.realtime, (
        select max(received_at) from sync_webhook_events e where e.store_id = d.store_id
          and e.received_at > ${now}::timestamptz - interval '1 day') as webhook_at
      from sync_configs d
      join sync_stores st on st.id = d.store_id and st.status = 'connected'
      join sync_sheets sh on sh.id = d.sheet_id and sh.status = 'connected'
      join active_accounts a on a.id = d.account_id
      where d.next_at <= ${now} and d.enabled
      order by d.next_at limit ${limit} for update of d skip locked
    ), judged as materialized (
      select due.*, exists (
        select from sync_runs r where r.config_id = due.id and r.started_at >= due.webhook_at and not r.dry_run
          and r.status in ('succeeded', 'partial')) as caught_up, exists (
        select from sync_runs r where r.config_id = due.id and r.status = 'awaiting_confirmation' and not r.dry_run) as held
      from due
    ), planned as (
      select *, case
        when not realtime or full_at is null or full_at <= ${now} or held or '*' = any(items) then 'all'
        when items <> '{}' then 'items'
        when caught_up then 'nothing'
        else 'all' end as reads
      from judged
    )
    update sync_configs c set webhook_items = '{}',
      full_at = case planned.reads
        when 'all' then ${now}::timestamptz + make_interval(mins => coalesce(c.every_minutes, ${webhooks.receivedMinutes}::int))
        else c.full_at end,
      next_at = case planned.reads
        when 'nothing' then c.full_at
        when 'items' then least(c.full_at, ${now}::timestamptz
          + make_interval(mins => coalesce(c.every_minutes, ${webhooks.silentMinutes}::int)))
        else ${now}::timestamptz + make_interval(mins => coalesce(c.every_minutes,
          case when planned.caught_up then ${webhooks.receivedMinutes}::int else ${webhooks.silentMinutes}::int end)) end
    from planned where c.id = planned.id
    returning c.id, c.account_id, c.every_minutes, c.realtime, planned.webhook_at, planned.reads, planned.items,
      (select count(*)::integer from sync_stores o join sync_stores s on s.id = c.store_id
        where o.account_id = s.account_id and o.seq <= s.seq) as store_place,
      (select count(*)::integer from sync_sheets o join sync_sheets s on s.id = c.sheet_id
        where o.account_id = s.account_id and o.seq <= s.seq) as sheet_place`;
  return z.array(Claimed).parse(rows);
}

export async function postpone(sql: Sql | Tx, id: string, at: Date): Promise<void> {
  await sql`update sync_configs set next_at = ${at} where id = ${id}`;
}
