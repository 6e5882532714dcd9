import type { Sql } from '../../platform/database.ts';
import type { Run } from '../runs/run.ts';
import { forgetLost, lastReadRow, takeEqualRows } from './settle-store.ts';
import { windows } from './windows.ts';

/** Rows one statement compares. */
const WINDOW_ROWS = 10_000;

/**
 * Takes rows that were read alike on both sides into the baseline, and deletes those that the sheet no longer has. Does
 * nothing once the reads of the run are deleted: it would look as if both sides had lost everything.
 */
export async function reconcileBaseline(sql: Sql, run: Run): Promise<void> {
  const last = await lastReadRow(sql, run.id);
  if (last === undefined) return;
  for (const window of windows(0, last, WINDOW_ROWS)) await takeEqualRows(sql, run, window);
  let after: string | undefined = '';
  while (after !== undefined) after = await forgetLost(sql, run, after);
}
