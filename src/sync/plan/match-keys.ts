import type { Sql } from '../../platform/database.ts';
import type { SyncError } from '../change.ts';
import type { Run } from '../runs/run.ts';
import {
  alignSpelling,
  type BlockedRow,
  blockAmbiguous,
  blockedRows,
  blockedVariants,
  type KeyOverview,
  keylessRows,
  keylessVariants,
} from './match-store.ts';
import type { Notes } from './notes.ts';

/**
 * Finds the variant of each row by its key: spelled the same, else the only one that differs in nothing but case. Rows
 * and variants that cannot be told apart, or have no key, are left out of all that follows. Answers how many variants
 * cannot be written to the sheet for that; the rows are counted with the others.
 */
export async function matchKeys(
  sql: Sql,
  run: Run,
  found: KeyOverview,
  notes: Notes,
): Promise<number> {
  const { id, direction, settings } = run;
  const { key } = settings.options;
  if (found.ambiguous) {
    await alignSpelling(sql, id, direction === 'store_to_sheet' ? null : keyPosition(run));
    await blockAmbiguous(sql, id);
    for (const row of await blockedRows(sql, id, notes.remaining())) notes.add([rowNote(row, key)]);
  }
  const rows = found.keyless_rows ? await keylessRows(sql, id, notes.remaining()) : [];
  notes.add(rows.map((row) => ({ key: 'missing_key_in_row', params: { key }, row, field: 'key' })));
  // Variants that are not in the sheet are no concern of what is written to the store.
  return direction === 'sheet_to_store' ? 0 : noteVariants(sql, run, found, notes);
}

/** The mapping of the key, from 1: its cell can only differ in case from what the store has, and the store is right. */
function keyPosition({ settings: { mappings, options } }: Run): number | null {
  const at = mappings.findIndex(({ store_field }) => store_field === options.key);
  return at < 0 ? null : at + 1;
}


function rowNote({ row, key: sku, in_sheet, in_store }: BlockedRow, key: string): SyncError {
  if (in_sheet > 1)
    return { key: 'duplicate_in_sheet', params: { key, count: in_sheet }, row, sku, field: 'key' };
  return { key: 'duplicate_in_store', params: { key, count: in_store }, row, sku, field: 'key' };
}

async function noteVariants(
  sql: Sql,
  { id, settings }: Run,
  found: KeyOverview,
  notes: Notes,
): Promise<number> {
  const { key } = settings.options;
  const blocked = found.ambiguous ? await blockedVariants(sql, id, notes.remaining()) : { keys: [], count: 0 };
  notes.add(
    blocked.keys.map(({ key: sku, count }) => ({
      key: 'duplicate_in_store',
      params: { key, count },
      sku,
      field: 'key',
    })),
  );
  const keyless = found.keyless_variants > 0 ? await keylessVariants(sql, id, notes.remaining()) : [];
  notes.add(
    keyless.map((variant) => ({
      key: 'missing_key',
      params: { key, variant: variant.slice(variant.lastIndexOf('/') + 1) },
      field: 'key',
    })),
  );
  return blocked.count + found.keyless_variants;
}
