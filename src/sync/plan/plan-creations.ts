import type { Sql } from '../../platform/database/database.ts';
import type { SyncError } from '../change.ts';
import { MAX_NEW_VARIANTS } from '../ports/store-client.ts';
import { canBeCopied } from '../ports/store-images.ts';
import type { Run } from '../runs/run.ts';
import { chunked, READ_ROWS } from '../statement-size.ts';
import { expectedOf, isQuantity, type StoreField, specOf } from '../values/field.ts';
import { listNewRows, listTaken, type NewRow } from './creation-repo.ts';
import type { PlannedChange } from './planned-change-repo.ts';

/** The changes of each product to create, and the notes on rows that cannot become one. */
export type Creations = {
  readonly products: readonly (readonly PlannedChange[])[];
  readonly notes: readonly SyncError[];
  /** Rows without a variant and without a baseline. */
  readonly rows: number;
};

export const NO_CREATIONS: Creations = { products: [], notes: [], rows: 0 };

/** Rows that one run makes into products at most. */
const MAX_ROWS = 10_000;

/** True for a run that makes rows into products: of all keys but the one that only the store gives. */
function createsProducts({ direction, settings: { options } }: Run): boolean {
  return options.create_products && direction !== 'store_to_sheet' && options.key !== 'variant_id';
}

/**
 * Plans the products of rows that the store has never had. In: the reads of a run. Out: for each product one change a value of
 * each of its rows. Rows with the same handle, or without one the same title, are variants of one product, which is created
 * whole or not at all.
 */
export async function planCreations(sql: Sql, run: Run, scale: number): Promise<Creations> {
  if (!createsProducts(run)) return NO_CREATIONS;
  const rows: NewRow[] = [];
  for (let page: NewRow[] | undefined; page === undefined || page.length === READ_ROWS; rows.push(...page)) {
    page = await listNewRows(sql, run, { after: rows.at(-1)?.row ?? 0, limit: READ_ROWS });
    if (rows.length + page.length > MAX_ROWS) return tooMany(rows.length + page.length);
  }
  const products = productsOf(rows, run);
  const taken = await takenBy(sql, run, products);
  const planned = products.map((product) => planProduct(product, { run, scale, taken }));
  return {
    products: planned.flatMap(({ changes }) => (changes.length > 0 ? [changes] : [])),
    notes: planned.flatMap(({ notes }) => notes),
    rows: rows.length,
  };
}

function tooMany(rows: number): Creations {
  return { products: [], notes: [{ key: 'create_too_many', params: { limit: MAX_ROWS } }], rows };
}

type NewProduct = { readonly handle: string; readonly rows: readonly NewRow[] };

function productsOf(rows: readonly NewRow[], run: Run): NewProduct[] {
  return [...Map.groupBy(rows, (row) => handleOf(row, run))].map(([handle, own]) => ({ handle, rows: own }));
}

/** The handle that the product gets: with it, the store creates the product only once, even after a lost response. */
function handleOf(row: NewRow, run: Run): string {
  const own = run.settings.options.key === 'handle' ? row.key : cellOf(row, 'handle', run);
  return own ?? (slugOf(cellOf(row, 'title', run) ?? '') || slugOf(row.key) || `row-${row.row}`);
}

function slugOf(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.join('-').slice(0, MAX_SLUG).toWellFormed();
}

const MAX_SLUG = 200;

function cellOf(row: NewRow, field: StoreField, { settings: { mappings } }: Run): string | null {
  return row.sheet[mappings.findIndex(({ store_field }) => store_field === field)] ?? null;
}

/** The handles or, where none is mapped, the titles that products of the store have. */
async function takenBy(sql: Sql, run: Run, products: readonly NewProduct[]): Promise<Taken> {
  const { mappings } = run.settings;
  const by = (['handle', 'title'] as const).find((field) =>
    mappings.some(({ store_field }) => store_field === field),
  );
  const found = new Set<string>();
  if (by === undefined) return { by: 'title', values: found };
  const position = mappings.findIndex(({ store_field }) => store_field === by) + 1;
  const wanted = products.flatMap((product) => takenName(product, by, run) ?? []);
  for (const values of chunked(wanted))
    for (const value of await listTaken(sql, run.id, position, values)) found.add(value);
  return { by, values: found };
}

type Taken = { readonly by: 'handle' | 'title'; readonly values: ReadonlySet<string> };

function takenName({ handle, rows: [first] }: NewProduct, by: Taken['by'], run: Run): string | null {
  if (by === 'handle') return handle;
  return first ? cellOf(first, 'title', run) : null;
}

type Planning = { readonly run: Run; readonly scale: number; readonly taken: Taken };
type ProductPlan = { readonly changes: readonly PlannedChange[]; readonly notes: readonly SyncError[] };

function planProduct(product: NewProduct, planning: Planning): ProductPlan {
  const { handle, rows } = product;
  const faults = rows.map((row) => faultOf(row, product, planning));
  if (faults.every((fault) => fault === undefined))
    return { changes: rows.flatMap((row) => changesOf(row, handle, planning)), notes: [] };
  const waiting = { key: 'create_waits', params: { handle } } as const;
  const notes = rows.map(({ row, key: sku }, nth): SyncError => {
    const fault = faults[nth] ?? waiting;
    return { field: 'key', ...fault, row, sku };
  });
  return { changes: [], notes };
}

type RowFault = Pick<SyncError, 'key' | 'params' | 'field'>;

/** Why a row cannot become a product, or one of its variants. */
function faultOf(row: NewRow, product: NewProduct, { run, scale, taken }: Planning): RowFault | undefined {
  const { mappings } = run.settings;
  const invalid = mappings.findIndex(({ store_field }, nth) => isInvalid(row, store_field, nth));
  const field = mappings[invalid]?.store_field;
  if (field !== undefined) {
    const expected = row.faults?.[invalid] ?? expectedOf(field, scale);
    return { key: 'invalid_value', params: { value: row.sheet[invalid] ?? '–', expected }, field };
  }
  const title = cellOf(row, 'title', run);
  if (title === null || title.trim() === '') return { key: 'create_needs_title' };
  const name = takenName(product, taken.by, run);
  if (name !== null && taken.values.has(name)) return { key: 'create_taken', params: { product: name } };
  if (product.rows.length > MAX_NEW_VARIANTS)
    return { key: 'create_many_variants', params: { limit: MAX_NEW_VARIANTS } };
  const [first] = product.rows;
  const differing = mappings.find(
    ({ store_field }) =>
      specOf(store_field).level === 'product' &&
      first !== undefined &&
      cellOf(first, store_field, run) !== cellOf(row, store_field, run),
  )?.store_field;
  if (differing === undefined) return undefined;
  return { key: differing === 'title' ? 'titles_differ' : 'product_values_differ', field: differing };
}

function isInvalid(row: NewRow, field: StoreField, nth: number): boolean {
  const value = row.sheet[nth] ?? null;
  if (field === 'image' && !canBeCopied(value)) return true;
  return (row.faults?.[nth] ?? null) !== null || (isQuantity(field) && Number(value ?? 0) < 0);
}

function changesOf(row: NewRow, handle: string, { run }: Planning): PlannedChange[] {
  const ids = { variantId: null, productId: null, itemId: null } as const;
  const planned = { side: 'store', kind: 'create', state: 'planned', code: null, base: null } as const;
  return run.settings.mappings.flatMap(({ store_field: field }, nth) => {
    const to = row.sheet[nth] ?? null;
    if (to === null) return [];
    return [{ key: row.key, row: row.row, ...ids, field, ...planned, from: null, to, params: { handle } }];
  });
}

/** The cells of the pictures of new products, which get the address of the store's copy: see followImages. */
export function writtenBack({ products }: Creations, { direction }: Run): PlannedChange[] {
  if (direction !== 'two_way') return [];
  return products
    .flat()
    .filter(({ field }) => field === 'image')
    .map((change) => ({ ...change, side: 'sheet', kind: 'set', from: change.to, params: null }));
}
