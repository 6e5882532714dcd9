import { setTimeout as delay } from 'node:timers/promises';

export type Batches = {
  /** Rows per statement: one that takes long would hold its locks long, and reach the time limit of statements. */
  readonly limit?: number;
  /** Between two statements, so that others get their turn. */
  readonly pauseMs?: number;
  /** Ends between two statements. */
  readonly signal?: AbortSignal;
};

/** Deletes in small statements until one finds nothing. `deleteSome` deletes at most `limit` rows and returns how many. */
export async function inBatches(
  deleteSome: (limit: number) => Promise<number>,
  { limit = 1_000, pauseMs = 50, signal }: Batches = {},
): Promise<number> {
  let deleted = 0;
  while (!signal?.aborted) {
    const count = await deleteSome(limit);
    deleted += count;
    if (count === 0) break;
    await delay(pauseMs);
  }
  return deleted;
}
