import type { Sql } from '../platform/database/database.ts';
import { type Changed, changeAmounts, type SpendingChange } from './spending-repo.ts';

type Waiting = {
  readonly change: SpendingChange;
  readonly resolve: (changed: Changed) => void;
  readonly reject: (error: unknown) => void;
};

const MAX_BATCH_SIZE = 200;
/** How long a cost waits for a reservation to go with it. */
const COST_DELAY_MS = 200;

/**
 * The changes of a process to the days of spending, one statement after the other: each takes all changes that have come
 * since the one before. All accounts change the row of the server's day, and who changes it has it until the commit is on
 * the disk; so many statements at once would only wait for each other.
 *
 * In: a change. Out: what the database says of it. Changes of one day happen in their order.
 */
export function createSpendingQueue(sql: Sql) {
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function start(): void {
    clearTimeout(timer);
    timer = undefined;
    running ??= runAll().finally(() => {
      running = undefined;
      schedule();
    });
  }

  /** A reservation is waited for; what calls cost is not. */
  function schedule(): void {
    if (waiting.some(({ change }) => change.cost === null)) start();
    else if (waiting.length > 0) timer ??= setTimeout(start, COST_DELAY_MS).unref();
  }

  async function runAll(): Promise<void> {
    // What comes in the same turn of the event loop goes together.
    await undefined;
    const batch = waiting.slice(0, MAX_BATCH_SIZE);
    waiting = waiting.slice(MAX_BATCH_SIZE);
    // Every process locks the days in the same order.
    await runBatch(batch.toSorted((one, other) => Date.parse(one.change.day) - Date.parse(other.change.day)));
  }

  async function runBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const changed = await changeAmounts(
        sql,
        batch.map(({ change }) => change),
      );
      for (const [at, one] of changed.entries()) batch[at]?.resolve(one);
    } catch (error) {
      // One change, such as that of a deleted account, is not to fail the others.
      if (batch.length === 1) batch[0]?.reject(error);
      else for (const one of batch) await runBatch([one]);
    }
  }

  return {
    change(change: SpendingChange): Promise<Changed> {
      const { promise, resolve, reject } = Promise.withResolvers<Changed>();
      waiting.push({ change, resolve, reject });
      schedule();
      return promise;
    },

    /** Makes all changes that wait. */
    async flush(): Promise<void> {
      while (running || waiting.length > 0) {
        start();
        await running;
      }
    },
  };
}
