import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import type { Fault } from '../errors.ts';
import { createFairQueue, type QueueCaller } from './fair-queue.ts';
import { type Begun, milliseconds, newBegun } from './thread-time.ts';

export type { QueueCaller } from './fair-queue.ts';

/** A job as its thread receives it. The thread calls `begin` with `begun`. */
export type Timed<Job> = Job & { readonly begun: Begun };

export type ThreadPool<Job, Result> = {
  /** Aborting removes a waiting job. A running job is finished, since ending its thread costs more. */
  run(job: Job, caller?: QueueCaller): Promise<Result>;
  /** Ends the threads. Jobs still running fail. */
  close(): Promise<void>;
};

export type ThreadPoolOptions<Job> = {
  /** Entry file of the threads, and the name of its function that runs a job. */
  readonly file: URL;
  readonly name: string;
  readonly threads: number;
  /** Processor time that a job may take. */
  readonly timeoutMs: number;
  /** How much longer than that a job may take by the clock, from when a thread is free for it. Default: 30 seconds. */
  readonly patienceMs?: number;
  /** Heap limit of a thread. */
  readonly memoryMb: number;
  /** Too many jobs wait, or the machine does not get to this one. */
  readonly busy: () => Fault;
  readonly tooSlow: (job: Job, cause: unknown) => Fault;
  readonly tooLarge: (job: Job, cause: unknown) => Fault;
};

const MAX_WAITING = 200;
const PATIENCE_MS = 30_000;
/** A thread is not asked more often than this for the time it has worked. */
const LOOK_MS = 50;

/**
 * Runs jobs in threads that are ended when a job takes too long or too much memory. A job's time is the processor time of
 * its thread: a machine that is short of processors makes jobs late, and in the end `busy`, but never `tooSlow`. It counts
 * from the job's start, so a slow job delays the next ones but does not end them. Threads start with the first job.
 */
export function createThreadPool<Job extends object, Result>(
  options: ThreadPoolOptions<Job>,
): ThreadPool<Job, Result> {
  const queue = createFairQueue({
    concurrency: options.threads,
    waiting: MAX_WAITING,
    rejection: options.busy,
  });
  let pool: Promise<Piscina<Timed<Job>, Result>> | null = null;
  let closed = false;

  async function run(job: Job, caller?: QueueCaller): Promise<Result> {
    await queue.enter(caller);
    try {
      // Jobs that were waiting when the pool closed must not restart it.
      if (closed) throw options.busy();
      pool ??= start(options);
      return await runJob(await pool, job, options);
    } finally {
      queue.leave();
    }
  }

  async function close(): Promise<void> {
    closed = true;
    await (await pool)?.destroy();
  }

  return { run, close };
}

async function start<Job extends object, Result>({
  file,
  name,
  threads,
  memoryMb,
}: ThreadPoolOptions<Job>): Promise<Piscina<Timed<Job>, Result>> {
  const { Piscina } = await import('piscina');
  const pool = new Piscina<Timed<Job>, Result>({
    filename: fileURLToPath(file),
    name,
    // Equal: with fewer, Piscina ends and starts threads between jobs, which costs far more than a job.
    minThreads: threads,
    maxThreads: threads,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    env: {},
    execArgv: [],
  });
  // A thread may fail after its job has been settled: ended for its time, it can still run out of memory. The pool
  // replaces it; without a listener the event would end the process.
  pool.on('error', () => {});
  return pool;
}

async function runJob<Job extends object, Result>(
  pool: Piscina<Timed<Job>, Result>,
  job: Job,
  options: ThreadPoolOptions<Job>,
): Promise<Result> {
  const begun = newBegun();
  const controller = new AbortController();
  const worked = () => workedSince(begun, pool.threads);
  const stop = watch(worked, options, (reason) => controller.abort(reason));
  try {
    return await pool.run({ ...job, begun }, { signal: controller.signal });
  } catch (error) {
    throw explain(error, job, controller.signal.reason, options);
  } finally {
    stop();
  }
}

/** Milliseconds the thread of a job has worked on it; 0 if it has not begun, or its thread is ending. */
async function workedSince([start = 0, id = 0]: Begun, threads: readonly Worker[]): Promise<number> {
  const thread = threads.find(({ threadId }) => threadId === id);
  if (!thread || start === 0) return 0;
  const used = await thread.cpuUsage().catch(() => undefined);
  return used ? milliseconds(used) - start : 0;
}

type Expiry = 'worked' | 'waited';

/** Calls `expired` when the job has worked for its time, or the clock has run out of patience. Returns how to stop watching. */
function watch(
  worked: () => Promise<number>,
  { timeoutMs, patienceMs = PATIENCE_MS }: Pick<ThreadPoolOptions<never>, 'timeoutMs' | 'patienceMs'>,
  expired: (reason: Expiry) => void,
): () => void {
  let watching = true;
  // No thread works longer than the clock runs.
  let look = setTimeout(check, timeoutMs);
  const end = setTimeout(() => expired('waited'), timeoutMs + patienceMs);
  async function check(): Promise<void> {
    const left = timeoutMs - (await worked());
    if (!watching) return;
    if (left <= 0) expired('worked');
    else look = setTimeout(check, Math.max(left, LOOK_MS));
  }
  return () => {
    watching = false;
    clearTimeout(look);
    clearTimeout(end);
  };
}

function explain<Job>(
  error: unknown,
  job: Job,
  expiry: Expiry | undefined,
  { busy, tooSlow, tooLarge }: ThreadPoolOptions<Job>,
): unknown {
  if (error instanceof Error && error.name === 'AbortError')
    return expiry === 'worked' ? tooSlow(job, error) : busy();
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge(job, error) : error;
}
