/*
 * How many rows one statement may read, and write. The embedded database runs one statement at a time, and one
 * transaction, for which all others wait. These take a few milliseconds.
 */
export const READ_ROWS = 1_000;
/** A transaction writes these up to five times over. */
export const WRITE_ROWS = 100;
/** For each transaction of a run all others wait, and a row takes several times as long as in a PostgreSQL server. */
export const EMBEDDED_WRITE_ROWS = 25;

export function chunked<T>(items: readonly T[], size = WRITE_ROWS): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, nth) =>
    items.slice(nth * size, (nth + 1) * size),
  );
}
