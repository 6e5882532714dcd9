import { z } from 'zod';
import type { Sql, Tx } from '../../../platform/database/database.ts';
import type { Attempt } from '../../../platform/work/attempt.ts';
import type { Change } from '../../change.ts';
import type { Sides } from '../../plan/plan.ts';
import { chunked } from '../../statement-size.ts';
import { isQuantity } from '../../values/field.ts';
import { foldKey } from '../../values/sync-key.ts';
import type { ExecuteDeps } from '../execute/execute.ts';
import { createRunStore } from '../repositories/run-repo.ts';
import type { Run } from '../run.ts';
import { type ApplyWork, commitGroups, createApplyWork, layoutOf } from './apply.ts';
import { reconcileCreations } from './apply-creations.ts';
import { reconcileChanged } from './apply-products.ts';
import { readQuantities, setQuantities } from './apply-quantities.ts';
import { isInDoubt, placeIn } from './apply-to-sheet.ts';
import type { ChangeOutcome } from './change-outcome.ts';
import { holdMisplaced } from './hold-misplaced.ts';
import { type CellFate, decideRow } from './sheet-row.ts';

type Owned = { readonly owner: Run; readonly sides: Sides; readonly attempt: Attempt };

/**
 * Reconciles the in-doubt writes of ended runs of the same store and sheet: those that were sent without a response. True
 * when there were any: an earlier plan is then outdated.
 */
export async function reconcileInDoubt(
  deps: ExecuteDeps,
  { owner, sides, attempt }: Owned,
): Promise<boolean> {
  const ids = await listInDoubt(deps.sql, owner);
  for (const id of ids) {
    attempt.signal.throwIfAborted();
    const run = await createRunStore(deps.sql).find(owner.account_id, id);
    if (!run) continue;
    const locationId = run.settings.options.location_id ?? sides.locationId;
    const work = createApplyWork(deps, { run, owner, sides: { ...sides, locationId }, attempt });
    await reconcileRun(work, await sentBatches(deps.sql, id), {
      mayRepeat: owner.direction !== 'store_to_sheet',
    });
    await closeInDoubt(deps.sql, id);
    await deps.planner.deleteReads(id);
  }
  return ids.length > 0;
}

const Id = z.object({ id: z.string() });
const Batch = z.object({ batch: z.number() });

/** Ended runs of this store and sheet with in-doubt writes: sent, without a response. The oldest first. */
async function listInDoubt(sql: Sql | Tx, { account_id, store_id, sheet_id }: Run): Promise<string[]> {
  const rows = await sql`
    select id from sync_runs
    where account_id = ${account_id} and store_id = ${store_id} and sheet_id = ${sheet_id}
      and finished_at is not null and counts ? 'sent'
    order by seq`;
  return z
    .array(Id)
    .parse(rows)
    .map(({ id }) => id);
}

async function sentBatches(sql: Sql | Tx, runId: string): Promise<number[]> {
  const rows = await sql`
    select distinct batch from sync_changes where run_id = ${runId} and state = 'sent' order by batch`;
  return z
    .array(Batch)
    .parse(rows)
    .map(({ batch }) => batch);
}

/** Closes the in-doubt writes of a run: later runs no longer check them. */
async function closeInDoubt(sql: Sql | Tx, runId: string): Promise<void> {
  await sql`
    update sync_changes set state = 'skipped', code = case side when 'store' then 'store_changed' else 'sheet_changed' end
    where run_id = ${runId} and state = 'sent'`;
  await sql`update sync_runs set counts = counts - 'sent' where id = ${runId}`;
}

/** `mayRepeat`: a write with its key, which could set something if it has not arrived. Not where the run writes no store. */
type How = { readonly mayRepeat: boolean };

/**
 * Reconciles the in-doubt writes of one run, so that the baseline is right: a quantity that had arrived would otherwise
 * look like a change made in the store, and count twice. If the store or the sheet has the target value, the write
 * succeeded. Nothing is written: what did not arrive is skipped, and the current run plans it again.
 */
async function reconcileRun(work: ApplyWork, batches: readonly number[], how: How): Promise<void> {
  for (const batch of batches) {
    const changes = (await work.unfinished(batch)).filter(({ state }) => state === 'sent');
    if (changes.length > 0) await commitGroups(work, batch, await reconcileBatch(work, changes, how));
  }
}

/** The outcomes that are committed together: those of a row, and of all quantities, which are judged by each other. */
async function reconcileBatch(
  work: ApplyWork,
  changes: readonly Change[],
  how: How,
): Promise<ChangeOutcome[][]> {
  const [first] = changes;
  if (first?.kind === 'create') return chunked(await reconcileCreations(work, changes), work.writeRows);
  if (first?.side === 'sheet') return reconcileCells(work, first.batch, changes);
  if (first && isQuantity(first.field)) return [await reconcileQuantities(work, changes, how)];
  return chunked(closed(changes, await reconcileChanged(work, changes)), work.writeRows);
}

/**
 * A quantity that has neither its old nor its target value is in doubt: only the store knows whether it was set before it
 * changed again. Repeating the write with the same key returns its outcome; that is safe where no quantity has its old
 * value, so that nothing is set now. Where some have, and none has its target value, the write did not arrive at all.
 */
async function reconcileQuantities(
  work: ApplyWork,
  changes: readonly Change[],
  { mayRepeat }: How,
): Promise<ChangeOutcome[]> {
  const available = await readQuantities(work, changes);
  const fates = changes.map((change) => fateOf(change, available(change)));
  const isAny = (fate: QuantityFate) => fates.includes(fate);
  if (mayRepeat && isAny('changed') && !isAny('unchanged'))
    return setQuantities(work, changes, { resumed: true, keepConcurrent: true });
  const isLost = isAny('unchanged') && !isAny('there');
  return changes.map(({ seq }, nth): ChangeOutcome => {
    if (fates[nth] === 'there') return { seq, state: 'applied' };
    const inDoubt = fates[nth] === 'changed' && !isLost;
    return { seq, state: 'skipped', code: 'store_changed', inDoubt };
  });
}

type QuantityFate = 'there' | 'unchanged' | 'changed';

function fateOf({ from, to }: Change, available: number | null): QuantityFate {
  const now = String(available ?? '');
  if (now === to) return 'there';
  // What was not stocked has nothing until its quantity is set.
  if (from === null) return available ? 'changed' : 'unchanged';
  return now === from ? 'unchanged' : 'changed';
}

/** Rows are found by their keys: people may have moved them since. */
async function reconcileCells(
  work: ApplyWork,
  batch: number,
  changes: readonly Change[],
): Promise<ChangeOutcome[][]> {
  const tab = await work.sides.sheet.readAllEntered(layoutOf(work.run).tab, work.signal);
  const found = await holdMisplaced(work, batch, changes, tab);
  const rows = [...Map.groupBy(changes, ({ key, row }) => found.get(foldKey(key)) ?? row ?? 0)];
  const { entered, place } = await placeIn(work, rows, tab);
  return rows.map(([row, own]) => {
    const fate = decideRow(own, entered.get(row) ?? [], place);
    return own.map((change) => reconcileCell(change, fate === 'taken' ? undefined : fate.get(change.seq)));
  });
}

function reconcileCell(change: Change, fate: CellFate | undefined): ChangeOutcome {
  const { seq } = change;
  if (fate?.is === 'there') return { seq, state: 'applied' };
  const code = fate?.is === 'held' ? fate.code : 'sheet_changed';
  return { seq, state: 'skipped', code, inDoubt: fate?.is === 'held' && isInDoubt(change, code) };
}

/** What is not known to have arrived is skipped: the current run plans it again. */
function closed(changes: readonly Change[], settled: readonly ChangeOutcome[]): ChangeOutcome[] {
  const known = new Set(settled.map(({ seq }) => seq));
  const rest = changes.filter(({ seq }) => !known.has(seq));
  return [
    ...settled,
    ...rest.map(({ seq }): ChangeOutcome => ({ seq, state: 'skipped', code: 'store_changed' })),
  ];
}
