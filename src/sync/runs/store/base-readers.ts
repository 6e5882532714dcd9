import { z } from 'zod';
import type { Sql, Tx } from '../../../platform/database/database.ts';
import { Mapping, SyncOptions, type SyncSettings } from '../../config.ts';
import type { StoreField } from '../../field.ts';
import { foldKey } from '../../sync-key.ts';
import type { Run } from '../run.ts';

/** A configuration that goes by what both sides had when they were last the same, and a run tells it anew. */
export type BaseReader = {
  readonly id: string;
  /** What the run tells it, in the order of its own mappings; null: that the run has nothing to do with. */
  readonly fields: readonly (StoreField | null)[];
  /** The run's own, which still is what it was when the run began. */
  readonly isOwn: boolean;
};

const Found = z.object({
  id: z.string(),
  mappings: z.array(Mapping),
  options: SyncOptions,
  location_id: z.string().nullable(),
});
type Found = z.output<typeof Found>;

/**
 * The configurations of the store and the sheet of a run as they are now, which stay so until the transaction ends: each
 * may have been changed since, also the run's own.
 */
export async function baseReaders(sql: Sql | Tx, run: Run): Promise<BaseReader[]> {
  const rows = await sql`
    select c.id, c.mappings, c.options, coalesce(c.options ->> 'location_id', s.location_id) as location_id
    from sync_configs c join sync_stores s on s.id = c.store_id
    where c.account_id = ${run.account_id} and c.store_id = ${run.store_id} and c.sheet_id = ${run.sheet_id}
    order by c.seq for share of c`;
  return z
    .array(Found)
    .parse(rows)
    .filter((found) => isSameKey(found, run.settings))
    .map((found) => readerOf(found, run));
}

function readerOf(found: Found, { config_id, settings }: Run): BaseReader {
  const fields = found.mappings.map((mapping) =>
    isTold(mapping, found, settings) ? mapping.store_field : null,
  );
  const told = settings.mappings.map(({ store_field }) => store_field);
  return {
    id: found.id,
    fields,
    isOwn: found.id === config_id && JSON.stringify(fields) === JSON.stringify(told),
  };
}

/** The same cells, and of quantities the same place. */
function isTold({ store_field, sheet_column }: Mapping, found: Found, settings: SyncSettings): boolean {
  if (columnOf(settings, store_field) !== headerOf(sheet_column)) return false;
  return store_field !== 'inventory_quantity' || isSamePlace(found, settings);
}

/** Rows are known by the same thing, in the same column. */
function isSameKey(found: Found, settings: SyncSettings): boolean {
  const { key, key_column } = settings.options;
  if (key !== found.options.key || key_column !== found.options.key_column) return false;
  return columnOf(found, key) === columnOf(settings, key);
}

function columnOf({ mappings }: Pick<SyncSettings, 'mappings'>, field: string): string | undefined {
  const mapping = mappings.find(({ store_field }) => store_field === field);
  return mapping && headerOf(mapping.sheet_column);
}

function headerOf(column: string): string {
  return foldKey(column.trim());
}

/** The id of a place is its number, or an address that ends with it. */
function isSamePlace({ location_id }: Found, { options }: SyncSettings): boolean {
  const numberOf = (id: string) => id.slice(id.lastIndexOf('/') + 1);
  if (options.location_id === undefined || location_id === null) return true;
  return numberOf(location_id) === numberOf(options.location_id);
}
