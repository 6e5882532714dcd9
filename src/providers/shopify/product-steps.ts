import { z } from 'zod';
import type { ProductChange, Refusal, VariantChange } from '../../sync/ports/store-client.ts';
import { UPDATE_PRODUCT, UPDATE_VARIANTS } from './operations.ts';
import { indexAfter, type UserError, UserErrors } from './read-reply.ts';

/** One mutation of one product. `parts` are what it changes: variants by their ids, or the title by the product's. */
export type Step = {
  readonly kind: keyof typeof MUTATIONS;
  readonly parts: readonly string[];
  readonly variables: Record<string, unknown>;
};

/** The parts of a step that the store rejected, and why. */
export type Refusals = ReadonlyMap<string, Refusal>;

export const MUTATIONS = {
  variants: { query: UPDATE_VARIANTS, field: 'productVariantsBulkUpdate' },
  title: { query: UPDATE_PRODUCT, field: 'productUpdate' },
} as const;

/** The most entries a list of an input may have. */
const MAX_VARIANTS = 250;

/** The mutations that change a product. */
export function stepsOf({ productId, title, variants }: ProductChange): Step[] {
  const steps: Step[] = [];
  for (let from = 0; from < variants.length; from += MAX_VARIANTS) {
    const some = variants.slice(from, from + MAX_VARIANTS);
    const variables = { productId, variants: some.map(inputOf) };
    steps.push({ kind: 'variants', parts: some.map(({ variantId }) => variantId), variables });
  }
  if (title !== undefined)
    steps.push({ kind: 'title', parts: [productId], variables: { product: { id: productId, title } } });
  return steps;
}

/** Fields that are undefined are omitted from the JSON, and stay as they are. */
function inputOf({ variantId, sku, price, barcode, taxable, requiresShipping, weight }: VariantChange) {
  const item = { sku, requiresShipping, measurement: weight && { weight } };
  const changesItem = Object.values(item).some((value) => value !== undefined);
  return { id: variantId, price, barcode, taxable, inventoryItem: changesItem ? item : undefined };
}

const Payload = z.object({ userErrors: UserErrors });

/** The response to a step: its payload under the name of the mutation. */
export const StepResponses = {
  variants: z
    .object({ productVariantsBulkUpdate: Payload })
    .transform((data) => data.productVariantsBulkUpdate),
  title: z.object({ productUpdate: Payload }).transform((data) => data.productUpdate),
} as const satisfies Record<Step['kind'], z.ZodType<z.output<typeof Payload>>>;

/** An error that names no variant is about all of them: the store changed none. */
export function refusalsOf({ kind, parts }: Step, errors: readonly UserError[]): Refusals {
  const refusals = new Map<string, Refusal>();
  for (const { field, message, code } of errors) {
    const at = kind === 'variants' ? indexAfter('variants', field) : undefined;
    const part = at === undefined ? undefined : parts[at];
    for (const id of part === undefined ? parts : [part])
      if (!refusals.has(id)) refusals.set(id, { code: code ?? 'UNKNOWN', message });
  }
  return refusals;
}
