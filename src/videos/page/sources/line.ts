/** What is put in comes out in the same order; taking waits until something is there. */
export type Line<T> = {
  put(item: T): void;
  take(): Promise<T>;
  /** What can be taken without waiting. */
  takeNow(): T | undefined;
  /** All who take, now and later, fail with the reason. */
  end(reason: unknown): void;
};

export function createLine<T>(): Line<T> {
  const items: T[] = [];
  const takers: PromiseWithResolvers<T>[] = [];
  let ended: { readonly reason: unknown } | undefined;
  return { put, take, takeNow: () => items.shift(), end };

  function put(item: T): void {
    const taker = takers.shift();
    if (taker) taker.resolve(item);
    else items.push(item);
  }

  async function take(): Promise<T> {
    if (ended) throw ended.reason;
    const item = items.shift();
    if (item !== undefined) return item;
    const taker = Promise.withResolvers<T>();
    takers.push(taker);
    return taker.promise;
  }

  function end(reason: unknown): void {
    ended ??= { reason };
    for (const taker of takers.splice(0)) taker.reject(reason);
  }
}
