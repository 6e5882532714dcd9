import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createJobHandler, type RunJob } from '../../src/jobs/job-handler.ts';
import * as jobRepo from '../../src/jobs/job-repo.ts';
import { createWorker } from '../../src/platform/work/worker.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { aborted, caller, newJob, openAccount } from './workshop.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
  await openAccount(database);
});
beforeEach(async () => {
  await database.sql`delete from jobs`;
  await database.sql.begin((tx) => jobRepo.insertJob(tx, ID, { caller, job: newJob('work'), limit: 10 }));
});
afterAll(() => database.close());

const ID = 'job_one';
const queued = { accountId: caller.accountId, id: ID, priorAttempts: 0 };
const signal = new AbortController().signal;
const away = <T>(wait: () => Promise<T>): Promise<T> => wait();

/** A worker, as the queue would have it. */
function workerOf(run: RunJob) {
  const { sql } = database;
  const log = pino({ level: 'silent' });
  return createWorker({
    claim: (fence) => jobRepo.claimJob(sql, fence),
    check: (fence) => jobRepo.checkJob(sql, fence),
    advance: (fence, progress) => jobRepo.advanceJob(sql, fence, progress),
    release: async () => {},
    ...createJobHandler({ sql, run, log }),
    noun: 'job',
    log,
  });
}

const find = () => jobRepo.findJob(database.sql, caller.accountId, ID);

test('a worker that was taken for dead and comes back late changes nothing, and is aborted', async () => {
  const { promise: taken, resolve: take } = Promise.withResolvers<void>();
  let told = false;
  const late = workerOf(async (_job, { signal: end, progress }) => {
    await taken;
    progress(1, 2, 'from the late one');
    await aborted(end).catch(() => {});
    told = true;
    return 'from the late one';
  }).handle(queued, { retryCount: 0, signal, away });
  while ((await find())?.attempt !== 1);
  await workerOf(async () => 'from the next one').handle(queued, { retryCount: 1, signal, away });
  const done = await find();
  take();
  await late;
  expect(done).toMatchObject({ status: 'completed', attempt: 2, result: 'from the next one' });
  expect(await find()).toEqual(done);
  expect(told).toBe(true);
});

test('a job that is delivered twice is done once', async () => {
  const runs: number[] = [];
  const worker = workerOf(async ({ attempt }) => runs.push(attempt));
  await worker.handle(queued, { retryCount: 0, signal, away });
  await worker.handle(queued, { retryCount: 0, signal, away });
  await worker.handle(queued, { retryCount: 1, signal, away });
  expect(runs).toEqual([1]);
});

test('a delivery older than the attempt that runs is dropped', async () => {
  await jobRepo.claimJob(database.sql, { accountId: caller.accountId, id: ID, attempt: 2 });
  const runs: number[] = [];
  await workerOf(async ({ attempt }) => runs.push(attempt)).handle(queued, { retryCount: 0, signal, away });
  expect(runs).toEqual([]);
});

test('a job whose cancellation was asked for before its worker died is not run again', async () => {
  await jobRepo.claimJob(database.sql, { accountId: caller.accountId, id: ID, attempt: 1 });
  await jobRepo.cancelJob(database.sql, caller.accountId, ID);
  const runs: number[] = [];
  await workerOf(async ({ attempt }) => runs.push(attempt)).handle(queued, { retryCount: 1, signal, away });
  expect(runs).toEqual([]);
  expect(await find()).toMatchObject({ status: 'canceled', attempt: 2 });
});

test('a worker that missed the notice of a cancelation finds it when it listens again', async () => {
  const worker = workerOf((_job, { signal: end }) => aborted(end));
  const work = worker.handle(queued, { retryCount: 0, signal, away });
  while ((await find())?.status !== 'running');
  await jobRepo.cancelJob(database.sql, caller.accountId, ID);
  await worker.checkAll();
  await work;
  expect(await find()).toMatchObject({ status: 'canceled' });
});

test('a job whose workers all died fails, unless a later one has it', async () => {
  const worker = workerOf(async () => {});
  await jobRepo.claimJob(database.sql, { accountId: caller.accountId, id: ID, attempt: 4 });
  await worker.abandoned(queued);
  expect(await find()).toMatchObject({ status: 'running' });
  await worker.abandoned({ ...queued, priorAttempts: 1 });
  expect(await find()).toMatchObject({
    status: 'failed',
    error: { key: 'internal.job_lost', params: {} },
  });
});
