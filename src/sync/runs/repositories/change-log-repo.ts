import { z } from 'zod';
import type { Sql, Tx } from '../../../platform/database/database.ts';
import type { Change, ChangeState } from '../../change.ts';
import type { Conflict } from '../runs.ts';

// Written by ourselves from a Change; the states, sides and kinds are checked by the table.
const Row = z.custom<Change>((value) => typeof value === 'object' && value !== null);
const HeldConflict = z.custom<Conflict>((value) => typeof value === 'object' && value !== null);

export async function listChanges(
  sql: Sql | Tx,
  { accountId, runId }: { accountId: string; runId: string },
  { state, after, limit }: { state: ChangeState | null; after: number; limit: number },
): Promise<Change[]> {
  const rows = await sql`
    select seq, key, row_no as row, variant_id as "variantId", product_id as "productId", item_id as "itemId",
      field, side, kind, from_value as "from", to_value as "to", base_value as base, batch, state, code, params
    from sync_changes
    where account_id = ${accountId} and run_id = ${runId} and seq > ${after}
      and (${state}::text is null or state = ${state}::text)
    order by seq limit ${limit}`;
  return z.array(Row).parse(rows);
}

/** Of the newest plan of each configuration that has read all. */
export async function listConflicts(
  sql: Sql | Tx,
  accountId: string,
  configId: string | null,
  limit: number,
): Promise<Conflict[]> {
  const rows = await sql`
    select f.id as config_id, c.run_id, c.key, c.row_no as row, c.field, c.to_value as store,
      c.from_value as sheet, coalesce(c.code, 'conflict') as code, r.found_at
    from sync_configs f
    cross join lateral (
      select id, coalesce(finished_at, started_at, created_at) as found_at
      from sync_runs
      where config_id = f.id and not dry_run and expires_at is not null and trigger <> 'revert' and status <> 'queued'
        and not request ? 'items'
      order by seq desc limit 1) r
    join sync_changes c on c.run_id = r.id
    where f.account_id = ${accountId} and (${configId}::text is null or f.id = ${configId}::text)
      and c.state = 'conflict'
    order by f.id, c.seq limit ${limit}`;
  return z.array(HeldConflict).parse(rows);
}

/** The open conflicts of a run. */
export async function openConflicts(sql: Sql | Tx, runId: string): Promise<Change[]> {
  const rows = await sql`
    select seq, key, row_no as row, variant_id as "variantId", product_id as "productId", item_id as "itemId",
      field, side, kind, from_value as "from", to_value as "to", base_value as base, batch, state, code, params
    from sync_changes where run_id = ${runId} and state = 'conflict' order by seq`;
  return z.array(Row).parse(rows);
}

export async function insertChanges(
  sql: Sql | Tx,
  runId: string,
  accountId: string,
  changes: readonly Change[],
): Promise<void> {
  await sql`
    insert into sync_changes (run_id, account_id, seq, key, row_no, variant_id, product_id, item_id, field, side,
      kind, from_value, to_value, base_value, batch, state, code, params)
    select ${runId}, ${accountId}, seq, key, "row", "variantId", "productId", "itemId", field, side, kind, "from",
      "to", base, batch, state, code, params
    from jsonb_to_recordset(${sql.json([...changes])}) as c(
      seq int, key text, "row" int, "variantId" text, "productId" text, "itemId" text, field text, side text,
      kind text, "from" text, "to" text, base text, batch int, state text, code text, params jsonb)`;
}

/** Marks conflicts as resolved, by `seq`. */
export async function markResolved(sql: Sql | Tx, runId: string, seqs: readonly number[]): Promise<void> {
  await sql`
    update sync_changes set state = 'resolved'
    where run_id = ${runId} and state = 'conflict'
      and seq = any(${[...seqs]}::int[])`;
}
