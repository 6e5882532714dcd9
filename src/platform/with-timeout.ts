type Ends = { readonly signal: AbortSignal } & (
  | { readonly timeoutMs: number; readonly timeoutError: () => Error }
  | { readonly timeoutMs?: never }
);

/** Waits for work that cannot be stopped, until it is late (milliseconds) or the signal is aborted; its own end is then ignored. */
export async function withTimeout<T>(work: Promise<T>, ends: Ends): Promise<T> {
  const { signal } = ends;
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  const timer =
    ends.timeoutMs === undefined ? undefined : setTimeout(() => reject(ends.timeoutError()), ends.timeoutMs);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
