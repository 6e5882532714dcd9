import { Fault } from '../../errors.ts';
import { createThreadPool, type QueueCaller } from '../../platform/thread-pool.ts';
import type { CompileResult } from './compile-worker.ts';
import { COMPILE_LIMITS } from './limits.ts';
import type { Source } from './source.ts';

export type CompilePool = {
  compile(source: Source, asker?: QueueCaller): Promise<CompileResult>;
  close(): Promise<void>;
};

/** Compiles in threads of its own, each source for at most `ms`. */
export function createCompilePool(threads: number, ms: number): CompilePool {
  const { memoryMb } = COMPILE_LIMITS;
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const pool = createThreadPool<{ readonly source: Source }, CompileResult>({
    file: new URL(`./compile-worker.${extension}`, import.meta.url),
    name: 'compileJob',
    threads,
    timeoutMs: ms,
    memoryMb,
    busy: () => new Fault('unavailable.compiler_busy', {}, { retryAfterSeconds: 2 }),
    tooSlow: (_job, cause) => new Fault('template_too_complex.time', { limit: ms }, { cause }),
    tooLarge: (_job, cause) => new Fault('template_too_complex.memory', { limit: memoryMb }, { cause }),
  });
  return { compile: (source, asker) => pool.run({ source }, asker), close: pool.close };
}
