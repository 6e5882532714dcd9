import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import type { Change } from '../change.ts';
import type { Run } from '../runs/run.ts';
import type { Window } from './join-repo.ts';

/** A change before it has a number and a batch. */
export type PlannedChange = Omit<Change, 'seq' | 'batch'>;

export type NumberedChange = Omit<Change, 'seq'>;

export type Appending = {
  /** Of each mapping, and `key` where the key has its own column. */
  readonly fields: readonly string[];
  readonly ownKey: boolean;
  /** The last row of the sheet that is taken. */
  readonly row: number;
  readonly seq: number;
  readonly batch: number;
  /** How many rows the batch has room for, and how many every one after it. */
  readonly room: number;
  readonly rowsPerBatch: number;
};

const Appended = z.object({ rows: z.number(), changes: z.number() });

/** Numbered from `first` in their order. */
export async function insertChanges(
  sql: Sql | Tx,
  run: Run,
  first: number,
  changes: readonly NumberedChange[],
): Promise<void> {
  await sql`
    insert into sync_changes (run_id, seq, account_id, key, row_no, variant_id, product_id, item_id, field, side,
      kind, from_value, to_value, base_value, batch, state, code, params)
    select ${run.id}, ${first}::int + nth::int - 1, ${run.account_id}, key, "row", "variantId", "productId", "itemId",
      field, side, kind, "from", "to", base, batch, state, code, params
    from rows from (jsonb_to_recordset(${sql.json(changes)}::jsonb) as (
      key text, "row" int, "variantId" text, "productId" text, "itemId" text, field text, side text, kind text,
      "from" text, "to" text, base text, batch int, state text, code text, params jsonb)
    ) with ordinality as given (key, "row", "variantId", "productId", "itemId", field, side, kind, "from", "to",
      base, batch, state, code, params, nth)`;
}

/** Appends the variants of a window that have no row, in the order of the store; a cell without a value is none. */
export async function appendNewRows(
  sql: Sql | Tx,
  run: Run,
  { after, to }: Window,
  at: Appending,
): Promise<z.output<typeof Appended>> {
  const [row] = await sql`
    with fresh as (
      select s.*, row_number() over (order by s.seq)::int - 1 as nth_row
      from sync_read_store s
      where s.run_id = ${run.id} and s.seq > ${after} and s.seq <= ${to} and s.key is not null and not s.blocked
        and not exists (select from sync_read_sheet h where h.run_id = ${run.id} and h.key = s.key)
        and not exists (
          select from sync_reverted r where r.config_id = ${run.config_id} and r.key = s.key and r.field = 'row'
            and r.run_id is distinct from ${run.request.redo ?? null})
    ), inserted as (
      insert into sync_changes (run_id, seq, account_id, key, row_no, variant_id, product_id, item_id, field, side,
        kind, to_value, batch)
      select ${run.id}, ${at.seq}::int + row_number() over (order by nth_row, nth)::int, ${run.account_id}, key,
        ${at.row}::int + 1 + nth_row, variant_id, product_id, item_id, field, 'sheet', 'append', value,
        ${at.batch}::int + (nth_row + ${at.rowsPerBatch}::int - ${at.room}::int) / ${at.rowsPerBatch}::int
      from fresh cross join lateral unnest(
        ${[...at.fields]}::text[], case when ${at.ownKey}::boolean then vals || key else vals end
      ) with ordinality as cell (field, value, nth)
      where value is not null
      returning row_no
    )
    select count(*)::int as changes, count(distinct row_no)::int as rows from inserted`;
  return Appended.parse(row);
}

/**
 * Shifts the batches, which were counted separately, one after another: quantities stay first, then the other changes of
 * the store, after `quantities`, all in one batch if `bulk`; then the sheet, after `store`.
 */
export async function shiftBatches(
  sql: Sql | Tx,
  runId: string,
  { after, to }: Window,
  { quantities, store, bulk }: { quantities: number; store: number; bulk: boolean },
): Promise<void> {
  await sql`
    update sync_changes
    set batch = case when side = 'sheet' or kind = 'create' then batch + ${store}::int
      when ${bulk}::boolean then ${quantities}::int + 1
      else batch + ${quantities}::int end
    where run_id = ${runId} and seq > ${after} and seq <= ${to} and batch > 0
      and not (side = 'store' and kind <> 'create' and starts_with(field, 'inventory_quantity'))`;
}
