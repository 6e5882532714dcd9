import type { Sql } from '../../platform/database.ts';
import { currencyScale } from '../currency.ts';
import type { StoreVariant } from '../ports/store-client.ts';
import type { Run } from '../runs/run.ts';
import { foldKey, keyOf } from '../sync-key.ts';
import { storeValue } from '../value.ts';
import type { PlanWork, Sides } from './planner.ts';
import { insertStore, packed } from './reads-store.ts';

/**
 * Variants that are kept in memory at a time. Of more, V8 keeps what they leave behind for long: with 1,000 a run of
 * 100,000 variants takes 100 MiB more, with fewer none less.
 */
const CHUNK = 250;

/**
 * Reads the whole store into the database, page by page. Answers how many variants there are. The first page is asked
 * for at once, the others once `room` is there: the rows of a large sheet are not to be in memory at the same time.
 */
export async function readStore(
  sql: Sql,
  run: Run,
  { store, locationId, currency }: Sides,
  { signal, progress }: PlanWork,
  room: Promise<unknown>,
): Promise<number> {
  const scale = currencyScale(currency);
  const { description, pages } = store.read(locationId, signal);
  let total = 0;
  // Only for the progress: a store that cannot be described cannot be read either, and that throws.
  description.then(
    ({ variantCount }) => {
      total = variantCount;
    },
    () => {},
  );
  let rows: string[] = [];
  let stored = 0;
  for await (const page of pages) {
    await room;
    for (const variant of page) rows.push(rowOf(variant, run, scale));
    if (rows.length >= CHUNK) await flush();
  }
  await flush();
  return stored;

  async function flush(): Promise<void> {
    const full = rows;
    rows = [];
    if (full.length > 0) await insertStore(sql, run.id, stored + 1, full);
    stored += full.length;
    progress(stored, Math.max(total, stored), 'reading');
  }
}

function rowOf(variant: StoreVariant, { settings }: Run, scale: number): string {
  const key = keyOf(settings.options.key, variant);
  const { variantId, productId, itemId, weight } = variant;
  const values = settings.mappings.map(({ store_field }) => storeValue(store_field, variant, scale));
  return packed([key, key && foldKey(key), variantId, productId, itemId, weight?.unit ?? null, ...values]);
}
