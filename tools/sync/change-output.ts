import { z } from 'zod';
import { localizeSyncError, type Reader } from '../../src/language.ts';
import type { RunRow } from '../../src/sync/runs/runs.ts';

const Value = z.string().nullable();

/** One cell of a plan or a log. */
export const ChangeRecord = z.object({
  key: z.string(),
  row: z.number().nullable().meta({ description: 'Sheet row, from 1' }),
  field: z.string().meta({ description: "A store field, 'key', or 'status' for the status column" }),
  side: z.enum(['store', 'sheet']).meta({ description: 'Side that receives the value' }),
  kind: z.enum(['set', 'append', 'clear', 'create']),
  from: Value,
  to: Value,
  state: z.enum(['planned', 'sent', 'applied', 'failed', 'skipped', 'conflict', 'resolved']),
  code: z.string().optional(),
  message: z.string().optional(),
});

export function presentChange(
  { key, row, field, side, kind, from, to, state, code, params }: RunRow,
  reader: Reader,
) {
  const note = code ? localizeSyncError({ key: code, ...(params && { params }) }, reader) : {};
  return { key, row, field, side, kind, from, to, state, ...note };
}
