import { z } from 'zod';
import type { Sql, Tx } from '../../../platform/database.ts';
import type { Attempt } from '../../../platform/work/attempt.ts';
import type { Change } from '../../change.ts';
import type { Sides } from '../../plan/plan.ts';
import type { ExecuteParts } from '../execute/execute-run.ts';
import { createRunStore } from '../repositories/run-repository.ts';
import type { Run } from '../run.ts';
import { type ApplyWork, createApplyWork } from './apply.ts';
import { reconcileChanged } from './apply-products.ts';
import { setQuantities } from './apply-quantities.ts';
import { isInDoubt, readPlace } from './apply-to-sheet.ts';
import type { ChangeOutcome } from './change-outcome.ts';
import { type CellFate, decideRow } from './sheet-row.ts';

type Held = { readonly owner: Run; readonly sides: Sides; readonly attempt: Attempt };

/**
 * Finds out what became of the writes that earlier runs of the same store and sheet had lost the answer to. True when
 * there were any: a plan that was made before is then of before.
 */
export async function reconcileInDoubt(
  parts: ExecuteParts,
  { owner, sides, attempt }: Held,
): Promise<boolean> {
  const ids = await listInDoubt(parts.sql, owner);
  for (const id of ids) {
    attempt.signal.throwIfAborted();
    const run = await createRunStore(parts.sql).find(owner.account_id, id);
    if (!run) continue;
    const locationId = run.settings.options.location_id ?? sides.locationId;
    const work = createApplyWork(parts, { run, owner, sides: { ...sides, locationId }, attempt });
    await reconcileRun(work, await sentBatches(parts.sql, id), {
      mayAsk: owner.direction !== 'store_to_sheet',
    });
    await closeInDoubt(parts.sql, id);
    await parts.planner.deleteReads(id);
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

/** `mayAsk`: by the key of a write, which could set something if it has not arrived. Not where nothing goes to the store. */
type How = { readonly mayAsk: boolean };

/**
 * Finds out what became of writes of an earlier run whose answer was lost, so that the base tells how both sides really
 * stood: a quantity that had arrived would otherwise be taken for a change of the store's own, and count twice. Nothing is
 * written: what has not arrived is given up, and the run that asks plans it anew.
 */
async function reconcileRun(work: ApplyWork, batches: readonly number[], how: How): Promise<void> {
  for (const batch of batches) {
    const changes = (await work.unfinished(batch)).filter(({ state }) => state === 'sent');
    if (changes.length > 0) await work.commit(batch, await settle(work, changes, how));
  }
}

async function settle(work: ApplyWork, changes: readonly Change[], how: How): Promise<ChangeOutcome[]> {
  const [first] = changes;
  if (first?.side === 'sheet') return reconcileCells(work, changes);
  if (first?.field === 'inventory_quantity') return reconcileQuantities(work, changes, how);
  return closed(changes, await reconcileChanged(work, changes));
}

/**
 * Of a quantity that is neither what it was nor what it was to become, only the store can tell: asked by the same key, it
 * answers what it did with the write. That is done where none is what it was, so that it sets nothing now. Where some are,
 * and none is what it was to become, the write as a whole has not arrived.
 */
async function reconcileQuantities(
  work: ApplyWork,
  changes: readonly Change[],
  { mayAsk }: How,
): Promise<ChangeOutcome[]> {
  const { sides, signal } = work;
  const ids = changes.flatMap(({ variantId }) => variantId ?? []);
  const read = await sides.store.variants(ids, sides.locationId, signal);
  const available = new Map(read.map((variant) => [variant.itemId, variant.available]));
  const fates = changes.map((change) => fateOf(change, available.get(change.itemId ?? '')));
  const isAny = (fate: QuantityFate) => fates.includes(fate);
  if (mayAsk && isAny('moved') && !isAny('unchanged'))
    return setQuantities(work, changes, { resumed: true, keepConcurrent: true });
  const isLost = isAny('unchanged') && !isAny('there');
  return changes.map(({ seq }, nth): ChangeOutcome => {
    if (fates[nth] === 'there') return { seq, state: 'applied' };
    const inDoubt = fates[nth] === 'moved' && !isLost;
    return { seq, state: 'skipped', code: 'store_changed', inDoubt };
  });
}

type QuantityFate = 'there' | 'unchanged' | 'moved';

function fateOf({ from, to }: Change, available: number | null | undefined): QuantityFate {
  const now = String(available ?? '');
  if (now === to) return 'there';
  return now === from ? 'unchanged' : 'moved';
}

async function reconcileCells(work: ApplyWork, changes: readonly Change[]): Promise<ChangeOutcome[]> {
  const rows = [...Map.groupBy(changes, ({ row }) => row ?? 0)];
  const { entered, place } = await readPlace(work, rows);
  return rows.flatMap(([row, own]) => {
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

/** What is not known to have arrived is given up: the run that asks plans it anew. */
function closed(changes: readonly Change[], settled: readonly ChangeOutcome[]): ChangeOutcome[] {
  const known = new Set(settled.map(({ seq }) => seq));
  const rest = changes.filter(({ seq }) => !known.has(seq));
  return [
    ...settled,
    ...rest.map(({ seq }): ChangeOutcome => ({ seq, state: 'skipped', code: 'store_changed' })),
  ];
}
