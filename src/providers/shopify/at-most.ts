/** Runs for every item, at most so many at once. After a failure it begins no more, and throws when none is under way. */
export async function atMost<T>(
  limit: number,
  items: readonly T[],
  run: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  let failed = false;
  const worker = async () => {
    for (const item of queue) {
      if (failed) return;
      await run(item).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: limit }, worker));
  for (const { status, ...end } of ended) if (status === 'rejected' && 'reason' in end) throw end.reason;
}
