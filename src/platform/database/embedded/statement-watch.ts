import { isMainThread, Worker } from 'node:worker_threads';

export type StatementWatch = {
  /** Runs the work; has `stop` called in the midst of it, perhaps repeatedly, once it takes longer than `timeoutMs`. */
  guard<Result>(timeoutMs: number, work: () => Promise<Result>): Promise<Result>;
  close(): void;
};

/** What the watching thread gets: one cell with the time at which the work must end, 0 for none, and an event's name. */
export type Watched = { readonly deadline: SharedArrayBuffer; readonly event: string };

/**
 * A statement runs in this thread, in WebAssembly, where no timer of this thread can fire. So another thread keeps
 * the time and, by way of the inspector, makes this one step aside for a moment to call `stop`.
 * Without an inspector to ask, or off the main thread, which is all it reaches, statements have no limit.
 */
export function watchStatements(stop: () => void): StatementWatch {
  const deadline = new BigInt64Array(new SharedArrayBuffer(8));
  const event = `stallhand:statement-overdue:${++watches}`;
  const worker = isMainThread ? startWorker({ deadline: deadline.buffer, event }) : undefined;
  process.on(event, stopWhenOverdue);
  return { guard, close };

  async function guard<Result>(timeoutMs: number, work: () => Promise<Result>): Promise<Result> {
    if (Number.isFinite(timeoutMs)) Atomics.store(deadline, 0, monotonicMs() + BigInt(Math.ceil(timeoutMs)));
    try {
      return await work();
    } finally {
      Atomics.store(deadline, 0, 0n);
    }
  }

  /** The event may come late, when the next statement is already running. */
  function stopWhenOverdue(): void {
    if (isOverdue(deadline)) stop();
  }

  function close(): void {
    process.off(event, stopWhenOverdue);
    void worker?.terminate();
  }
}

export function isOverdue(deadline: BigInt64Array): boolean {
  const due = Atomics.load(deadline, 0);
  return due !== 0n && monotonicMs() >= due;
}

/** Counted alike in all threads of the process. */
function monotonicMs(): bigint {
  return process.hrtime.bigint() / 1_000_000n;
}

let watches = 0;

function startWorker(workerData: Watched): Worker {
  const worker = new Worker(new URL('./statement-watch-thread.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  });
  worker.on('error', () => {});
  worker.unref();
  return worker;
}
