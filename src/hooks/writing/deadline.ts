/** A signal that follows another, and ends by itself after so many milliseconds with the reason given. */
export function createDeadline(signal: AbortSignal, ms: number, reason: () => unknown) {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(reason()), ms);
  return { signal: AbortSignal.any([signal, late.signal]), end: () => clearTimeout(timer) };
}
