import type { Change } from '../../change.ts';
import type { NewKey, NewProduct, NewProductOutcome, NewVariant } from '../../ports/store-client.ts';
import { chunked } from '../../statement-size.ts';
import { isQuantity, placeOf } from '../../values/field.ts';
import { type ApplyWork, batchKey, commitGroups } from './apply.ts';
import { productChange } from './apply-products.ts';
import { rejected } from './apply-quantities.ts';
import type { ChangeOutcome } from './change-outcome.ts';
import { findImages, imageApplied, imageFailed, type ProductImages } from './product-images.ts';

/**
 * Creates the products of a batch. After a crash they are found again by their handles: a product that has all
 * the variants of its rows is the one that was sent. A product that exists before anything was sent belongs to
 * someone else.
 */
export async function applyCreations(work: ApplyWork, batch: number): Promise<void> {
  const { run, sides, signal } = work;
  const changes = await work.unfinished(batch);
  if (changes.length === 0) return;
  await work.send(batch, changes);
  const groups = groupsOf(changes);
  const { images, missing } = await findImages(work, changes);
  const products = groups.map((own) => ({ ...newProduct(own, work, images), sentBefore: own.some(isSent) }));
  const write = { key: batchKey(run.id, batch, 'create'), reference: run.id, signal, by: keyOf(work) };
  const outcomes = await sides.store.createProducts(products, write);
  const settled = groups.flatMap((own, nth) => own.map((change) => settle(change, outcomes[nth], missing)));
  await commitGroups(work, batch, chunked(settled, work.writeRows));
}

/** The outcomes of products that an ended run had sent: what did not arrive is skipped, and planned again. */
export async function reconcileCreations(
  work: ApplyWork,
  changes: readonly Change[],
): Promise<ChangeOutcome[]> {
  const groups = groupsOf(changes);
  const { images, missing } = await findImages(work, changes);
  const products = groups.map((own) => newProduct(own, work, images));
  const found = await work.sides.store.createdProducts(products, keyOf(work), work.signal);
  return groups.flatMap((own, nth) => own.map((change) => settle(change, found[nth], missing)));
}

function isSent({ state }: Change): boolean {
  return state === 'sent';
}

function groupsOf(changes: readonly Change[]): Change[][] {
  return [...Map.groupBy(changes, handleOf).values()];
}

/** Written by the planner. */
function handleOf({ params }: Change): string {
  return String(params?.['handle'] ?? '');
}

function keyOf({ run }: ApplyWork): NewKey {
  const { key } = run.settings.options;
  return key === 'variant_id' ? 'sku' : key;
}

function newProduct(
  changes: readonly Change[],
  work: ApplyWork,
  images: ProductImages['images'],
): NewProduct {
  const [first] = changes;
  const own = changes.filter(({ field }) => field !== 'handle');
  // The rows are told apart by their keys, until the store has given ids.
  const keyed = own.map((change) => ({ ...change, variantId: change.key }));
  const { title = '', more, image, variants } = productChange('', keyed, images);
  const fields = new Map(variants.map((variant) => [variant.variantId, variant]));
  const keys = [...new Set(changes.map(({ key }) => key))];
  return {
    handle: first ? handleOf(first) : '',
    title,
    ...(more && { more }),
    ...(image && { image }),
    variants: keys.map((key): NewVariant => {
      const { variantId: _, ...known } = fields.get(key) ?? { variantId: key };
      const by = keyOf(work);
      return {
        ...known,
        ...(by !== 'handle' && { [by]: key }),
        key,
        quantities: quantitiesOf(own, key, work),
      };
    }),
  };
}

function quantitiesOf(
  changes: readonly Change[],
  key: string,
  { sides }: ApplyWork,
): NewVariant['quantities'] {
  return changes.flatMap(({ key: own, field, to }) =>
    own === key && isQuantity(field)
      ? [{ locationId: placeOf(field) ?? sides.locationId, quantity: Number(to) }]
      : [],
  );
}

/** `missing`: of pictures that are nowhere. */
function settle(
  change: Change,
  outcome: NewProductOutcome | undefined,
  missing: readonly ChangeOutcome[],
): ChangeOutcome {
  const { seq, params } = change;
  switch (outcome?.state) {
    case 'made':
      return settleMade(change, outcome, missing);
    case 'taken':
      return { seq, state: 'failed', code: 'create_taken', params: { product: String(params?.['handle']) } };
    case 'refused':
      return rejected(seq, outcome);
    case undefined:
      return { seq, state: 'skipped', code: 'store_changed' };
  }
}

function settleMade(
  { seq, key, field }: Change,
  { variants, productId, image }: Extract<NewProductOutcome, { state: 'made' }>,
  missing: readonly ChangeOutcome[],
): ChangeOutcome {
  const ids = variants.get(key);
  if (!ids) return { seq, state: 'skipped', code: 'store_changed' };
  const made = { ...ids, productId };
  if (field !== 'image') return { seq, state: 'applied', made };
  const lost = missing.find((one) => one.seq === seq);
  if (lost) return lost;
  if (!image) return { seq, state: 'skipped', code: 'store_changed' };
  return 'refusal' in image
    ? imageFailed(seq, image.refusal.message)
    : { ...imageApplied(seq, image.url), made };
}
