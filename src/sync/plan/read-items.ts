import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { fieldsIn } from '../config.ts';
import type { Cell } from '../ports/sheet-client.ts';
import type { Run } from '../runs/run.ts';
import { cellKey, foldKey, keyOf } from '../values/sync-key.ts';
import type { PlanWork, Sides } from './plan.ts';
import { insertVariants, type ReadSides, readSheet } from './read-sides.ts';

/** Variants that are read by their ids; above it, reading all costs the store less. */
const MAX_VARIANTS = 500;

const Known = z.object({
  key: z.string(),
  variant_id: z.string(),
  product_id: z.string(),
  item_id: z.string(),
});
type Known = z.output<typeof Known>;

/**
 * Reads some products and inventory items of the store and their rows, instead of both sides. Undefined where only reading
 * all tells what to do: when one of them is not in the baseline, is gone, has another key, or is not in exactly one row.
 */
export async function readItems(
  sql: Sql,
  run: Run,
  sides: Sides,
  work: PlanWork,
): Promise<ReadSides | undefined> {
  const known = await knownVariants(sql, run.config_id, run.request.items ?? []);
  if (known === undefined) return undefined;
  const { store, locationId, currency } = sides;
  const ids = known.map((variant) => variant.variant_id);
  const variants = await store.variants(ids, locationId, work.signal, fieldsIn(run.settings));
  const keys = new Map(known.map((variant) => [variant.variant_id, variant.key]));
  const isSame = variants.every(
    (variant) => keyOf(run.settings.options.key, variant) === keys.get(variant.variantId),
  );
  if (!isSame || variants.length < known.length) return undefined;
  const wanted = new Set(known.map(({ key }) => foldKey(key)));
  const isWanted = (keyCell: Cell) => {
    const key = cellKey(keyCell);
    return key !== null && wanted.has(foldKey(key));
  };
  const found = await readSheet(sql, run, sides, work, isWanted);
  if ('missing' in found || found.layout.added.length > 0 || found.rows !== wanted.size) return undefined;
  const storeRows = await insertVariants(sql, run, { pages: [variants], currency }, { progress: () => {} });
  return { ...found, storeRows };
}

/**
 * The variants of the baseline that are named or belong to named products and inventory items, with all others of their
 * products, whose title they share. Undefined where one is not known, or they are too many.
 */
async function knownVariants(
  sql: Sql | Tx,
  configId: string,
  items: readonly string[],
): Promise<Known[] | undefined> {
  const rows = await sql`
    select key, variant_id, product_id, item_id from sync_base
    where config_id = ${configId} and product_id in (
      select product_id from sync_base
      where config_id = ${configId} and (product_id = any(${[...items]}::text[]) or item_id = any(${[...items]}::text[])
          or variant_id = any(${[...items]}::text[])))
    order by key limit ${MAX_VARIANTS + 1}`;
  const known = z.array(Known).parse(rows);
  const named = new Set(
    known.flatMap((variant) => [variant.product_id, variant.item_id, variant.variant_id]),
  );
  const isEnough = known.length <= MAX_VARIANTS && items.every((item) => named.has(item));
  return isEnough ? known : undefined;
}
