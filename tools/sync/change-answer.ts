import { z } from 'zod';
import { type Locale, localizeSyncError } from '../../src/language.ts';
import { STORE_FIELDS } from '../../src/sync/field.ts';
import type { RunRow } from '../../src/sync/runs/runs.ts';

const Value = z.string().nullable();

/** One cell of a plan or a log. */
export const ChangeRecord = z.object({
  key: z.string(),
  row: z.number().nullable().meta({ description: 'Row of the sheet, from 1' }),
  field: z.enum([...STORE_FIELDS, 'key', 'status']),
  side: z.enum(['store', 'sheet']).meta({ description: 'The side that gets the value' }),
  kind: z.enum(['set', 'append', 'clear']),
  from: Value,
  to: Value,
  state: z.enum(['planned', 'sent', 'applied', 'failed', 'skipped', 'conflict', 'resolved']),
  code: z.string().optional(),
  message: z.string().optional(),
});

export function sayChange(
  { key, row, field, side, kind, from, to, state, code, params }: RunRow,
  locale: Locale,
) {
  const note = code ? localizeSyncError({ key: code, ...(params && { params }) }, locale) : {};
  return { key, row, field, side, kind, from, to, state, ...note };
}
