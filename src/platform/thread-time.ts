import { threadId } from 'node:worker_threads';

/**
 * Milliseconds this thread has worked since it began. Limits on work count these, so that a busy machine is late and not
 * wrong: other work on the machine adds to the time on a clock, and nothing to this.
 */
export function workedMs(): number {
  return milliseconds(process.threadCpuUsage());
}

/** Node's processor time (microseconds) in milliseconds. */
export function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

/**
 * When a job of a thread pool began, for the thread that watches it: the `workedMs` of its thread, and the ID
 * of that thread.
 */
export type Begun = Float64Array<SharedArrayBuffer>;

export function newBegun(): Begun {
  return new Float64Array(new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT));
}

/** Called by a job in its thread. The limit of its time counts from here. */
export function begin(begun: Begun): void {
  begun[0] = workedMs();
  begun[1] = threadId;
}
