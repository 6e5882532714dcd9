type TimeoutOptions = { readonly signal: AbortSignal } & (
  | { readonly timeoutMs: number; readonly timeoutError: () => Error }
  | { readonly timeoutMs?: never }
);

/** Rejects after `timeoutMs` or on abort. The underlying work keeps running; its result is discarded. */
export async function withTimeout<T>(work: Promise<T>, options: TimeoutOptions): Promise<T> {
  const { signal } = options;
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  const timer =
    options.timeoutMs === undefined
      ? undefined
      : setTimeout(() => reject(options.timeoutError()), options.timeoutMs);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
