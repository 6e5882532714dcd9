import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fault } from '../../src/errors.ts';
import { type Job, JobWaits, type NewJob } from '../../src/jobs/job.ts';
import { abandonJob } from '../../src/jobs/job-repo.ts';
import { storeFault } from '../../src/platform/stored-fault.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { aborted, caller, endOf, type Node, newJob, openAccount, openNode, until } from './workshop.ts';

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

test('a job that asks waits, without a process, until all is answered; then any goes on with it', async () => {
  const asking = await openNode(database, {
    burn: () => Promise.reject(new JobWaits({ first: 'This one?', second: 'And this?' })),
  });
  const job = await asking.jobs.create(caller, { ...newJob('burn', { all: true }), asks: true });
  await until(asking, job, ({ status }) => status === 'waiting');
  await asking.stop();
  const door = await openNode(database);
  await door.jobs.answer(caller, job.id, { first: 'yes', other: 'yes' });
  expect(await door.jobs.get(caller.accountId, job.id)).toMatchObject({
    status: 'waiting',
    input: { all: true },
    questions: { first: { asked: 'This one?', answer: 'yes' }, second: { asked: 'And this?' } },
  });
  // The first answer stays.
  await door.jobs.answer(caller, job.id, { first: 'no', second: 'no' });
  const going = await openNode(database, { burn: async ({ questions }) => questions });
  expect(await endOf(going, job)).toMatchObject({
    status: 'completed',
    attempt: 2,
    result: { first: { answer: 'yes' }, second: { answer: 'no' } },
  });
  await Promise.all([going.stop(), door.stop()]);
});

test('a job that asks is answered by who began it, and canceled like any', async () => {
  const node = await openNode(database, { burn: () => Promise.reject(new JobWaits({ sure: 'Sure?' })) });
  const job = await node.jobs.create(caller, newJob('burn'));
  await until(node, job, ({ status }) => status === 'waiting');
  const other = node.jobs.answer({ ...caller, actor: 'other' }, job.id, { sure: 'yes' });
  await expect(other).rejects.toMatchObject({ key: 'forbidden.job_answer' });
  expect(await node.jobs.cancel(caller.accountId, job.id)).toMatchObject({ status: 'canceled' });
  await node.jobs.answer(caller, job.id, { sure: 'yes' });
  expect(await node.jobs.get(caller.accountId, job.id)).toMatchObject({ status: 'canceled', input: {} });
  await node.stop();
});

test('a key with the name of the one that began a job is another one: it neither answers nor sees more than its scopes let it', async () => {
  const node = await openNode(database, { burn: () => Promise.reject(new JobWaits({ sure: 'Sure?' })) });
  const scopes = ['templates:write'] as const;
  const asker = { ...caller, scopes, keyId: 'key_first' };
  const job = await node.jobs.create(asker, newJob('burn'));
  await until(node, job, ({ status }) => status === 'waiting');
  const namesake = { ...asker, keyId: 'key_second' };
  const answer = node.jobs.answer(namesake, job.id, { sure: 'yes' });
  await expect(answer).rejects.toMatchObject({ key: 'forbidden.job_answer' });
  const idsFor = async (one: typeof asker | typeof less) => {
    const { items } = await node.jobs.list(one, { limit: 100 });
    return items.map(({ id }) => id);
  };
  const less = { ...namesake, scopes: [] };
  await expect(node.jobs.read(less, job.id)).rejects.toMatchObject({ key: 'not_found.job' });
  expect(await idsFor(less)).not.toContain(job.id);
  // A key that has lost scopes since still has its own jobs.
  expect(await idsFor({ ...less, keyId: 'key_first' })).toContain(job.id);
  expect(await idsFor(namesake)).toContain(job.id);
  await node.stop();
});

const asked: NewJob = {
  ...newJob('burn'),
  asks: true,
  questions: { earlier: { asked: 'This?', answer: 'yes' } },
};
type Ended = (node: Node, job: Job) => Promise<unknown>;
const canceled: Ended = ({ jobs }, { id }) => jobs.cancel(caller.accountId, id);
const allCanceled: Ended = ({ jobs }) => jobs.cancelAll(caller.accountId);
const forgotten: Ended = async ({ jobs, database: { sql } }, { id }) => {
  await sql`update jobs set created_at = now() - interval '25 hours' where id = ${id}`;
  await jobs.sweep();
};
const lost: Ended = ({ database: { sql } }, { account_id: accountId, id, attempt }) =>
  abandonJob(sql, { accountId, id, attempt }, storeFault(new Fault('internal.job_lost')));

test.each([
  ['canceled', canceled],
  ['canceled with all of its account', allCanceled],
  ['canceled since nobody answers', forgotten],
  ['given up', lost],
])('a job that waits and is %s keeps no questions', async (_how, finish) => {
  const node = await openNode(database, { burn: () => Promise.reject(new JobWaits({ sure: 'Sure?' })) });
  const job = await node.jobs.create(caller, asked);
  const waiting = await until(node, job, ({ status }) => status === 'waiting');
  expect(Object.keys(waiting.questions).sort()).toEqual(['earlier', 'sure']);
  await finish(node, waiting);
  const { input, questions } = await endOf(node, job);
  expect([input, questions]).toEqual([{}, {}]);
  await node.stop();
});

test('a job that is canceled while it comes to ask keeps no questions', async () => {
  const node = await openNode(database, {
    async burn({ account_id, id }) {
      // Canceled here, and not yet heard of.
      await database.sql`update jobs set cancel_requested = true where account_id = ${account_id} and id = ${id}`;
      throw new JobWaits({ sure: 'Sure?' });
    },
  });
  const job = await node.jobs.create(caller, asked);
  const { status, input, questions } = await endOf(node, job);
  expect([status, input, questions]).toEqual(['canceled', {}, {}]);
  await node.stop();
});

test('jobs that wait leave room for others; with 50 of them, an account begins no more that ask', async () => {
  await openAccount(database, 'acc_waits');
  const waits = { ...caller, accountId: 'acc_waits' };
  await database.sql`
    insert into jobs (id, account_id, tool, input, caller, locale, base_url, status)
    select 'job_waits_' || n, 'acc_waits', 'burn', '{}', '{}', 'en', '', case when n <= 50 then 'waiting' else 'queued' end
    from generate_series(1, 1049) n`;
  const node = await openNode(database);
  await expect(node.jobs.create(waits, asked)).rejects.toMatchObject({ key: 'unavailable.jobs_wait' });
  await expect(node.jobs.create(waits, newJob('burn'))).resolves.toMatchObject({ status: 'queued' });
  await expect(node.jobs.create(waits, newJob('burn'))).rejects.toMatchObject({
    key: 'unavailable.jobs_full',
  });
  await node.stop();
});
