import { setTimeout as pause } from 'node:timers/promises';

/** What the emulator takes for time: tokens expire, a bucket fills and bulk operations go on by it. */
export type EmulatorClock = {
  /** Milliseconds. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

export const systemClock: EmulatorClock = {
  now: Date.now,
  sleep: (ms, signal) => pause(ms, undefined, signal && { signal }),
};
