import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../../errors.ts';
import type { Sql, Tx } from '../database/database.ts';
import { databaseFault } from '../database/database-fault.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Queue } from '../queue/queue.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { FencingToken } from './attempt.ts';
import { createChanges, type Watch } from './changes.ts';
import type { Progress } from './progress-writer.ts';
import type { WorkHandler, WorkItem } from './work-handler.ts';
import { createWorker, WORK_LIMITS, type Worker, type WorkLimits } from './worker.ts';

/** The SQL of work items. `worker.ts` says what each does; `release` returns false when the attempt no longer owns it. */
type WorkRepo<Item> = {
  claim(sql: Sql, fence: FencingToken): Promise<Item | undefined>;
  check(sql: Sql, fence: FencingToken): Promise<WorkItem | undefined>;
  advance(sql: Sql, fence: FencingToken, progress: Progress): Promise<boolean>;
  release(tx: Tx, fence: FencingToken): Promise<boolean>;
};

type WorkQueueDeps<Item> = {
  readonly sql: Sql;
  /** The queue of the process; the caller closes it after this. */
  readonly queue: Queue;
  readonly repo: WorkRepo<Item>;
  readonly name: string;
  /** Name of an item's ID in the log. */
  readonly noun: string;
  readonly log: Log;
  /** Counts the attempts. */
  readonly metrics?: Metrics | undefined;
  readonly tracing?: Tracing | undefined;
  readonly limits?: Partial<WorkLimits> | undefined;
};

/** A work item to queue; `attempt`: how many attempts it has had. */
type Queueable = { readonly account_id: string; readonly id: string; readonly attempt: number };

export type WorkQueue<Item> = {
  /** Before a transaction that adds. @throws Fault unavailable.queue, and those of the database */
  open(): Promise<void>;
  /** Queues items in the transaction that creates them. `ahead`: before those without it. */
  add(tx: Tx, items: readonly Queueable[], options?: { readonly ahead?: boolean }): Promise<void>;
  /** Wakes with every notice about the item. */
  watch(id: string, signal: AbortSignal): Watch;
  /** Works in this process until `close`. Retries while the database is not responding. */
  start<Result>(handler: WorkHandler<Item, Result> & { readonly concurrency: number }): Promise<void>;
  /** A notice: the ID of an item that changed, followed by ` cancel` when its attempt has to end. */
  onNotify(notice: string): void;
  /** Notices may have been missed. */
  onReconnect(): void;
  /** True once work can be added. */
  isOpen(): boolean;
  /** Finishes what it can in a few seconds and releases the rest, for another process or the next start. */
  close(): Promise<void>;
};

/**
 * Work of one kind: items in a table, worked on by any process, at least once, with one outcome each.
 *
 * In: items, queued with the transaction that creates them; notices of the items' channel. Out: attempts (`attempt.ts`) at the
 * kind's handler (`work-handler.ts`), and wake-ups for those who watch an item.
 * The queue decides who works on what and when. This adds the fencing token, progress and cancelation; an item's row says
 * what the work means (status, progress, attempt), never when it is done.
 * Invariant: an attempt whose fencing token is old writes nothing.
 */
export function createWorkQueue<Item extends WorkItem>(deps: WorkQueueDeps<Item>): WorkQueue<Item> {
  const { sql, queue, repo, name, noun, log, metrics, tracing, limits } = deps;
  const { startRetryMs } = { ...WORK_LIMITS, ...limits };
  const changes = createChanges();
  let worker: Worker | undefined;
  let closing: Promise<void> | undefined;

  return {
    async open() {
      await queue.open(name).catch((error: unknown) => {
        throw (
          databaseFault(error) ?? new Fault('unavailable.queue', {}, { retryAfterSeconds: 30, cause: error })
        );
      });
    },

    add,

    watch: changes.watch,

    async start({ concurrency, begin, abandoned }) {
      const own = createWorker({
        claim: (fence) => repo.claim(sql, fence),
        check: (fence) => repo.check(sql, fence),
        advance: (fence, progress) => repo.advance(sql, fence, progress),
        release,
        ...{ begin, abandoned, noun, log, metrics, tracing, limits },
      });
      worker = own;
      while (!closing) {
        try {
          return await queue.work(name, { concurrency, handle: own.handle, abandoned: own.abandoned });
        } catch (error) {
          // A process that stops while it starts has nothing to report.
          if (closing !== undefined) return;
          log.warn({ err: error, queue: name }, 'the workers did not start and will retry');
          await delay(startRetryMs, undefined, { ref: false });
        }
      }
    },

    onNotify(notice) {
      const [id = '', request] = notice.split(' ');
      changes.notify(id);
      if (request === 'cancel') worker?.cancel(id);
    },

    onReconnect() {
      changes.notifyAll();
      void worker?.checkAll();
    },

    isOpen: () => queue.isOpen(name),

    close() {
      closing ??= close();
      return closing;
    },
  };

  async function add(tx: Tx, items: readonly Queueable[], options?: { readonly ahead?: boolean }) {
    const traceparent = tracing?.traceparent();
    const jobs = items.map(({ account_id: accountId, id, attempt: priorAttempts }) => ({
      ...{ accountId, id, priorAttempts },
      ...(traceparent !== undefined && { traceparent }),
    }));
    if (jobs.length > 0) await queue.add(tx, name, jobs, options);
  }

  async function close(): Promise<void> {
    await queue.pause(name);
    await worker?.stop();
  }

  /** With a new job: the deliveries of the old one count workers that died, and this one only stopped. */
  async function release(fence: FencingToken): Promise<void> {
    const { accountId: account_id, id, attempt } = fence;
    await sql.begin(async (tx) => {
      if (await repo.release(tx, fence)) await add(tx, [{ account_id, id, attempt }]);
    });
  }
}
