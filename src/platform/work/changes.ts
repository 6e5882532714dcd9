export type Watch = {
  /** Resolves when something changed since the last call, immediately if it already has, or after `ms`. */
  next(ms?: number): Promise<void>;
  close(): void;
};

/** Which callers in this process wait for which item to change. It only wakes them; they read the change themselves. */
export function createChanges() {
  const watching = new Map<string, Set<() => void>>();
  return { watch, notify, notifyAll };

  /** A watch ends with its signal: `next` resolves then too. */
  function watch(id: string, signal: AbortSignal): Watch {
    let hasChanged = false;
    let wake = () => {};
    const onChange = () => {
      hasChanged = true;
      wake();
    };
    const watchers = watching.get(id) ?? new Set();
    watching.set(id, watchers.add(onChange));
    signal.addEventListener('abort', onChange, { once: true });
    return {
      async next(ms) {
        if (!hasChanged && !signal.aborted) {
          const { promise, resolve } = Promise.withResolvers<void>();
          wake = resolve;
          const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
          await promise;
          clearTimeout(timer);
        }
        hasChanged = false;
      },
      close() {
        signal.removeEventListener('abort', onChange);
        watchers.delete(onChange);
        if (watchers.size === 0) watching.delete(id);
      },
    };
  }

  function notify(id: string): void {
    for (const onChange of watching.get(id) ?? []) onChange();
  }

  /** After notices may have been missed. */
  function notifyAll(): void {
    for (const id of watching.keys()) notify(id);
  }
}
