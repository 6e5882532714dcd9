/** Memoizes an async factory. A rejection is not cached, so the next call tries again. */
export function onceAsync<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let cached: Promise<Value> | undefined;
  return () => {
    cached ??= create().catch((error: unknown) => {
      cached = undefined;
      throw error;
    });
    return cached;
  };
}
