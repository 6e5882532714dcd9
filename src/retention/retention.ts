/**
 * Deletes what accounts have kept longer than its term.
 * In: for each kind, functions of its service that find the accounts with old rows and delete some of them; terms by setting
 * and plan.
 * Out: one pass a day over all accounts, by one process of all, as a job of the queue.
 * Invariant: each statement deletes few rows of one account, and an account without old rows has none of its own; what
 * fails is tried again by the next pass.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../platform/database/database.ts';
import { idsOf } from '../platform/database/ids-of.ts';
import { type Batches, inBatches } from '../platform/in-batches.ts';
import type { Log } from '../platform/log.ts';
import { onceAsync } from '../platform/once-async.ts';
import type { Queue } from '../platform/queue/queue.ts';
import { daysOf, type PaidOrFree, type RetentionDays, type RetentionKind, shortestTerm } from './kinds.ts';

/** What a service deletes by age. */
export type Retained = {
  readonly kind: RetentionKind;
  readonly rows: {
    /** Of these accounts, those that may have rows from before. */
    accountsWithOld(accountIds: readonly string[], before: Date): Promise<readonly string[]>;
    /** Deletes at most `limit` of the account's oldest rows from before; returns how many. */
    removeOld(accountId: string, before: Date, limit: number): Promise<number>;
  };
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
/** A statement asks for all of them, so it must not be long for accounts that have much. */
const ACCOUNTS_PER_PAGE = 50;
const PAUSE_MS = 5;

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
      const last = accounts.at(-1);
      if (last === undefined) return;
      for (const one of retained) await prune(one, accounts, signal);
      after = last;
      // Other statements of this process come first.
      await delay(PAUSE_MS);
    }
  }

  async function prune(one: Retained, accountIds: readonly string[], signal: AbortSignal): Promise<void> {
    const shortest = shortestTerm(days, one.kind);
    if (shortest === null) return;
    for (const id of await withOld(one, accountIds, cutoff(shortest))) {
      if (signal.aborted) return;
      await pruneAccount(one, id, signal);
      await delay(PAUSE_MS);
    }
  }

  /** All of them where they cannot be told apart. */
  async function withOld({ kind, rows }: Retained, accountIds: readonly string[], before: Date) {
    try {
      return await rows.accountsWithOld(accountIds, before);
    } catch (error) {
      tell(error, { kind });
      return accountIds;
    }
  }

  async function pruneAccount(
    { kind, rows }: Retained,
    accountId: string,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const term = daysOf(days, kind, await planOf(accountId));
      if (term === null) return;
      const removeSome = (limit: number) => rows.removeOld(accountId, cutoff(term), limit);
      const removed = await inBatches(removeSome, { ...batches, signal });
      if (removed > 0) log.info({ account_id: accountId, kind, removed }, 'deleted what is past its term');
    } catch (error) {
      tell(error, { account_id: accountId, kind });
    }
  }

  function cutoff(term: number): Date {
    return new Date(now() - term * DAY_SECONDS * 1000);
  }

  /** One account or kind must not keep those after it from their turn. */
  function tell(error: unknown, of: { readonly kind: RetentionKind; readonly account_id?: string }): void {
    if (!closing.signal.aborted) log.warn({ err: error, ...of }, 'old rows could not be deleted');
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
  return idsOf(rows);
}
