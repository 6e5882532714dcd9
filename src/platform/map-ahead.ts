/**
 * Maps items as they come, with up to `ahead` of them at work. Results come in the order of the items, each as soon as it and
 * those before it are there: who sends the next item only after a result is not kept waiting.
 * @throws what `work` rejects with for an item, and what the items throw, after the results before it
 */
export async function* mapAhead<Item, Result>(
  items: AsyncIterable<Item>,
  ahead: number,
  work: (item: Item, index: number) => Promise<Result>,
): AsyncGenerator<Result> {
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
    // It is awaited in its turn, and may fail before.
    result.catch(() => {});
  }
}

async function isSettled(work: Promise<unknown>): Promise<true> {
  await work.catch(() => {});
  return true;
}
