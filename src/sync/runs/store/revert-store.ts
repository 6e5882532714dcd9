import { z } from 'zod';
import type { Tx } from '../../../platform/database/database.ts';

const Last = z.object({ last: z.number().nullable() });

/** Changes one statement turns round: well under the time it has. */
const CHUNK = 10_000;

/** The SQL of taking a run back. */
export function createRevertStore(tx: Tx) {
  return {
    /**
     * Plans for `toRun` what takes back the applied changes of `fromRun`, in the same batches. How many there are.
     *
     * An append becomes a clearing, a clearing an append. The base becomes what it was before the run: `from`, but for
     * quantities that had been merged, where it was s + h − m. The base that the merge had left after the store's part is
     * the sheet's h, so it is told by that; and while only the store is taken back, the base is what the sheet still has.
     */
    async plan(fromRun: string, toRun: string): Promise<number> {
      const [found] = await tx`select max(seq)::int as last from sync_changes where run_id = ${fromRun}`;
      const last = Last.parse(found).last ?? 0;
      let planned = 0;
      for (let from = 0; from <= last; from += CHUNK) {
        const rows = await tx`
          insert into sync_changes (run_id, account_id, seq, key, row_no, variant_id, product_id, item_id, field, side,
            kind, from_value, to_value, base_value, batch, params)
          select ${toRun}, c.account_id, c.seq, c.key, c.row_no, c.variant_id, c.product_id, c.item_id, c.field, c.side,
            case c.kind when 'append' then 'clear' when 'clear' then 'append' else 'set' end,
            c.to_value, c.from_value,
            case when p.seq is null then null
              when c.side = 'store' then p.to_value
              else (p.from_value::bigint + c.from_value::bigint - c.to_value::bigint)::text end,
            c.batch, c.params - 'try'
          from sync_changes c
          left join sync_changes p on p.run_id = c.run_id and p.key = c.key and p.field = c.field and p.side <> c.side
            and p.state = 'applied' and c.kind = 'set' and c.field = 'inventory_quantity'
          where c.run_id = ${fromRun} and c.seq >= ${from} and c.seq < ${from + CHUNK} and c.state = 'applied'
            and c.key <> '' and c.field <> 'status'`;
        planned += rows.count;
      }
      return planned;
    },
  };
}
