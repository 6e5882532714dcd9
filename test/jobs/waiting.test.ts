import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { aborted, caller, endOf, newJob, openAccount, openNode, until } from './workshop.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
  await openAccount(database);
});
afterAll(() => database.close());

test('a job that waits is canceled at once, and never runs', async () => {
  const door = await openNode(database);
  const canceled = await door.jobs.create(caller, newJob('note'));
  expect(await door.jobs.cancel(caller.accountId, canceled.id)).toMatchObject({
    status: 'canceled',
    cancel_requested: true,
  });
  const next = await door.jobs.create(caller, newJob('note'));
  const ran: string[] = [];
  const worker = await openNode(database, { note: async ({ id }) => void ran.push(id) });
  await endOf(worker, next);
  await Promise.all([worker.stop(), door.stop()]);
  expect(ran).toEqual([next.id]);
});

test('a process that stops gives back what it was running, which another finishes; that costs no try', async () => {
  const door = await openNode(database);
  const job = await door.jobs.create(caller, newJob('work'));
  for (let stops = 1; stops <= 4; stops++) {
    const stopping = await openNode(
      database,
      { work: (_job, { signal }) => aborted(signal) },
      { gracePeriodMs: 20 },
    );
    await until(stopping, job, ({ status, attempt }) => status === 'running' && attempt === stops);
    await stopping.stop();
    expect(await door.jobs.get(caller.accountId, job.id)).toMatchObject({ status: 'queued', attempt: stops });
  }
  const last = await openNode(database, { work: async () => 'done' });
  expect(await endOf(last, job)).toMatchObject({ status: 'completed', attempt: 5, result: 'done' });
  await Promise.all([last.stop(), door.stop()]);
});

test('a process that stops lets a job end that is about to', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const work = async () => {
    begin();
    await stopped;
    return 'just in time';
  };
  const node = await openNode(database, { work });
  const job = await node.jobs.create(caller, newJob('work'));
  // The job is seen as running a moment before the work begins; a stop in between gives it back instead.
  await begun;
  const stopping = node.stop();
  stop();
  await stopping;
  const { status, attempt, result } = await node.jobs.get(caller.accountId, job.id);
  expect({ status, attempt, result }).toEqual({ status: 'completed', attempt: 1, result: 'just in time' });
});

test('a job that takes longer than its limit is aborted, and fails', async () => {
  const node = await openNode(
    database,
    { work: (_job, { signal }) => aborted(signal) },
    { attemptTimeoutMs: 20 },
  );
  const { status, error } = await endOf(node, await node.jobs.create(caller, newJob('work')));
  expect({ status, key: error?.key }).toEqual({ status: 'failed', key: 'internal.job_late' });
  await node.stop();
});
