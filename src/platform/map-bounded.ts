type BoundedWork<Item, Result> = (item: Item, index: number, signal: AbortSignal) => Promise<Result>;

/**
 * Maps items with at most `limit` running at the same time; the results have the order of the items. After a rejection, or
 * when `signal` aborts, no further item starts and the running ones see their signal abort. Rejects with the first error
 * once all running work has ended.
 */
export async function mapBounded<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: BoundedWork<Item, Result>,
  signal?: AbortSignal,
): Promise<Result[]> {
  const results: Result[] = [];
  const failed = new AbortController();
  const ended = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
  const queue = items.entries();
  const runWorker = async () => {
    for (const [index, item] of queue) {
      ended.throwIfAborted();
      results[index] = await work(item, index, ended);
    }
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, () =>
    runWorker().catch((error: unknown) => failed.abort(error)),
  );
  await Promise.all(workers);
  ended.throwIfAborted();
  return results;
}
