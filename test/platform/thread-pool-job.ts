import type { Timed } from '../../src/platform/thread-pool.ts';

export type HungryJob = { readonly megabytes: number };

/** Keeps that much memory, and answers how much it kept. */
export function eatMemory({ megabytes, begun }: Timed<HungryJob>): number {
  begun[0] = Date.now();
  const kept: number[][] = [];
  while (kept.length < megabytes)
    kept.push(Array.from({ length: 131_072 }, (_, index) => index + kept.length));
  return kept.length;
}

export type WaitingJob = { readonly name: string; readonly flag: Int32Array<SharedArrayBuffer> };

/** Answers its name as soon as the flag is 1. */
export function waitForSignal({ name, flag, begun }: Timed<WaitingJob>): string {
  begun[0] = Date.now();
  Atomics.wait(flag, 0, 0);
  return name;
}
