import { createRequire } from 'node:module';

/*
 * What tests get for the library piscina: the library itself, whose threads are kept when their pool is closed and serve
 * the next pool with the same options. To start two threads and load a compiler in each takes longer than most test files'
 * tests. The product's threads keep nothing from one job to the next.
 */

const library = createRequire(import.meta.url)('piscina') as typeof import('piscina');

/** Pools that are closed but have their threads, by their options. One of each: more are ended. */
const kept = new Map<string, KeptPool>();

/** Called with `new`, as the library's class is. */
export function Piscina(options: object): KeptPool {
  const name = JSON.stringify(options);
  const found = kept.get(name);
  kept.delete(name);
  return found ?? new KeptPool(options, name);
}

class KeptPool extends library.Piscina {
  readonly #name: string;
  #running = 0;

  constructor(options: object, name: string) {
    super(options);
    this.#name = name;
  }

  override async run(...job: Parameters<InstanceType<typeof library.Piscina>['run']>): Promise<unknown> {
    this.#running += 1;
    try {
      return await super.run(...job);
    } finally {
      this.#running -= 1;
    }
  }

  /** Running jobs fail, as those of a pool that is closed do: only threads without one are kept. */
  override async destroy(): Promise<void> {
    if (this.#running > 0 || kept.has(this.#name)) return super.destroy();
    this.removeAllListeners('error').on('error', () => {});
    kept.set(this.#name, this);
  }
}
