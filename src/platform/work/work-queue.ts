import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../../errors.ts';
import { type Database, databaseFault, type Sql, type Tx } from '../database/database.ts';
import type { Log } from '../log.ts';
import { createQueue } from '../queue/queue.ts';
import type { Fence } from './attempt.ts';
import { createChanges, type Watch } from './changes.ts';
import type { Asked, Craft } from './craft.ts';
import { LIMITS, type WorkLimits } from './limits.ts';
import type { Progress } from './progress-writer.ts';
import { Ticket } from './ticket.ts';
import { createWorker, type Worker } from './worker.ts';

/** The SQL of the pieces of work; what it does is said in `worker.ts`, but that `release` only answers whether it did. */
type WorkStore<Piece> = {
  claim(fence: Fence): Promise<Piece | undefined>;
  beat(fence: Fence): Promise<Asked | undefined>;
  advance(fence: Fence, progress: Progress): Promise<boolean>;
  release(fence: Fence): Promise<boolean>;
};

type WorkQueueParts<Piece> = {
  readonly database: Pick<Database, 'sql' | 'engine'>;
  readonly storeOf: (sql: Sql | Tx) => WorkStore<Piece>;
  readonly name: string;
  /** What the log calls the id of a piece, and what it calls all this. */
  readonly words: { readonly noun: string; readonly queue: string };
  readonly log: Log;
  readonly limits?: Partial<WorkLimits> | undefined;
};

export type WorkQueue<Piece> = {
  /** Before a transaction that adds. @throws Fault unavailable.queue, and those of the database */
  open(): Promise<void>;
  /** Queues a piece in the transaction that makes it, perhaps ahead of those that wait. */
  add(tx: Tx, ticket: Ticket, options?: { readonly ahead?: boolean }): Promise<void>;
  /** Queues a piece that may have lost its ticket: false when it has one. */
  restore(ticket: Ticket): Promise<boolean>;
  /** Wakes whenever a notice of the piece is heard. */
  watch(id: string, signal: AbortSignal): Watch;
  /** Does work in this process, so much at once, until `close`. While the database does not answer it tries again. */
  start<Result>(craft: Craft<Piece, Result> & { readonly concurrency: number }): Promise<void>;
  /** A notice: the id of a piece that changed, and perhaps what is asked of it, which is `cancel`. */
  heard(notice: string): void;
  /** Notices may have been missed. */
  heardAgain(): void;
  /** True once work can be taken in. */
  isOpen(): boolean;
  /** Finishes what it can in some seconds; the rest goes back to the queue, for another process or the next start. */
  close(): Promise<void>;
};

/** Work of one kind, kept in the database and done by any process, at least once; each end of it is written once. */
export function createWorkQueue<Piece extends Asked>({
  database,
  storeOf,
  name,
  words,
  log,
  limits,
}: WorkQueueParts<Piece>): WorkQueue<Piece> {
  const { sql } = database;
  const { retryStartMs } = { ...LIMITS, ...limits };
  const queue = createQueue({ database, log, name, ticket: Ticket });
  const changes = createChanges();
  let worker: Worker | undefined;
  let closing: Promise<void> | undefined;

  return {
    async open() {
      await queue.open().catch((error: unknown) => {
        throw (
          databaseFault(error) ?? new Fault('unavailable.queue', {}, { retryAfterSeconds: 30, cause: error })
        );
      });
    },

    add: queue.add,

    async restore(ticket) {
      const { accountId, id } = ticket;
      if (await queue.has({ accountId, id })) return false;
      // Two that find it at once do no harm: the tickets stand for one and the same attempt.
      await sql.begin((tx) => queue.add(tx, ticket));
      return true;
    },

    watch: changes.watch,

    async start({ concurrency, begin, lost }) {
      const { noun } = words;
      const own = createWorker({ ...storeOf(sql), release, begin, lost, noun, log, limits });
      worker = own;
      while (!closing) {
        try {
          return await queue.work({ concurrency, handle: own.handle, lost: own.lost });
        } catch (error) {
          log.warn({ err: error }, `${words.queue} did not start, and tries again`);
          await delay(retryStartMs, undefined, { ref: false });
        }
      }
    },

    heard(notice) {
      const [id = '', asked] = notice.split(' ');
      changes.tell(id);
      if (asked === 'cancel') worker?.cancel(id);
    },

    heardAgain: () => changes.tellAll(),

    isOpen: () => queue.isOpen(),

    close() {
      closing ??= close();
      return closing;
    },
  };

  async function close(): Promise<void> {
    await queue.pause();
    await worker?.stop();
    await queue.close();
  }

  /** A new ticket, since the old one counts the workers that were lost, and this one was only stopped. */
  async function release({ accountId, id, attempt }: Fence): Promise<void> {
    await sql.begin(async (tx) => {
      const released = await storeOf(tx).release({ accountId, id, attempt });
      if (released) await queue.add(tx, { accountId, id, from: attempt });
    });
  }
}
