/** Other work on the event loop waits no longer than this. */
const TURN_MS = 5;

/** Maps a long list, and lets the event loop run other work every few milliseconds. */
export async function mapInTurns<T, Result>(items: Iterable<T>, map: (item: T) => Result): Promise<Result[]> {
  const results: Result[] = [];
  let until = performance.now() + TURN_MS;
  for (const item of items) {
    if (performance.now() >= until) {
      await new Promise(setImmediate);
      until = performance.now() + TURN_MS;
    }
    results.push(map(item));
  }
  return results;
}
