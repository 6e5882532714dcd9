import { setTimeout as delay } from 'node:timers/promises';

/** Time as the adapter knows it. `wait` ends at once, with the signal's reason, when the signal does. */
export type Clock = {
  readonly now: () => number;
  wait(ms: number, signal: AbortSignal): Promise<void>;
};

export const systemClock: Clock = {
  now: Date.now,
  async wait(ms, signal) {
    await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
  },
};
