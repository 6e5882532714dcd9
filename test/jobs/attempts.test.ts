import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createJobWork, type RunJob } from '../../src/jobs/job-work.ts';
import { createJobStore, type JobStore } from '../../src/jobs/store.ts';
import { createWorker } from '../../src/platform/work/worker.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { aborted, caller, newJob, openAccount } from './workshop.ts';

let database: TestDatabase;
let store: JobStore;

beforeAll(async () => {
  database = await openTestDatabase();
  store = createJobStore(database.sql);
  await openAccount(database);
});
beforeEach(async () => {
  await database.sql`delete from jobs`;
  await store.insert(ID, caller, newJob('work'), 10);
});
afterAll(() => database.close());

const ID = 'job_one';
const ticket = { accountId: caller.accountId, id: ID, from: 0 };
const signal = new AbortController().signal;

/** A worker, as the queue would have it. */
function workerOf(run: RunJob) {
  const log = pino({ level: 'silent' });
  const work = createJobWork({ store, run, log });
  return createWorker({
    ...store,
    ...work,
    release: async () => {},
    noun: 'job',
    log,
    limits: { beatMs: 5 },
  });
}

test('a worker that was taken for dead and comes back late changes nothing, and is told to end', async () => {
  const { promise: taken, resolve: take } = Promise.withResolvers<void>();
  let told = false;
  const late = workerOf(async (_job, { signal: end, progress }) => {
    await taken;
    progress(1, 2, 'from the late one');
    await aborted(end).catch(() => {});
    told = true;
    return 'from the late one';
  }).handle(ticket, { retry: 0, signal });
  while ((await store.find(caller.accountId, ID))?.attempt !== 1);
  await workerOf(async () => 'from the next one').handle(ticket, { retry: 1, signal });
  const done = await store.find(caller.accountId, ID);
  take();
  await late;
  expect(done).toMatchObject({ status: 'completed', attempt: 2, result: 'from the next one' });
  expect(await store.find(caller.accountId, ID)).toEqual(done);
  expect(told).toBe(true);
});

test('a ticket that comes twice is done once', async () => {
  const runs: number[] = [];
  const worker = workerOf(async ({ attempt }) => runs.push(attempt));
  await worker.handle(ticket, { retry: 0, signal });
  await worker.handle(ticket, { retry: 0, signal });
  await worker.handle(ticket, { retry: 1, signal });
  expect(runs).toEqual([1]);
});

test('a delivery older than the attempt that runs is dropped', async () => {
  await store.claim({ accountId: caller.accountId, id: ID, attempt: 2 });
  const runs: number[] = [];
  await workerOf(async ({ attempt }) => runs.push(attempt)).handle(ticket, { retry: 0, signal });
  expect(runs).toEqual([]);
});

test('a job whose cancellation was asked for before its worker died is not run again', async () => {
  await store.claim({ accountId: caller.accountId, id: ID, attempt: 1 });
  await store.cancel(caller.accountId, ID);
  const runs: number[] = [];
  await workerOf(async ({ attempt }) => runs.push(attempt)).handle(ticket, { retry: 1, signal });
  expect(runs).toEqual([]);
  expect(await store.find(caller.accountId, ID)).toMatchObject({ status: 'canceled', attempt: 2 });
});

test('a worker whose notice of a cancellation was lost finds it at its next heartbeat', async () => {
  const work = workerOf((_job, { signal: end }) => aborted(end)).handle(ticket, { retry: 0, signal });
  while (!(await store.cancel(caller.accountId, ID)));
  await work;
  expect(await store.find(caller.accountId, ID)).toMatchObject({ status: 'canceled' });
});

test('a job whose workers all died fails, unless a later one has it', async () => {
  const worker = workerOf(async () => {});
  await store.claim({ accountId: caller.accountId, id: ID, attempt: 4 });
  await worker.lost(ticket);
  expect(await store.find(caller.accountId, ID)).toMatchObject({ status: 'running' });
  await worker.lost({ ...ticket, from: 1 });
  expect(await store.find(caller.accountId, ID)).toMatchObject({
    status: 'failed',
    error: { key: 'internal.job_lost', params: {} },
  });
});
