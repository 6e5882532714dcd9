import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { currencyScale } from '../values/value.ts';
import { insertChanges, listConflicts, markResolved, openConflicts } from './repositories/change-log-repo.ts';
import { createRunStore } from './repositories/run-repo.ts';
import { resolveChanges } from './resolve-conflicts.ts';
import { isFinished, type Run } from './run.ts';
import type { createRunStarter } from './run-starter.ts';
import type { NewRun, Runs } from './runs.ts';

type FollowUpDeps = {
  readonly sql: Sql;
  readonly starter: ReturnType<typeof createRunStarter>;
  readonly get: Runs['get'];
};

const MAX_CONFLICTS = 1_000;

/** Runs that follow a finished one: its undo, its retry, or the resolution of its conflicts. */
export function createFollowUpRuns({
  sql,
  starter,
  get,
}: FollowUpDeps): Pick<Runs, 'revert' | 'retry' | 'retryOf' | 'resolve'> {
  return {
    async revert(caller, runId) {
      const { config_id, store_id, sheet_id, settings, layout } = await finished(caller.accountId, runId);
      const pair = { config_id, store_id, sheet_id, settings, layout } as const;
      return starter.follow(caller, { ...pair, trigger: 'revert', revertsRun: runId }, async (tx, id) => {
        const undos = (await createRunStore(tx).undosOf(caller.accountId, runId)).filter(
          (undo) => undo !== id,
        );
        const planned = await planRevert(tx, { fromRun: runId, toRun: id, undos });
        const [last] = undos;
        if (planned === 0 && last) throw new Fault('conflict.already_reverted', { run: last });
        if (planned === 0) throw new Fault('conflict.nothing_to_revert');
      });
    },

    retry: async (caller, runId, also) =>
      starter.create(caller, await retryOf(caller.accountId, runId), 'retry', also),

    retryOf,

    async resolve(caller, configId, resolutions) {
      const [first] = resolutions;
      if (!first) throw new Fault('not_found.sync_conflict', { key: '', field: '' });
      const [conflict] = await listConflicts(sql, caller.accountId, configId, MAX_CONFLICTS);
      if (!conflict) throw new Fault('not_found.sync_conflict', { key: first.key, field: first.field });
      const run = await get(caller.accountId, conflict.run_id);
      const { config_id, store_id, sheet_id, settings, layout } = run;
      const { changes, chosen } = resolveChanges(
        await openConflicts(sql, run.id),
        resolutions,
        await writingOf(run),
      );
      const pair = { config_id, store_id, sheet_id, settings, layout } as const;
      return starter.follow(caller, { ...pair, trigger: 'manual', revertsRun: null }, async (tx, id) => {
        await insertChanges(tx, id, caller.accountId, changes);
        await markResolved(tx, run.id, chosen);
      });
    },
  };

  async function retryOf(accountId: string, runId: string): Promise<NewRun> {
    const { config_id, request } = await finished(accountId, runId);
    const { initial, add_columns } = request;
    const again = { ...(initial && { initial }), ...(add_columns && { add_columns }) };
    return { config_id, request: { ...again, redo: runId } };
  }

  async function finished(accountId: string, runId: string): Promise<Run> {
    const run = await get(accountId, runId);
    if (!isFinished(run)) throw new Fault('conflict.sync_run_unfinished', { status: run.status });
    return run;
  }

  async function writingOf({ store_id, sheet_id }: Run) {
    const writing = await createRunStore(sql).writing(store_id, sheet_id);
    if (!writing) throw new Fault('not_found.sheet', { id: sheet_id });
    return { locale: writing.locale, scale: currencyScale(writing.currency) };
  }
}

const Last = z.object({ last: z.number().nullable() });

/** Changes that one statement reverts, well within the statement timeout. */
const CHUNK = 10_000;

/**
 * Plans for `toRun` what undoes the applied changes of `fromRun`, in the same batches, except for what earlier undos have
 * undone, unless those were undone themselves. How many there are.
 *
 * An item that was stocked at the location stays stocked, with a quantity of zero.
 *
 * A product that was created is archived, by one change: it is never deleted.
 *
 * An append becomes a clearing, a clearing an append. A cell that was entered otherwise than its value is written gets
 * that back, as `cell`. The baseline becomes what it was before the run: `from`, but for
 * quantities that had been merged, where it was s + h − m. The baseline that the merge had left after the store's part is
 * the sheet's h, so it follows from that; and while only the store is undone, the baseline is what the sheet still has.
 */
async function planRevert(
  tx: Tx,
  { fromRun, toRun, undos }: { fromRun: string; toRun: string; undos: readonly string[] },
): Promise<number> {
  const [found] = await tx`select max(seq)::int as last from sync_changes where run_id = ${fromRun}`;
  const last = Last.parse(found).last ?? 0;
  let planned = 0;
  for (let from = 0; from <= last; from += CHUNK) {
    const rows = await tx`
      with made as (
        select distinct on (product_id) seq from sync_changes
        where run_id = ${fromRun} and kind = 'create' and state = 'applied'
        order by product_id, field <> 'product_status', seq)
      insert into sync_changes (run_id, account_id, seq, key, row_no, variant_id, product_id, item_id, field, side,
        kind, from_value, to_value, base_value, batch, params)
      select ${toRun}, c.account_id, c.seq, c.key, c.row_no, c.variant_id, c.product_id, c.item_id,
        case c.kind when 'create' then 'product_status' else c.field end, c.side,
        case c.kind when 'append' then 'clear' when 'clear' then 'append' else 'set' end,
        case when c.kind = 'create' and c.field <> 'product_status' then 'draft' else c.to_value end,
        case when c.kind = 'create' then 'archived'
          when c.side = 'store' and starts_with(c.field, 'inventory_quantity') then coalesce(c.from_value, '0')
          else c.from_value end,
        case when p.seq is null or c.kind = 'create' then null
          when c.side = 'store' then p.to_value
          else (p.from_value::bigint + c.from_value::bigint - c.to_value::bigint)::text end,
        c.batch,
        c.params - '{try,was,cell}'::text[]
          || case when c.params ? 'was' then jsonb_build_object('cell', c.params -> 'was') else '{}' end
      from sync_changes c
      left join sync_changes p on p.run_id = c.run_id and p.key = c.key and p.field = c.field and p.side <> c.side
        and p.state = 'applied' and c.kind = 'set' and starts_with(c.field, 'inventory_quantity')
      where c.run_id = ${fromRun} and c.seq >= ${from} and c.seq < ${from + CHUNK} and c.state = 'applied'
        and c.key <> '' and c.field <> 'status'
        and (c.kind <> 'create' or c.seq in (select seq from made)) and not exists (
          select from sync_changes d
          where d.run_id = any(${[...undos]}::text[]) and d.seq = c.seq and d.state = 'applied' and not exists (
            select from sync_runs redo join sync_changes again on again.run_id = redo.id and again.seq = d.seq
            where redo.account_id = c.account_id and redo.reverts_run = d.run_id and again.state = 'applied'))`;
    planned += rows.count;
  }
  return planned;
}
