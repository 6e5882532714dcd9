import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import { Fault } from '../../errors.ts';
import type { CompileJob, CompileResult } from './compile-worker.ts';
import { COMPILE_LIMITS } from './limits.ts';
import type { Source } from './source.ts';

export type CompilePool = {
  compile(source: Source): Promise<CompileResult>;
  close(): Promise<void>;
};

const QUEUE = 200;
/** A thread that has not begun a job by then is not coming. */
const START_MS = 20_000;

/**
 * Compiles in threads that are ended when a job takes too long or too much memory. A job's time counts from when its thread begins
 * it, so that one slow source costs the next ones a wait and not their lives. Threads start with the first job.
 */
export function createCompilePool(threads: number, ms: number): CompilePool {
  let pool: Promise<Piscina<CompileJob, CompileResult>> | null = null;
  let running = 0;
  const waiting: (() => void)[] = [];

  async function compile(source: Source): Promise<CompileResult> {
    if (waiting.length >= QUEUE) throw new Fault('unavailable.compiler_busy', {}, { retryAfterSeconds: 2 });
    if (running >= threads) await new Promise<void>((resume) => waiting.push(resume));
    else running++;
    try {
      pool ??= start(threads);
      return await runJob(await pool, source, ms);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }

  async function close(): Promise<void> {
    const started = pool;
    pool = null;
    await (await started)?.destroy();
  }

  return { compile, close };
}

async function start(threads: number): Promise<Piscina<CompileJob, CompileResult>> {
  const { Piscina } = await import('piscina');
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new Piscina({
    filename: fileURLToPath(new URL(`./compile-worker.${extension}`, import.meta.url)),
    name: 'compileJob',
    // Equal: with fewer, Piscina ends and starts threads between jobs, which costs far more than a compile.
    minThreads: threads,
    maxThreads: threads,
    resourceLimits: { maxOldGenerationSizeMb: COMPILE_LIMITS.memoryMb },
    env: {},
    execArgv: [],
  });
}

async function runJob(
  pool: Piscina<CompileJob, CompileResult>,
  source: Source,
  ms: number,
): Promise<CompileResult> {
  const begun = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
  const controller = new AbortController();
  const stop = watch(begun, ms, () => controller.abort());
  try {
    return await pool.run({ source, begun }, { signal: controller.signal });
  } catch (error) {
    throw explain(error, begun, ms);
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

function explain(error: unknown, begun: Float64Array, ms: number): unknown {
  const name = error instanceof Error ? error.name : '';
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (name === 'AbortError' && begun[0] === 0)
    return new Fault('unavailable.compiler_busy', {}, { cause: error });
  if (name === 'AbortError') return new Fault('template_too_complex.time', { limit: ms }, { cause: error });
  if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  return new Fault('template_too_complex.memory', { limit: COMPILE_LIMITS.memoryMb }, { cause: error });
}
