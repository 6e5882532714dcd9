import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import type { Fault } from '../errors.ts';
import { createFairQueue, type QueueCaller } from './fair-queue.ts';

export type { QueueCaller } from './fair-queue.ts';

/** A job as its thread receives it. The thread writes its start time into `begun`, in milliseconds since 1970. */
export type Timed<Job> = Job & { readonly begun: Float64Array };

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
  /** Time limit of a job. */
  readonly timeoutMs: number;
  /** Heap limit of a thread. */
  readonly memoryMb: number;
  readonly busy: () => Fault;
  readonly tooSlow: (job: Job, cause: unknown) => Fault;
  readonly tooLarge: (job: Job, cause: unknown) => Fault;
};

const MAX_WAITING = 200;
/** A thread that has not started a job by then will not. */
const START_TIMEOUT_MS = 20_000;

/**
 * Runs jobs in threads that are ended when a job takes too long or too much memory. A job's time counts from its start
 * in the thread, so a slow job delays the next ones but does not end them. Threads start with the first job.
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
  const begun = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
  const controller = new AbortController();
  const stop = watch(begun, options.timeoutMs, () => controller.abort());
  try {
    return await pool.run({ ...job, begun }, { signal: controller.signal });
  } catch (error) {
    throw explain(error, job, begun, options);
  } finally {
    stop();
  }
}

/** Calls `expired` when the job has run for `timeoutMs` or has not started in time. Returns how to stop watching. */
function watch(begun: Float64Array, timeoutMs: number, expired: () => void): () => void {
  const submitted = Date.now();
  let timer = setTimeout(check, timeoutMs);
  function check(): void {
    const start = begun[0] ?? 0;
    const left = start > 0 ? start + timeoutMs - Date.now() : submitted + START_TIMEOUT_MS - Date.now();
    if (left <= 0) expired();
    else timer = setTimeout(check, Math.min(left, timeoutMs));
  }
  return () => clearTimeout(timer);
}

function explain<Job>(
  error: unknown,
  job: Job,
  begun: Float64Array,
  { busy, tooSlow, tooLarge }: ThreadPoolOptions<Job>,
): unknown {
  const name = error instanceof Error ? error.name : '';
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (name === 'AbortError') return begun[0] === 0 ? busy() : tooSlow(job, error);
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge(job, error) : error;
}
