import { z } from 'zod';
import type { Sql } from '../../platform/database/database.ts';
import type { Run } from '../runs/run.ts';
import type { Window } from './windows.ts';

const Last = z.object({ last: z.number() });
const Key = z.object({ key: z.string() });

/** Rows of the base that are looked up by one statement. */
const CHUNK = 20_000;

/** The SQL by which the base takes in what both sides were read to agree on. */
export function createSettleStore(sql: Sql) {
  return {
    async lastRow(runId: string): Promise<number> {
      const [row] = await sql`
        select coalesce(max(row_no), 0)::int as last from sync_read_sheet where run_id = ${runId}`;
      return Last.parse(row).last;
    },

    /** Writes only what the base does not say already. */
    async settle(run: Run, { after, to }: Window): Promise<void> {
      await sql`
        insert into sync_base (config_id, key, variant_id, product_id, item_id, row_no, vals)
        select ${run.config_id}, s.key, s.variant_id, s.product_id, s.item_id, h.row_no, s.vals
        from sync_read_sheet h
        join sync_read_store s on s.run_id = ${run.id} and s.key = h.key and not s.blocked
        left join sync_base b on b.config_id = ${run.config_id} and b.key = h.key
        where h.run_id = ${run.id} and h.row_no > ${after} and h.row_no <= ${to} and not h.blocked and s.vals = h.vals
          and (b.vals is distinct from s.vals or b.variant_id <> s.variant_id or b.product_id <> s.product_id
            or b.item_id <> s.item_id or b.row_no is distinct from h.row_no)
        on conflict (config_id, key) do update
        set variant_id = excluded.variant_id, product_id = excluded.product_id, item_id = excluded.item_id,
          row_no = excluded.row_no, vals = excluded.vals`;
    },

    /** The last of the base's next keys after one; undefined: there are none. */
    async lastKey(run: Run, after: string): Promise<string | undefined> {
      const [row] = await sql`
        select key from (
          select key from sync_base where config_id = ${run.config_id} and key > ${after} order by key limit ${CHUNK}
        ) next order by key desc limit 1`;
      return row && Key.parse(row).key;
    },

    /** Forgets keys that the sheet has lost, so that it has shrunk once and not for ever; but not what the run has written. */
    async forgetLost(run: Run, after: string, to: string): Promise<void> {
      await sql`
        delete from sync_base b
        where b.config_id = ${run.config_id} and b.key > ${after} and b.key <= ${to}
          and not exists (select from sync_read_sheet h where h.run_id = ${run.id} and h.key = b.key)
          and not exists (
            select from sync_changes c where c.run_id = ${run.id} and c.key = b.key and c.state <> 'planned')`;
    },
  };
}

export type SettleStore = ReturnType<typeof createSettleStore>;
