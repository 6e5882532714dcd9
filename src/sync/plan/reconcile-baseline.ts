import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { forgetReverted } from '../runs/repositories/reverted-repo.ts';
import type { Run } from '../runs/run.ts';
import { READ_ROWS } from '../statement-size.ts';
import { equalMovesAt, type Window } from './join-repo.ts';

/**
 * Takes rows that were read alike on both sides into the baseline, and deletes those that the sheet no longer has. Does
 * nothing once the reads of the run are deleted: it would look as if both sides had lost everything. A run that has not
 * read all deletes nothing, and so does one that knows that nothing is `missing`.
 */
export async function reconcileBaseline(
  sql: Sql,
  run: Run,
  writeRows: number,
  missing?: number,
): Promise<void> {
  const first = await takeEqualRows(sql, run, { after: 0, to: READ_ROWS, writeRows });
  const { last, undone } = first;
  if (last === null) return;
  let { reached } = first;
  while (reached < last) {
    const window = { after: reached, to: reached + READ_ROWS, writeRows };
    ({ reached } = await takeEqualRows(sql, run, window));
  }
  if (run.request.items) return;
  let after: string | undefined = missing === 0 ? undefined : '';
  while (after !== undefined) after = await forgetLost(sql, run, after);
  if (undone) await forgetReverted(sql, run);
}

const Overview = z.object({ reached: z.number(), last: z.number().nullable(), undone: z.boolean() });
const NextKeys = z.object({ last: z.string().nullable(), keys: z.number() });

/**
 * Writes only rows in which the baseline differs, at most `writeRows`; not those that both sides have changed alike: they are
 * merged. Returns how far it came, the last row that was read, null where nothing was read, or it has been deleted; and
 * whether an undo holds anything.
 */
async function takeEqualRows(
  sql: Sql | Tx,
  run: Run,
  { after, to, writeRows }: Window & { readonly writeRows: number },
): Promise<z.output<typeof Overview>> {
  const at = equalMovesAt(run);
  const [row] = await sql`
    with different as materialized (
      select s.key, s.variant_id, s.product_id, s.item_id, h.row_no, s.vals
      from sync_read_sheet h
      join sync_read_store s on s.run_id = ${run.id} and s.key = h.key and not s.blocked
      left join sync_base b on b.config_id = ${run.config_id} and b.key = h.key
      where h.run_id = ${run.id} and h.row_no > ${after} and h.row_no <= ${to} and not h.blocked and s.vals = h.vals
        and not exists (select from unnest(${at}::int[]) cell where sync_equal_move(s.vals, b.vals, cell))
        and (b.vals is distinct from s.vals or b.variant_id <> s.variant_id or b.product_id <> s.product_id
          or b.item_id <> s.item_id or b.row_no is distinct from h.row_no)
      order by h.row_no limit ${writeRows}
    ), taken as (
      insert into sync_base (config_id, key, variant_id, product_id, item_id, row_no, vals)
      select ${run.config_id}, key, variant_id, product_id, item_id, row_no, vals from different
      on conflict (config_id, key) do update
      set variant_id = excluded.variant_id, product_id = excluded.product_id, item_id = excluded.item_id,
        row_no = excluded.row_no, vals = excluded.vals
    )
    select (select case when count(*) < ${writeRows} then ${to}::int else max(row_no) end from different) as reached, (
        select coalesce((select max(row_no) from sync_read_sheet where run_id = ${run.id}), 0)::int
        where exists (select from sync_read_store where run_id = ${run.id})
          or exists (select from sync_read_sheet where run_id = ${run.id})) as last,
      exists (select from sync_reverted where config_id = ${run.config_id}) as undone`;
  return Overview.parse(row);
}

/**
 * Deletes keys that the sheet has lost, so that its shrinking counts in one run only; but not keys that the run has
 * written. Checks the next keys after one, and returns the last of them; undefined: there are no more.
 */
async function forgetLost(sql: Sql | Tx, run: Run, after: string): Promise<string | undefined> {
  const [row] = await sql`
    with next as materialized (
      select max(key) as last, count(*)::int as keys from (
        select key from sync_base where config_id = ${run.config_id} and key > ${after} order by key limit ${READ_ROWS}
      ) following_keys
    ), forgotten as (
      delete from sync_base b
      where b.config_id = ${run.config_id} and b.key > ${after} and b.key <= (select last from next)
        and not exists (select from sync_read_sheet h where h.run_id = ${run.id} and h.key = b.key)
        and not exists (
          select from sync_changes c where c.run_id = ${run.id} and c.key = b.key and c.state <> 'planned')
    )
    select last, keys from next`;
  const { last, keys } = NextKeys.parse(row);
  return last === null || keys < READ_ROWS ? undefined : last;
}
