import { createRequire } from 'node:module';
import type { Piscina as Pool } from 'piscina';

/*
 * What tests get for the library piscina: the library itself, whose threads are kept when their pool is closed and serve
 * the next pool with the same options. To start two threads and load a compiler in each takes longer than most test files'
 * tests. The product's threads keep nothing from one job to the next.
 */

const library = createRequire(import.meta.url)('piscina') as typeof import('piscina');

/** Threads whose pool is closed, by its options. One pool of each: the threads of more are ended. */
const kept = new Map<string, Pool>();

/** Called with `new`, as the library's class is. What it returns is the caller's alone, also after it is closed. */
export function Piscina(options: object): Pick<Pool, 'run' | 'threads' | 'on' | 'destroy'> {
  const name = JSON.stringify(options);
  const pool = kept.get(name) ?? new library.Piscina(options);
  kept.delete(name);
  let running = 0;
  let closed: Promise<void> | undefined;

  return {
    async run(...job) {
      running += 1;
      try {
        return await pool.run(...job);
      } finally {
        running -= 1;
      }
    },
    on: (...listener) => pool.on(...listener),
    get threads() {
      return pool.threads;
    },
    destroy() {
      closed ??= end();
      return closed;
    },
  };

  /** Running jobs fail, as those of a pool that is closed do: only threads without one are kept. */
  async function end(): Promise<void> {
    if (running > 0 || kept.has(name)) return pool.destroy();
    pool.removeAllListeners('error').on('error', () => {});
    kept.set(name, pool);
  }
}
