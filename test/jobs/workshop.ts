import { pino } from 'pino';
import type { Job, NewJob } from '../../src/jobs/job.ts';
import type { RunJob } from '../../src/jobs/job-handler.ts';
import { createJobs, type Jobs } from '../../src/jobs/jobs.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { createQueue } from '../../src/platform/queue/queue.ts';
import type { WorkLimits } from '../../src/platform/work/worker.ts';
import type { TestDatabase } from '../support/database.ts';

export const caller = { accountId: 'acc_test', actor: 'test', scopes: [], via: 'api_key' } as const;

/** What the workers of a test do, by the name of the tool. */
export type Trades = Readonly<Record<string, RunJob>>;

export type Node = {
  readonly jobs: Jobs;
  readonly database: Pick<Database, 'sql' | 'engine'>;
  /** Stops the workers; the database stays open. */
  stop(): Promise<void>;
};

/** Jobs as one process has them. Without trades it takes jobs in, and runs none. */
export async function openNode(
  database: Database,
  trades?: Trades,
  limits: Partial<WorkLimits> = {},
): Promise<Node> {
  const log = pino({ level: 'silent' });
  const queue = createQueue({ database, log });
  const jobs = createJobs({ sql: database.sql, queue, log, limits });
  const listener = await database.sql.listen('jobs', jobs.onNotify, jobs.onReconnect);
  if (trades) await jobs.start({ run: runBy(trades) });
  return {
    jobs,
    database,
    async stop() {
      await jobs.close();
      await queue.close();
      await listener.unlisten();
    },
  };
}

/** A second process's connections to the same PostgreSQL. */
export function openAgain({ url, dataDir }: TestDatabase): Promise<Database> {
  return openDatabase({ url, dataDir });
}

/** An account without anything in it. */
export async function openAccount(
  { sql }: Pick<Database, 'sql'>,
  id: string = caller.accountId,
): Promise<void> {
  await sql`insert into accounts (id, name) values (${id}, ${id}) on conflict do nothing`;
}

function runBy(trades: Trades): RunJob {
  return (job, tools) => {
    const trade = trades[job.tool];
    if (!trade) throw new Error(`nobody does ${job.tool}`);
    return trade(job, tools);
  };
}

export function newJob(tool: string, input: NewJob['input'] = {}): NewJob {
  return { tool, input, locale: 'en', baseUrl: 'http://shop.test' };
}

/** Every state of the job that is seen from now on, the last one being its end. */
export async function statesOf(
  { jobs }: Pick<Node, 'jobs'>,
  { account_id, id }: Job,
  after = 0,
): Promise<Job[]> {
  return Array.fromAsync(jobs.follow(account_id, id, after, AbortSignal.timeout(50_000)));
}

/** The job at its end. */
export async function endOf(node: Pick<Node, 'jobs'>, job: Job): Promise<Job> {
  const last = (await statesOf(node, job)).at(-1);
  if (!last?.finished_at) throw new Error(`${job.id} did not end: it is ${last?.status}`);
  return last;
}

/** Waits for a state of the job. */
export async function until(
  { jobs }: Pick<Node, 'jobs'>,
  { account_id, id }: Job,
  passes: (job: Job) => boolean,
): Promise<Job> {
  for await (const job of jobs.follow(account_id, id, 0, AbortSignal.timeout(50_000)))
    if (passes(job)) return job;
  throw new Error(`${id} never came to that`);
}

/** Resolves when it is told to, rejects when the signal aborts. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    open: () => resolve(),
    pass: (signal: AbortSignal) => Promise.race([promise, aborted(signal)]),
  };
}

/** Never resolves: work that ends only when it is told to. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
