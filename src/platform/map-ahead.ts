/**
 * Maps items with up to `ahead` at work at the same time. Results keep the order of the items. A result does not wait for the
 * next item.
 * @throws the error of `work` or of the items, after the results before it
 */
export async function* mapAhead<Item, Result>(
  items: AsyncIterable<Item>,
  ahead: number,
  work: (item: Item, index: number) => Promise<Result>,
): AsyncGenerator<Result> {
  // The same, faster.
  if (ahead <= 1) {
    let index = 0;
    for await (const item of items) yield await work(item, index++);
    return;
  }
  const source = items[Symbol.asyncIterator]();
  const working: Promise<Result>[] = [];
  let reading: Promise<void> | undefined;
  let hasMore = true;
  let index = 0;
  try {
    while (hasMore || working.length > 0) {
      if (hasMore && working.length < ahead) reading ??= read();
      const [first] = working;
      const isReady = await Promise.race(
        [reading?.then(() => false), first && isSettled(first)].filter(Boolean),
      );
      if (!first || !isReady) continue;
      working.shift();
      yield await first;
    }
  } finally {
    // Not awaited: it may wait for an item that never comes.
    void source.return?.().catch(() => {});
  }

  async function read(): Promise<void> {
    try {
      const { done, value } = await source.next();
      if (done) hasMore = false;
      else start(work(value, index++));
    } catch (error) {
      hasMore = false;
      start(Promise.reject(error));
    }
    reading = undefined;
  }

  function start(result: Promise<Result>): void {
    working.push(result);
    // It may fail before it is awaited.
    result.catch(() => {});
  }
}

async function isSettled(work: Promise<unknown>): Promise<true> {
  await work.catch(() => {});
  return true;
}
