/**
 * Deletes what accounts have kept longer than its term.
 * In: for each kind, a function of its service that deletes some rows of one account; terms by setting and plan.
 * Out: one pass a day over all accounts, by one process of all, as a job of the queue.
 * Invariant: each statement deletes few rows of one account; what fails is tried again by the next pass.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Sql } from '../platform/database/database.ts';
import { type Batches, inBatches } from '../platform/in-batches.ts';
import type { Log } from '../platform/log.ts';
import { onceAsync } from '../platform/once-async.ts';
import type { Queue } from '../platform/queue/queue.ts';
import { daysOf, type PaidOrFree, type RetentionDays, type RetentionKind } from './kinds.ts';

/** What a service deletes by age. */
export type Retained = {
  readonly kind: RetentionKind;
  /** Deletes at most `limit` of the account's oldest rows from before; returns how many. */
  remove(accountId: string, before: Date, limit: number): Promise<number>;
};

type RetentionDeps = {
  readonly sql: Sql;
  readonly queue: Queue;
  readonly log: Log;
  /** The setting; its kinds replace the default terms. */
  readonly days: RetentionDays | undefined;
  readonly planOf: (accountId: string) => Promise<PaidOrFree>;
  readonly retained: readonly Retained[];
  readonly now?: () => number;
  readonly batches?: Batches;
};

const QUEUE = 'retention';
const DAY_SECONDS = 86_400;
const ACCOUNTS_PER_PAGE = 500;
const ACCOUNT_PAUSE_MS = 5;
const Ids = z.array(z.object({ id: z.string() }));

export function createRetention({ sql, queue, log, days, planOf, retained, ...deps }: RetentionDeps) {
  const { now = Date.now, batches = {} } = deps;
  const closing = new AbortController();
  // A process that lives less than the delay of the first hourly work needs no worker for this.
  const startWorker = onceAsync(() =>
    queue.work(QUEUE, {
      concurrency: 1,
      handle: (_job, { signal }) => pass(AbortSignal.any([signal, closing.signal])),
      // The next day has another job.
      abandoned: async () => log.warn({ queue: QUEUE }, 'old rows could not be deleted today'),
    }),
  );

  async function pass(signal: AbortSignal): Promise<void> {
    for (let after = ''; !signal.aborted; ) {
      const accounts = await listAccounts(sql, after);
      for (const id of accounts) await prune(id, signal);
      const last = accounts.at(-1);
      if (last === undefined) return;
      after = last;
    }
  }

  async function prune(accountId: string, signal: AbortSignal): Promise<void> {
    const plan = await planOf(accountId);
    for (const { kind, remove } of retained) {
      const term = daysOf(days, kind, plan);
      if (term === null) continue;
      const before = new Date(now() - term * DAY_SECONDS * 1000);
      await removeAll(kind, accountId, (limit) => remove(accountId, before, limit), signal);
    }
    // Other statements of this process come first.
    await delay(ACCOUNT_PAUSE_MS);
  }

  async function removeAll(
    kind: RetentionKind,
    accountId: string,
    removeSome: (limit: number) => Promise<number>,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const removed = await inBatches(removeSome, { ...batches, signal });
      if (removed > 0) log.info({ account_id: accountId, kind, removed }, 'deleted what is past its term');
    } catch (error) {
      // One account must not keep those after it from their turn.
      if (!closing.signal.aborted)
        log.warn({ err: error, account_id: accountId, kind }, 'old rows could not be deleted');
    }
  }

  return {
    /** Has today's pass done, once by all processes together; call it hourly. */
    async work(): Promise<void> {
      await startWorker();
      const job = { accountId: 'all', id: new Date(now()).toISOString().slice(0, 10), priorAttempts: 0 };
      await sql.begin((tx) => queue.add(tx, QUEUE, [job], { onceInSeconds: DAY_SECONDS }));
    },

    /** Deletes all that is past its term now. */
    pass: () => pass(closing.signal),

    close: async () => closing.abort(),
  };
}

async function listAccounts(sql: Sql, after: string): Promise<string[]> {
  const rows = await sql`select id from accounts where id > ${after} order by id limit ${ACCOUNTS_PER_PAGE}`;
  return Ids.parse(rows).map(({ id }) => id);
}
