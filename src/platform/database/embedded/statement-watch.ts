import { Session } from 'node:inspector';

/** What the thread that runs statements and the one that watches it share. */
export type Watched = {
  /** When the running statement must have ended: one cell, in monotonic milliseconds; 0 means none. */
  readonly deadline: SharedArrayBuffer;
  /** Emitted on `process` of the thread that runs an overdue statement. */
  readonly event: string;
};

export type StatementWatch = { readonly watched: Watched; close(): void };

export type StatementTimer = {
  /** Runs the work. Once it exceeds `timeoutMs`, `stop` is called while it runs, perhaps repeatedly. */
  guard<Result>(timeoutMs: number, work: () => Promise<Result>): Promise<Result>;
};

const CHECK_INTERVAL_MS = 200;

let watches = 0;

/**
 * Limits the duration of statements that a thread with this file as its entry runs, in the main thread. Such a thread is
 * busy in WebAssembly, so none of its timers fires; it is interrupted through the inspector. That reaches only threads
 * which have been started by the main thread, after this: elsewhere statements have no limit.
 *
 * One session for as long as the thread lives: connecting while any thread starts or ends can crash the process.
 */
export function watchStatements(thread: URL): StatementWatch {
  const watched = { deadline: new SharedArrayBuffer(8), event: `stallhand:statement-overdue:${++watches}` };
  const cell = new BigInt64Array(watched.deadline);
  const threads = new Set<string>();
  const session = new Session();
  session.connect();
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) => {
    if (workerInfo.url === thread.href) threads.add(sessionId);
  });
  session.on('NodeWorker.detachedFromWorker', ({ params }) => threads.delete(params.sessionId));
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });

  const expression = `process.emit(${JSON.stringify(watched.event)})`;
  const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } });
  const timer = setInterval(() => {
    if (!isOverdue(cell)) return;
    for (const sessionId of threads) session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
  }, CHECK_INTERVAL_MS).unref();

  return {
    watched,
    close() {
      clearInterval(timer);
      session.disconnect();
    },
  };
}

/** In the thread that is watched. */
export function timeStatements({ deadline, event }: Watched, stop: () => void): StatementTimer {
  const cell = new BigInt64Array(deadline);
  process.on(event, () => {
    // The event may arrive late, when the next statement is already running.
    if (isOverdue(cell)) stop();
  });
  return {
    async guard(timeoutMs, work) {
      if (Number.isFinite(timeoutMs)) Atomics.store(cell, 0, monotonicMs() + BigInt(Math.ceil(timeoutMs)));
      try {
        return await work();
      } finally {
        Atomics.store(cell, 0, 0n);
      }
    },
  };
}

function isOverdue(deadline: BigInt64Array): boolean {
  const due = Atomics.load(deadline, 0);
  return due !== 0n && monotonicMs() >= due;
}

/** The same clock in all threads of the process. */
function monotonicMs(): bigint {
  return process.hrtime.bigint() / 1_000_000n;
}
