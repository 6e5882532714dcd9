import { z } from 'zod';
import type { ProductChange, Refusal, VariantChange } from '../../sync/ports/store-client.ts';
import { metafieldOf, type StoreField } from '../../sync/ports/store-fields.ts';
import { inputOfFields, inputOfProduct, merged } from './inputs.ts';
import { DELETE_METAFIELDS, UPDATE_PRODUCT, UPDATE_VARIANTS } from './operations.ts';
import { indexAfter, type UserError, UserErrors } from './read-reply.ts';

/** One mutation of one product. `parts` are what it changes: variants by their ids, or the product's fields by their names. */
export type Step = {
  readonly kind: keyof typeof MUTATIONS;
  readonly parts: readonly string[];
  readonly variables: Record<string, unknown>;
  /** The same in parts, for when the store takes none of it. */
  readonly alone?: readonly Step[];
};

/** The parts of a step that the store rejected, and why. */
export type Refusals = ReadonlyMap<string, Refusal>;

export const MUTATIONS = {
  variants: { query: UPDATE_VARIANTS, field: 'productVariantsBulkUpdate' },
  product: { query: UPDATE_PRODUCT, field: 'productUpdate' },
  metafields: { query: DELETE_METAFIELDS, field: 'metafieldsDelete' },
} as const;

/** The most entries a list of an input may have. */
const MAX_VARIANTS = 250;

/** The type of a metafield of a product or variant: undefined where the store knows it by a definition, or not at all. */
export type MetafieldTypes = (ownerId: string, field: StoreField) => string | undefined;

/** The mutations that change a product. */
export function stepsOf(
  { productId, title, more = {}, variants }: ProductChange,
  typeOf: MetafieldTypes,
): Step[] {
  const steps: Step[] = [];
  for (let from = 0; from < variants.length; from += MAX_VARIANTS) {
    const some = variants.slice(from, from + MAX_VARIANTS);
    const variables = { productId, variants: some.map((variant) => inputOf(variant, typeOf)) };
    steps.push({ kind: 'variants', parts: some.map(({ variantId }) => variantId), variables });
    steps.push(...emptyingSteps(some));
  }
  const fields = entriesOf(title === undefined ? more : { title, ...more });
  const emptied = fields.filter(isEmptied);
  const set = fields.filter((field) => !emptied.includes(field));
  if (set.length > 0) steps.push(productStep(productId, set, typeOf));
  if (emptied.length > 0) {
    const names = emptied.map(([field]) => ({ ownerId: productId, ...metafieldOf(field) }));
    steps.push({ kind: 'metafields', parts: partsOf(emptied), variables: { metafields: names } });
  }
  return steps;
}

/** An empty metafield is none: it is deleted. */
function isEmptied([field, value]: Values[number]): boolean {
  return value === null && metafieldOf(field) !== undefined;
}

/** Deletes the metafields that variants are to have no more. */
function emptyingSteps(variants: readonly VariantChange[]): Step[] {
  return variants.flatMap(({ variantId, more = {} }): Step[] => {
    const names = entriesOf(more)
      .filter(isEmptied)
      .map(([field]) => ({ ownerId: variantId, ...metafieldOf(field) }));
    return names.length > 0
      ? [{ kind: 'metafields', parts: [variantId], variables: { metafields: names } }]
      : [];
  });
}

type Values = readonly (readonly [StoreField, string | null])[];

export function entriesOf(fields: NonNullable<ProductChange['more']>): Values {
  return typedEntries(fields).flatMap(([field, value]) =>
    value === undefined ? [] : [[field, value] as const],
  );
}

// The type of Object.entries forgets the names.
function typedEntries(fields: NonNullable<ProductChange['more']>): [StoreField, string | null | undefined][] {
  return Object.entries(fields) as [StoreField, string | null | undefined][];
}

function partsOf(values: Values): string[] {
  return values.map(([field]) => field);
}

function productStep(productId: string, values: Values, typeOf: MetafieldTypes): Step {
  const input = inputOfProduct(values, (field) => typeOf(productId, field));
  const whole = {
    kind: 'product',
    parts: partsOf(values),
    variables: { product: { id: productId, ...input } },
  } as const;
  if (values.length < 2) return whole;
  // The store takes all fields of a product or none, so each is then sent alone.
  return { ...whole, alone: values.map((value) => productStep(productId, [value], typeOf)) };
}

/** Fields that are undefined are omitted from the JSON, and stay as they are. */
export function inputOf(
  { variantId, sku, price, barcode, taxable, requiresShipping, weight, more }: VariantChange,
  typeOf: MetafieldTypes,
) {
  const item = { sku, requiresShipping, measurement: weight && { weight } };
  const changesItem = Object.values(item).some((value) => value !== undefined);
  const basic = { id: variantId, price, barcode, taxable, inventoryItem: changesItem ? item : undefined };
  if (!more) return basic;
  const set = entriesOf(more).filter((field) => !isEmptied(field));
  return merged(
    basic,
    inputOfFields(set, (field) => typeOf(variantId, field)),
  );
}

const Payload = z.object({ userErrors: UserErrors });

/** The response to a step: its payload under the name of the mutation. */
export const StepResponses = {
  variants: z
    .object({ productVariantsBulkUpdate: Payload })
    .transform((data) => data.productVariantsBulkUpdate),
  product: z.object({ productUpdate: Payload }).transform((data) => data.productUpdate),
  metafields: z.object({ metafieldsDelete: Payload }).transform((data) => data.metafieldsDelete),
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
