import { LRUCache } from 'lru-cache';

export type Circuit = {
  /** Milliseconds the model is still left alone; 0 when it may be asked. */
  restMs(model: string): number;
  succeeded(model: string): void;
  failed(model: string): void;
};

const FAILURES = 5;
const WINDOW_MS = 30_000;
const REST_MS = 15_000;

type State = { readonly failures: readonly number[]; readonly restsUntil: number };

/**
 * Leaves a model alone for 15 s when it failed five times within 30 s: a provider that is down is asked no more, and its
 * callers do not wait for it. `now` is in milliseconds.
 */
export function createCircuit(now: () => number): Circuit {
  // Callers name models, so what is remembered of them has a bound.
  const states = new LRUCache<string, State>({ max: 200 });
  return {
    restMs: (model) => Math.max(0, (states.get(model)?.restsUntil ?? 0) - now()),
    succeeded(model) {
      states.delete(model);
    },
    failed(model) {
      const recent = (states.get(model)?.failures ?? []).filter((at) => at > now() - WINDOW_MS);
      const failures = [...recent, now()].slice(-FAILURES);
      states.set(model, { failures, restsUntil: failures.length < FAILURES ? 0 : now() + REST_MS });
    },
  };
}
