import { isDeepStrictEqual } from 'node:util';
import type { ConfigRow } from './config-store.ts';

/**
 * Whether a changed configuration no longer speaks of what it did: other cells, rows known by something else, another
 * place, or the other way of deciding what changed. How both sides stood is then of no use.
 */
export function meansAnother(before: ConfigRow, after: ConfigRow): boolean {
  const isTwoWay = (row: ConfigRow) => row.direction === 'two_way';
  return isTwoWay(before) !== isTwoWay(after) || !isDeepStrictEqual(subject(before), subject(after));
}

function subject({ store_id, sheet_id, mappings, options }: ConfigRow) {
  const { key, key_column, location_id } = options;
  return { store_id, sheet_id, mappings, key, key_column, location_id };
}
