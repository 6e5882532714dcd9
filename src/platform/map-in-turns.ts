/** Others of the event loop wait for no longer than this. */
const TURN_MS = 5;

/** Maps a list that may be long; whenever it has taken a few milliseconds, the event loop gets a turn. */
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
