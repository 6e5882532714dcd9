import type { Change } from '../../change.ts';
import { fieldsIn } from '../../config.ts';
import type {
  Outcome,
  ProductChange,
  Refusal,
  StoreVariant,
  VariantChange,
  WeightUnit,
} from '../../ports/store-client.ts';
import { PENDING_IMAGE } from '../../ports/store-fields.ts';
import { isCopyOf } from '../../ports/store-images.ts';
import { chunked } from '../../statement-size.ts';
import { type StoreField, specOf } from '../../values/field.ts';
import { currencyScale, storeValue, variantFields } from '../../values/value.ts';
import { planAgeMs } from '../execute/plan-outcome.ts';
import { type ApplyWork, batchKey, commitGroups } from './apply.ts';
import { rejected } from './apply-quantities.ts';
import type { ChangeOutcome } from './change-outcome.ts';
import { findImages, imageApplied, imageFailed, type ProductImages } from './product-images.ts';

/** A plan this old is no longer trusted: what it is to change is read once more. */
const OLD_MS = 60_000;

/** Changes what a batch says of products and variants: what is not a quantity. */
export async function applyProducts(work: ApplyWork, batch: number): Promise<void> {
  const changes = await work.unfinished(batch);
  if (changes.length === 0) return;
  const resumed = changes.some(({ state }) => state === 'sent');
  await work.send(batch, changes);
  const isOld = resumed || planAgeMs(work.run, work.now()) > OLD_MS;
  const settled = isOld ? await reconcileChanged(work, changes) : [];
  const known = new Set(settled.map(({ seq }) => seq));
  const rest = changes.filter(({ seq }) => !known.has(seq));
  const { images, missing } = await findImages(work, rest);
  const lost = new Set(missing.map(({ seq }) => seq));
  const sent = rest.filter(({ seq }) => !lost.has(seq));
  const outcomes = [...settled, ...missing, ...(await update(work, batch, sent, images))];
  await commitGroups(work, batch, chunked(outcomes, work.writeRows));
}

/** Changes that the store already has, and changes whose old value is no longer there. */
export async function reconcileChanged(
  { run, sides, signal }: ApplyWork,
  changes: readonly Change[],
): Promise<ChangeOutcome[]> {
  const ids = [...new Set(changes.flatMap(({ variantId }) => variantId ?? []))];
  const read = await sides.store.variants(ids, sides.locationId, signal, fieldsToRead(run, changes));
  const variants = new Map(read.map((variant) => [variant.variantId, variant]));
  const scale = currencyScale(sides.currency);
  return changes.flatMap((change) => reconcileRead(change, variants.get(change.variantId ?? ''), scale));
}

/** An undo may change the status of a product, which no column has. */
function fieldsToRead({ settings }: ApplyWork['run'], changes: readonly Change[]): StoreField[] {
  const own = changes.flatMap(({ field }) => (field === 'key' || field === 'status' ? [] : [field]));
  return [...new Set([...fieldsIn(settings), ...own])];
}

function reconcileRead(change: Change, variant: StoreVariant | undefined, scale: number): ChangeOutcome[] {
  const { seq, field } = change;
  const moved = { seq, state: 'skipped', code: 'store_changed' } as const;
  if (!variant || field === 'key' || field === 'status') return [moved];
  const now = storeValue(field, variant, scale);
  if (now === change.to) return [{ seq, state: 'applied' }];
  if (field === 'image' && isCopyOf(now, change.to)) return [imageApplied(seq, now)];
  // It may be the very one that was sent: setImage waits for it.
  if (field === 'image' && now === PENDING_IMAGE) return [];
  return now === change.from ? [] : [moved];
}

async function update(
  { run, sides, signal }: ApplyWork,
  batch: number,
  changes: readonly Change[],
  images: ProductImages['images'],
): Promise<ChangeOutcome[]> {
  if (changes.length === 0) return [];
  const products = [...Map.groupBy(changes, ({ productId }) => productId ?? '')];
  const asked = products.map(([productId, own]) => productChange(productId, own, images));
  const key = batchKey(run.id, batch, asked);
  const outcomes = await sides.store.updateProducts(asked, { key, reference: run.id, signal });
  return products.flatMap(([, own], nth) => {
    const outcome = outcomes[nth];
    return own.map((change) => settle(change, outcome));
  });
}

function settle(change: Change, outcome: Outcome | undefined): ChangeOutcome {
  const { seq, field } = change;
  const isImage = field === 'image';
  switch (outcome?.state) {
    case 'applied':
      return isImage ? imageApplied(seq, outcome.image) : { seq, state: 'applied' };
    case 'refused': {
      const refusal = refusalOf(change, outcome);
      if (!refusal) return isImage ? imageApplied(seq, outcome.image) : { seq, state: 'applied' };
      return isImage ? imageFailed(seq, refusal.message) : rejected(seq, refusal);
    }
    case 'stale':
    case undefined:
      return { seq, state: 'skipped', code: 'store_changed' };
  }
}

/** Undefined: it was applied, and something else of its product was refused. */
function refusalOf(
  { field, variantId }: Change,
  outcome: Extract<Outcome, { state: 'refused' }>,
): Refusal | undefined {
  if (!outcome.parts) return outcome;
  return outcome.parts.get(isOfProduct(field) ? field : (variantId ?? ''));
}

export function productChange(
  productId: string,
  changes: readonly Change[],
  images: ProductImages['images'],
): ProductChange {
  const own = changes.filter(({ field }) => isOfProduct(field)).map(fieldsOf);
  const title = own.find((fields) => fields.title !== undefined)?.title;
  const more = mergedMore(own);
  const image = images.get(changes.find(({ field }) => field === 'image')?.to ?? '');
  const byVariant = Map.groupBy(
    changes.filter(({ field }) => !isOfProduct(field)),
    ({ variantId }) => variantId ?? '',
  );
  const variants = [...byVariant].flatMap(([variantId, some]) => {
    const fields = variantChange(some);
    return variantId === '' || Object.keys(fields).length === 0 ? [] : [{ ...fields, variantId }];
  });
  const said = { ...(title !== undefined && { title }), ...(more && { more }), ...(image && { image }) };
  return { productId, ...said, variants };
}

/** Of a weight and its unit that both change, each says its own part. */
function variantChange(changes: readonly Change[]): Omit<VariantChange, 'variantId'> {
  const said = changes.map((change) => ({ field: change.field, ...fieldsOf(change) }));
  const weights = said.flatMap(({ field, weight }) => (weight ? [[field, weight] as const] : []));
  const value = weights.find(([field]) => field !== 'weight_unit')?.[1] ?? weights[0]?.[1];
  const unit = weights.find(([field]) => field === 'weight_unit')?.[1].unit ?? value?.unit;
  const more = mergedMore(said);
  const { field: _, title: __, ...fields } = Object.assign({}, ...said);
  return { ...fields, ...(value && unit && { weight: { value: value.value, unit } }), ...(more && { more }) };
}

function mergedMore(said: readonly Pick<ProductChange, 'more'>[]): ProductChange['more'] {
  const all = Object.assign({}, ...said.map(({ more }) => more));
  return Object.keys(all).length > 0 ? all : undefined;
}

function isOfProduct(field: Change['field']): boolean {
  return field !== 'key' && field !== 'status' && specOf(field).level === 'product';
}

function fieldsOf({ field, to, params }: Change) {
  if (field === 'key' || field === 'status') return {};
  // Written by the planner, from what the store said.
  const unit = (params?.['unit'] ?? null) as WeightUnit | null;
  const weight = params?.['weight'];
  return variantFields(field, to, unit, weight === undefined ? null : String(weight));
}
