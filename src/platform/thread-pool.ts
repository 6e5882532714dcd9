import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import type { Fault } from '../errors.ts';
import { type Asker, createWaitingLine } from './fair-queue.ts';

export type { Asker } from './fair-queue.ts';

/** A job as its thread gets it. The thread writes the time it began into `begun`, in milliseconds since 1970. */
export type Timed<Job> = Job & { readonly begun: Float64Array };

export type ThreadPool<Job, Result> = {
  /** Whoever goes away while the job waits takes it along; one that has begun is done, as ending its thread costs more. */
  run(job: Job, asker?: Asker): Promise<Result>;
  /** Ends the threads. Jobs still running fail. */
  close(): Promise<void>;
};

export type ThreadPoolOptions<Job> = {
  /** The thread's file beside the caller's, and the function in it that does a job. */
  readonly file: URL;
  readonly name: string;
  readonly threads: number;
  /** The longest a job may run, in milliseconds. */
  readonly ms: number;
  /** The most a thread may keep. */
  readonly memoryMb: number;
  readonly busy: () => Fault;
  readonly tooSlow: (job: Job, cause: unknown) => Fault;
  readonly tooLarge: (job: Job, cause: unknown) => Fault;
};

const QUEUE = 200;
/** A thread that has not begun a job by then is not coming. */
const START_MS = 20_000;

/**
 * Runs jobs in threads that are ended when a job takes too long or too much memory. A job's time counts from when its thread begins
 * it, so that one slow job costs the next ones a wait and not their lives. Threads start with the first job.
 */
export function createThreadPool<Job extends object, Result>(
  options: ThreadPoolOptions<Job>,
): ThreadPool<Job, Result> {
  const line = createWaitingLine({ places: options.threads, waiting: QUEUE, refuse: options.busy });
  let pool: Promise<Piscina<Timed<Job>, Result>> | null = null;
  let closed = false;

  async function run(job: Job, asker?: Asker): Promise<Result> {
    await line.enter(asker);
    try {
      // What waited when the threads were ended must not start them again.
      if (closed) throw options.busy();
      pool ??= start(options);
      return await runJob(await pool, job, options);
    } finally {
      line.leave();
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
  // A thread may fail when its job has its answer already: ended for its time, it still runs out of memory. The pool
  // starts another by itself; without a listener the event would end the process.
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
  const stop = watch(begun, options.ms, () => controller.abort());
  try {
    return await pool.run({ ...job, begun }, { signal: controller.signal });
  } catch (error) {
    throw explain(error, job, begun, options);
  } finally {
    stop();
  }
}

/** Calls `expired` when the job has run for `ms`, or has not begun in time. Answers how to stop watching. */
function watch(begun: Float64Array, ms: number, expired: () => void): () => void {
  const asked = Date.now();
  let timer = setTimeout(check, ms);
  function check(): void {
    const start = begun[0] ?? 0;
    const left = start > 0 ? start + ms - Date.now() : asked + START_MS - Date.now();
    if (left <= 0) expired();
    else timer = setTimeout(check, Math.min(left, ms));
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
