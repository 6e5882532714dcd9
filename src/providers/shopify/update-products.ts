import type { ImageOutcome, Outcome, ProductChange, Refusal } from '../../sync/ports/store-client.ts';
import { readMetafieldTypes } from './metafield-types.ts';
import { MUTATIONS, type Refusals, refusalsOf, type Step, StepResponses, stepsOf } from './product-steps.ts';
import { setImage } from './set-image.ts';
import type { Shop } from './shop-client.ts';
import { updateInBulk } from './update-in-bulk.ts';

/** More products than these are changed by a bulk operation, which costs no points. */
const MAX_DIRECT = 2000;
/** So are those that would wait longer than this for points. */
const WAIT_SECONDS = 20;
const CONCURRENCY = 4;

/** As far as the store has said: products that take more than one call count once. */
export function directProducts(shop: Shop): number {
  return Math.min(MAX_DIRECT, shop.allowedWithin(WAIT_SECONDS, MUTATIONS.variants.query));
}

/** Changes products and their variants, by one call a product or, where there are many, by files. */
export async function updateProducts(
  shop: Shop,
  changes: readonly ProductChange[],
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  const typeOf = await readMetafieldTypes(shop, changes, signal);
  const products = changes.map((change) => stepsOf(change, typeOf));
  const done =
    changes.length > directProducts(shop)
      ? await updateInBulk(shop, products.flat(), signal)
      : new Map<Step, Refusals>();
  // Of the steps of one product, one at a time.
  return mapBounded(CONCURRENCY, [...products.entries()], async ([nth, steps]) => {
    for (const step of steps) {
      const refusals = done.get(step) ?? (await send(shop, step, signal));
      done.set(step, refusals.size > 0 ? await sendAlone(shop, step, refusals, signal) : refusals);
    }
    const { productId, image } = changes[nth] ?? { productId: '' };
    const set = image && (await setImage(shop, productId, image, signal));
    return outcomeOf(
      steps.flatMap((step) => [...(done.get(step) ?? [])]),
      set,
    );
  });
}

async function send(shop: Shop, step: Step, signal: AbortSignal): Promise<Refusals> {
  const { query } = MUTATIONS[step.kind];
  const response = StepResponses[step.kind];
  const { userErrors } = await shop.request({ query, variables: () => step.variables, response }, signal);
  return refusalsOf(step, userErrors);
}

/** What the store rejected as a whole is sent in parts, so that the others of its fields are not held up by one. */
async function sendAlone(shop: Shop, step: Step, refusals: Refusals, signal: AbortSignal): Promise<Refusals> {
  if (!step.alone) return refusals;
  const all = new Map<string, Refusal>();
  for (const part of step.alone)
    for (const [name, refusal] of await send(shop, part, signal)) all.set(name, refusal);
  return all;
}

function outcomeOf(
  refusals: readonly (readonly [string, Refusal])[],
  set: ImageOutcome | undefined,
): Outcome {
  const all = set && 'refusal' in set ? [...refusals, ['image', set.refusal] as const] : refusals;
  const image = set && 'url' in set && set.url !== null ? { image: set.url } : {};
  const [first] = all;
  return first
    ? { state: 'refused', ...first[1], parts: new Map(all), ...image }
    : { state: 'applied', ...image };
}

/**
 * Runs for every item, `limit` at the same time; the results have the order of the items. After a failure it starts no more,
 * and throws once the others end.
 */
export async function mapBounded<T, R>(
  limit: number,
  items: readonly T[],
  run: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  let failed = false;
  const worker = async () => {
    for (const [nth, item] of queue) {
      if (failed) return;
      results[nth] = await run(item).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: limit }, worker));
  for (const { status, ...end } of ended) if (status === 'rejected' && 'reason' in end) throw end.reason;
  return results;
}
