import type { Outcome, ProductChange } from '../../sync/ports/store.ts';
import { atMost } from './at-most.ts';
import { MUTATIONS, type Refusals, refusalsOf, type Step, StepAnswers, stepsOf } from './product-steps.ts';
import type { Shop } from './shop.ts';
import { updateInBulk } from './update-in-bulk.ts';

/** More products than these are changed by a bulk operation, which costs no points. */
const DIRECT_MOST = 2000;
const IN_FLIGHT = 4;

/** Changes variants and titles, by one call a product or, where there are many, by files. */
export async function updateProducts(
  shop: Shop,
  changes: readonly ProductChange[],
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  const products = changes.map(stepsOf);
  const done =
    changes.length > DIRECT_MOST
      ? await updateInBulk(shop, products.flat(), signal)
      : new Map<Step, Refusals>();
  // Of the steps of one product, one at a time.
  await atMost(IN_FLIGHT, products, async (steps) => {
    for (const step of steps) if (!done.has(step)) done.set(step, await send(shop, step, signal));
  });
  return products.map((steps) => outcomeOf(steps.flatMap((step) => [...(done.get(step) ?? [])])));
}

async function send(shop: Shop, step: Step, signal: AbortSignal): Promise<Refusals> {
  const { query } = MUTATIONS[step.kind];
  const answer = StepAnswers[step.kind];
  const { userErrors } = await shop.ask({ query, variables: () => step.variables, answer }, signal);
  return refusalsOf(step, userErrors);
}

function outcomeOf(refusals: readonly (readonly [string, { code: string; message: string }])[]): Outcome {
  const [first] = refusals;
  return first ? { state: 'refused', ...first[1], parts: new Map(refusals) } : { state: 'applied' };
}
