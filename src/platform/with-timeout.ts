type Ends = { readonly signal: AbortSignal } & (
  | { readonly ms: number; readonly late: () => Error }
  | { readonly ms?: never }
);

/** Waits for work that cannot be stopped, until it is late (milliseconds) or the signal is aborted; its own end is then ignored. */
export async function inTime<T>(work: Promise<T>, ends: Ends): Promise<T> {
  const { signal } = ends;
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  const timer = ends.ms === undefined ? undefined : setTimeout(() => reject(ends.late()), ends.ms);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
