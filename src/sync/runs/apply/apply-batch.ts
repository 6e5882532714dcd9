import { isQuantity } from '../../values/field.ts';
import type { ApplyWork } from './apply.ts';
import { applyCreations } from './apply-creations.ts';
import { applyProducts } from './apply-products.ts';
import { applyQuantities } from './apply-quantities.ts';
import { applyToSheet } from './apply-to-sheet.ts';

/** Applies a batch, or the rest of one that an earlier attempt has begun. */
export async function applyBatch(work: ApplyWork, batch: number): Promise<void> {
  const first = await work.firstUnfinished(batch);
  if (!first) return;
  if (first.kind === 'create') return applyCreations(work, batch);
  if (first.side === 'sheet') return applyToSheet(work, batch);
  return isQuantity(first.field) ? applyQuantities(work, batch) : applyProducts(work, batch);
}
