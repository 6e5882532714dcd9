import type { Timed } from '../../src/platform/thread-pool.ts';
import { begin, workedMs } from '../../src/platform/thread-time.ts';

export type HungryJob = { readonly megabytes: number; readonly isEating: Int32Array<SharedArrayBuffer> };

/** Sets `isEating` to 1, keeps that much memory, and answers how much it kept. */
export function eatMemory({ megabytes, isEating, begun }: Timed<HungryJob>): number {
  begin(begun);
  Atomics.store(isEating, 0, 1);
  Atomics.notify(isEating, 0);
  const kept: number[][] = [];
  while (kept.length < megabytes)
    kept.push(Array.from({ length: 131_072 }, (_, index) => index + kept.length));
  return kept.length;
}

export type WaitingJob = { readonly name: string; readonly flag: Int32Array<SharedArrayBuffer> };

/** Answers its name as soon as the flag is 1. */
export function waitForSignal({ name, flag, begun }: Timed<WaitingJob>): string {
  begin(begun);
  Atomics.wait(flag, 0, 0);
  return name;
}

export type BusyJob = { readonly workMs: number; readonly pauseMs: number };

/** Keeps a processor busy until its thread has worked that long, then sleeps. */
export function work({ workMs, pauseMs, begun }: Timed<BusyJob>): string {
  begin(begun);
  const end = workedMs() + workMs;
  while (workedMs() < end);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  return 'done';
}
