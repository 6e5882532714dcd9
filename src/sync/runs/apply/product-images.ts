import { readAssetReference } from '../../../platform/asset-reference.ts';
import type { Change } from '../../change.ts';
import type { ProductImage } from '../../ports/store-images.ts';
import type { ApplyWork } from './apply.ts';
import type { ChangeOutcome } from './change-outcome.ts';

/** The pictures of changes by what their cells say, and the changes whose picture is nowhere. */
export type ProductImages = {
  readonly images: ReadonlyMap<string, ProductImage>;
  readonly missing: readonly ChangeOutcome[];
};

/** Finds where the store can fetch the pictures that changes name: a reference to a file of the account is its public address. */
export async function findImages({ sides }: ApplyWork, changes: readonly Change[]): Promise<ProductImages> {
  const own = changes.filter(({ field }) => field === 'image');
  const names = new Map(
    own.flatMap(({ to }) => (to === null ? [] : [[to, readAssetReference(to)] as const])),
  );
  const references = [...new Set([...names.values()].filter((name) => name !== undefined))];
  const addresses = references.length > 0 ? await sides.addressesOf?.(references) : undefined;
  const images = new Map<string, ProductImage>();
  for (const [text, name] of names) {
    const source = name === undefined ? text : addresses?.get(name)?.url;
    if (source !== undefined) images.set(text, { text, source });
  }
  return { images, missing: own.flatMap((change) => missingOf(change, images)) };
}

/** A product that had no picture keeps the one it has: none is ever taken off. */
function missingOf({ seq, to }: Change, images: ProductImages['images']): ChangeOutcome[] {
  if (to === null) return [{ seq, state: 'failed', code: 'cannot_clear' }];
  return images.has(to) ? [] : [{ seq, state: 'failed', code: 'image_not_found', params: { reference: to } }];
}

/** `reason`: the store's own words. */
export function imageFailed(seq: number, reason: string): ChangeOutcome {
  return { seq, state: 'failed', code: 'image_failed', params: { reason } };
}

/** `now` absent or null: the store has no address yet, and the next run finds it. */
export function imageApplied(
  seq: number,
  now: string | null | undefined,
): Extract<ChangeOutcome, { state: 'applied' }> {
  return { seq, state: 'applied', ...(now != null && { now }) };
}
