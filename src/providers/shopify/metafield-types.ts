import { z } from 'zod';
import type { ProductChange } from '../../sync/ports/store-client.ts';
import { metafieldOf, type StoreField } from '../../sync/ports/store-fields.ts';
import { metafieldTypes } from './operations.ts';
import type { MetafieldTypes } from './product-steps.ts';
import { aliasOf } from './selection.ts';
import type { Shop } from './shop-client.ts';

/** How many products and variants one request asks about. */
const OWNERS = 100;

const Type = z.object({ type: z.string() }).nullish();
const Definitions = z.object({ nodes: z.array(z.object({ type: z.object({ name: z.string() }) })) });

/**
 * The types of the metafields that are to be set: without a definition, the store takes a value only with its type. That of
 * one which is new and not defined is text.
 */
export async function readMetafieldTypes(
  shop: Shop,
  changes: readonly ProductChange[],
  signal: AbortSignal,
): Promise<MetafieldTypes> {
  const asked = changes.flatMap(ownersIn).filter(({ more }) => Object.keys(more).some(metafieldOf));
  const fields = [
    ...new Set(asked.flatMap(({ more }) => Object.keys(more).filter(metafieldOf))),
  ] as StoreField[];
  const types = new Map<string, string | undefined>();
  for (let at = 0; at < asked.length; at += OWNERS) {
    const ids = asked.slice(at, at + OWNERS).map(({ id }) => id);
    const query = { query: metafieldTypes(fields), variables: () => ({ ids }), response: responseOf(fields) };
    const answer = await shop.request(query, signal);
    for (const [nth, id] of ids.entries())
      for (const [of, field] of fields.entries()) {
        const defined = Definitions.parse(answer[aliasOf(of)]).nodes.length > 0;
        const own = Type.parse(answer.nodes[nth]?.[aliasOf(of)])?.type;
        types.set(`${id} ${field}`, defined ? undefined : (own ?? NEW_TYPE));
      }
  }
  return (ownerId, field) => types.get(`${ownerId} ${field}`);
}

/** The types of metafields of what is to be created: undefined where the store has defined them. */
export async function readDefinedTypes(
  shop: Shop,
  all: readonly StoreField[],
  signal: AbortSignal,
): Promise<(field: StoreField) => string | undefined> {
  const fields = [...new Set(all.filter(metafieldOf))];
  if (fields.length === 0) return () => undefined;
  const query = {
    query: metafieldTypes(fields),
    variables: () => ({ ids: [] }),
    response: responseOf(fields),
  };
  const answer = await shop.request(query, signal);
  const isDefined = fields.map((_, of) => Definitions.parse(answer[aliasOf(of)]).nodes.length > 0);
  return (field) => (isDefined[fields.indexOf(field)] ? undefined : NEW_TYPE);
}

/** A product and its variants, with the values that are to be set in each. */
function ownersIn({ productId, more = {}, variants }: ProductChange) {
  return [{ id: productId, more }, ...variants.map(({ variantId: id, more = {} }) => ({ id, more }))];
}

const NEW_TYPE = 'multi_line_text_field';

function responseOf(fields: readonly StoreField[]) {
  const aliases = fields.map((_, nth) => aliasOf(nth));
  const nodes = z.array(z.looseObject(Object.fromEntries(aliases.map((alias) => [alias, Type]))).nullable());
  return z
    .looseObject({ nodes })
    .refine((answer) => aliases.every((alias) => Definitions.safeParse(answer[alias]).success));
}
