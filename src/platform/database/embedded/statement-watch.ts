import { isMainThread, Worker } from 'node:worker_threads';

export type StatementWatch = {
  /** Runs the work. Once it exceeds `timeoutMs`, `stop` is called while it runs, perhaps repeatedly. */
  guard<Result>(timeoutMs: number, work: () => Promise<Result>): Promise<Result>;
  close(): void;
};

/** Input of the watching thread. `deadline` is one cell, in monotonic milliseconds; 0 means none. */
export type Watched = { readonly deadline: SharedArrayBuffer; readonly event: string };

/**
 * Limits the duration of statements. A statement runs in WebAssembly in this thread, so no timer of this thread fires.
 * Another thread keeps the time and interrupts this one through the inspector to call `stop`.
 * The inspector reaches only the main thread: elsewhere, or without an inspector, statements have no limit.
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

  /** The event may arrive late, when the next statement is already running. */
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

/** The same clock in all threads of the process. */
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
