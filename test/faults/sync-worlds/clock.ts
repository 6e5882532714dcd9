import { setImmediate } from 'node:timers/promises';

export type VirtualClock = ReturnType<typeof createVirtualClock>;

/** Time that goes on when somebody waits, and not otherwise: for the adapters, the emulators and the engine. */
export function createVirtualClock() {
  let at = Date.now();

  async function wait(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    at += ms;
    await setImmediate();
  }

  return { now: () => at, date: () => new Date(at), wait, sleep: wait };
}
