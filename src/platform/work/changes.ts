export type Watch = {
  /** Resolves when there was a change since the last call of this, at once if there already was, or after `ms`. */
  next(ms?: number): Promise<void>;
  close(): void;
};

/** Who in this process waits for which piece of work to change. It only wakes them; what changed they read for themselves. */
export function createChanges() {
  const watching = new Map<string, Set<() => void>>();
  return {
    /** A watch ends with its signal: `next` resolves then too. */
    watch(id: string, signal: AbortSignal): Watch {
      let changed = false;
      let wake = () => {};
      const tell = () => {
        changed = true;
        wake();
      };
      const watchers = watching.get(id) ?? new Set();
      watching.set(id, watchers.add(tell));
      signal.addEventListener('abort', tell, { once: true });
      return {
        async next(ms) {
          if (!changed && !signal.aborted) {
            const { promise, resolve } = Promise.withResolvers<void>();
            wake = resolve;
            const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
            await promise;
            clearTimeout(timer);
          }
          changed = false;
        },
        close() {
          signal.removeEventListener('abort', tell);
          watchers.delete(tell);
          if (watchers.size === 0) watching.delete(id);
        },
      };
    },

    tell(id: string): void {
      for (const tell of watching.get(id) ?? []) tell();
    },

    /** After notices may have been missed. */
    tellAll(): void {
      for (const id of watching.keys()) this.tell(id);
    },
  };
}
