import type { Sql } from '../../platform/database.ts';
import type { Run } from '../runs/run.ts';
import type { PlanWork, Sides } from './planner.ts';
import { type FoundSheet, readSheet } from './read-sheet.ts';
import { readStore } from './read-store.ts';

export type ReadSides =
  | (FoundSheet & { readonly storeRows: number })
  /** Headers that are not there. */
  | { readonly missing: readonly string[] };

/** Reads both sides at the same time. When one fails, or the sheet has no header, the other is given up. */
export async function readSides(
  sql: Sql,
  run: Run,
  sides: Sides,
  work: PlanWork,
): Promise<ReadSides> {
  const stop = new AbortController();
  const within = { ...work, signal: AbortSignal.any([work.signal, stop.signal]) };
  const sheet = readSheet(sql, run, sides, within).then((found) => {
    if ('missing' in found) stop.abort();
    return found;
  });
  const store = readStore(sql, run, sides, within, sheet);
  for (const side of [sheet, store]) side.catch((error: unknown) => stop.abort(error));
  // Both have to have ended: what is read must not be written any more once this has.
  const [found, storeRows] = await Promise.allSettled([sheet, store]);
  if (found.status === 'fulfilled' && 'missing' in found.value) return found.value;
  if (found.status === 'fulfilled' && storeRows.status === 'fulfilled')
    return { ...found.value, storeRows: storeRows.value };
  throw stop.signal.reason;
}
