import type { Change } from '../../change.ts';
import { settleMoved } from './apply-products.ts';
import { setQuantities } from './apply-quantities.ts';
import { isInDoubt, readPlace } from './apply-to-sheet.ts';
import type { ApplyWork } from './apply-work.ts';
import type { Settlement } from './settlement.ts';
import { type CellFate, decideRow } from './sheet-row.ts';

/** `mayAsk`: by the key of a write, which could set something if it has not arrived. Not where nothing goes to the store. */
type How = { readonly mayAsk: boolean };

/**
 * Finds out what became of writes of an earlier run whose answer was lost, so that the base tells how both sides really
 * stood: a quantity that had arrived would otherwise be taken for a change of the store's own, and count twice. Nothing is
 * written: what has not arrived is given up, and the run that asks plans it anew.
 */
export async function settleSent(work: ApplyWork, batches: readonly number[], how: How): Promise<void> {
  for (const batch of batches) {
    const changes = (await work.unfinished(batch)).filter(({ state }) => state === 'sent');
    if (changes.length > 0) await work.commit(batch, await settle(work, changes, how));
  }
}

async function settle(work: ApplyWork, changes: readonly Change[], how: How): Promise<Settlement[]> {
  const [first] = changes;
  if (first?.side === 'sheet') return settleCells(work, changes);
  if (first?.field === 'inventory_quantity') return settleQuantities(work, changes, how);
  return closed(changes, await settleMoved(work, changes));
}

/**
 * Of a quantity that is neither what it was nor what it was to become, only the store can tell: asked by the same key, it
 * answers what it did with the write. That is done where none is what it was, so that it sets nothing now. Where some are,
 * and none is what it was to become, the write as a whole has not arrived.
 */
async function settleQuantities(
  work: ApplyWork,
  changes: readonly Change[],
  { mayAsk }: How,
): Promise<Settlement[]> {
  const { sides, signal } = work;
  const ids = changes.flatMap(({ variantId }) => variantId ?? []);
  const read = await sides.store.variants(ids, sides.locationId, signal);
  const available = new Map(read.map((variant) => [variant.itemId, variant.available]));
  const fates = changes.map((change) => fateOf(change, available.get(change.itemId ?? '')));
  const isAny = (fate: QuantityFate) => fates.includes(fate);
  if (mayAsk && isAny('moved') && !isAny('unchanged'))
    return setQuantities(work, changes, { resumed: true, leaveMoved: true });
  const isLost = isAny('unchanged') && !isAny('there');
  return changes.map(({ seq }, nth): Settlement => {
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

async function settleCells(work: ApplyWork, changes: readonly Change[]): Promise<Settlement[]> {
  const rows = [...Map.groupBy(changes, ({ row }) => row ?? 0)];
  const { entered, place } = await readPlace(work, rows);
  return rows.flatMap(([row, own]) => {
    const fate = decideRow(own, entered.get(row) ?? [], place);
    return own.map((change) => settleCell(change, fate === 'taken' ? undefined : fate.get(change.seq)));
  });
}

function settleCell(change: Change, fate: CellFate | undefined): Settlement {
  const { seq } = change;
  if (fate?.is === 'there') return { seq, state: 'applied' };
  const code = fate?.is === 'held' ? fate.code : 'sheet_changed';
  return { seq, state: 'skipped', code, inDoubt: fate?.is === 'held' && isInDoubt(change, code) };
}

/** What is not known to have arrived is given up: the run that asks plans it anew. */
function closed(changes: readonly Change[], settled: readonly Settlement[]): Settlement[] {
  const known = new Set(settled.map(({ seq }) => seq));
  const rest = changes.filter(({ seq }) => !known.has(seq));
  return [
    ...settled,
    ...rest.map(({ seq }): Settlement => ({ seq, state: 'skipped', code: 'store_changed' })),
  ];
}
