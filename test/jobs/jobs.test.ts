import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Fault } from '../../src/errors.ts';
import type { Job } from '../../src/jobs/job.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  aborted,
  caller,
  endOf,
  gate,
  type Node,
  newJob,
  openAccount,
  openNode,
  statesOf,
  until,
} from './workshop.ts';

let database: TestDatabase;
let node: Node;
let counting = gate();

beforeAll(async () => {
  database = await openTestDatabase();
  await openAccount(database);
  node = await openNode(database, {
    async count(job, { signal, progress }) {
      await counting.pass(signal);
      const to = Number(job.input['to']);
      for (let done = 1; done <= to; done++) progress(done, to, `${done} counted`);
      return { counted: to, unsaid: undefined };
    },
    async fail() {
      throw new Fault('not_found.template', { name: 'gone' }, { data: { looked_in: ['main'] } });
    },
    async crash() {
      throw new TypeError('a secret of the house');
    },
    wait: (_job, { signal }) => aborted(signal),
    async stubborn(_job, { signal }) {
      await aborted(signal).catch(() => {});
      return 'done all the same';
    },
    async unstorable() {
      return 'a zero byte: \0';
    },
  });
});
beforeEach(() => {
  counting = gate();
  counting.open();
});
afterAll(async () => {
  await node.stop();
  await database.close();
});

const create = (tool: string, input = {}) => node.jobs.create(caller, newJob(tool, input));

describe('a job', () => {
  test('is queued, runs, tells how far it is, and completes with what its tool answered', async () => {
    counting = gate();
    const job = await create('count', { to: 3 });
    expect(job).toMatchObject({ tool: 'count', input: { to: 3 }, status: 'queued', attempt: 0, revision: 1 });
    expect(job.id).toMatch(/^job_/);
    await until(node, job, ({ status }) => status === 'running');
    counting.open();
    const end = await endOf(node, job);
    expect(end).toMatchObject({
      // What it was to do is kept no longer than needed.
      input: {},
      status: 'completed',
      attempt: 1,
      progress: { done: 3, total: 3, message: '3 counted' },
      result: { counted: 3 },
      error: null,
      cancel_requested: false,
    });
    expect(end.finished_at?.getTime()).toBeGreaterThanOrEqual(end.started_at?.getTime() ?? Number.NaN);
  });

  test('fails with the fault its tool threw', async () => {
    const { status, result, error } = await endOf(node, await create('fail'));
    expect({ status, result, error }).toEqual({
      status: 'failed',
      result: null,
      error: {
        key: 'not_found.template',
        params: { name: 'gone' },
        errors: [],
        data: { looked_in: ['main'] },
      },
    });
  });

  test('that failed by a mistake of ours does not say which', async () => {
    const { status, error } = await endOf(node, await create('crash'));
    expect({ status, error }).toEqual({
      status: 'failed',
      error: { key: 'internal.unexpected', params: {}, errors: [], data: {} },
    });
  });

  test('whose result the database cannot hold fails, once', async () => {
    const { status, attempt, error } = await endOf(node, await create('unstorable'));
    expect({ status, attempt, key: error?.key }).toEqual({
      status: 'failed',
      attempt: 1,
      key: 'internal.unexpected',
    });
  });

  test('that runs is told to end when it is canceled', async () => {
    const job = await create('wait');
    await until(node, job, ({ status }) => status === 'running');
    const asked = await node.jobs.cancel(caller.accountId, job.id);
    expect(asked).toMatchObject({ status: 'running', cancel_requested: true });
    expect(await endOf(node, job)).toMatchObject({ status: 'canceled', result: null, error: null });
  });

  test('that was done before it heard of its cancellation is completed', async () => {
    const job = await create('stubborn');
    await until(node, job, ({ status }) => status === 'running');
    await node.jobs.cancel(caller.accountId, job.id);
    expect(await endOf(node, job)).toMatchObject({ status: 'completed', result: 'done all the same' });
  });

  test('that is finished cannot be canceled, and canceling twice is canceling once', async () => {
    const done = await endOf(node, await create('count', { to: 1 }));
    await expect(node.jobs.cancel(caller.accountId, done.id)).rejects.toMatchObject({
      key: 'conflict.job_finished',
      params: { status: 'completed' },
    });
    const canceled = await create('wait');
    await node.jobs.cancel(caller.accountId, canceled.id);
    const end = await endOf(node, canceled);
    expect(await node.jobs.cancel(caller.accountId, canceled.id)).toEqual(end);
  });

  test('of another account is not found', async () => {
    const { id } = await create('count', { to: 1 });
    await expect(node.jobs.get('acc_other', id)).rejects.toMatchObject({ key: 'not_found.job' });
    await expect(node.jobs.cancel('acc_other', id)).rejects.toMatchObject({ key: 'not_found.job' });
  });
});

describe('following a job', () => {
  test('goes on after the revision that was seen last, and ends with the job', async () => {
    counting = gate();
    const job = await create('count', { to: 2 });
    const running = await until(node, job, ({ status }) => status === 'running');
    counting.open();
    const news = await statesOf(node, job, running.revision);
    expect(news.map(({ revision }) => revision > running.revision)).not.toContain(false);
    expect(news.at(-1)?.status).toBe('completed');
    expect(await statesOf(node, job, news.at(-1)?.revision)).toEqual([]);
  });

  test('ends with its signal, and leaves nothing behind', async () => {
    const job = await create('wait');
    const leaving = new AbortController();
    const seen = [];
    for await (const { status } of node.jobs.follow(caller.accountId, job.id, 0, leaving.signal)) {
      seen.push(status);
      if (status === 'running') leaving.abort();
    }
    expect(seen.at(-1)).toBe('running');
    await node.jobs.cancel(caller.accountId, job.id);
    await endOf(node, job);
  });
});

describe('many jobs', () => {
  test('200 waiting jobs are done without a pause, each once, while others may use the database', async () => {
    const jobs = await Promise.all(Array.from({ length: 200 }, (_, to) => create('count', { to })));
    await Promise.all(Array.from({ length: 50 }, () => database.sql`select 1`));
    const ends: Job[] = [];
    for (const job of jobs) ends.push(await endOf(node, job));
    expect(ends.map(({ status, attempt, result }) => ({ status, attempt, result }))).toEqual(
      jobs.map((_, to) => ({ status: 'completed', attempt: 1, result: { counted: to } })),
    );
  });

  test('are listed newest first, by state and page by page', async () => {
    await openAccount(database, 'acc_list');
    const lister = { ...caller, accountId: 'acc_list' };
    const made = [];
    for (const tool of ['count', 'fail', 'count'])
      made.push(await node.jobs.create(lister, newJob(tool, { to: 1 })));
    for (const job of made) await endOf(node, job);
    const first = await node.jobs.list(lister, { limit: 2 });
    const rest = await node.jobs.list(lister, { limit: 2, cursor: first.next_cursor ?? undefined });
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(made.map(({ id }) => id).reverse());
    expect(rest.next_cursor).toBeNull();
    expect(first.items[0]?.result).not.toBeNull();
    const bare = await node.jobs.list(lister, { limit: 2, withResults: false });
    expect(bare.items).toEqual(first.items.map((job) => ({ ...job, result: null })));
    const failed = await node.jobs.list(lister, { limit: 10, status: 'failed' });
    expect(failed.items.map(({ id }) => id)).toEqual([made[1]?.id]);
  });

  test('of one account have a bound, others do not notice', async () => {
    await openAccount(database, 'acc_full');
    await database.sql`
      insert into jobs (id, account_id, tool, input, caller, locale, base_url)
      select 'job_full_' || n, 'acc_full', 'count', '{}', '{}', 'en', '' from generate_series(1, 999) n`;
    const full = { ...caller, accountId: 'acc_full' };
    const answers = await Promise.allSettled(
      Array.from({ length: 3 }, () => node.jobs.create(full, newJob('wait'))),
    );
    const refused = answers.filter((answer) => answer.status === 'rejected');
    const [admitted, ...more] = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect([admitted?.account_id, more]).toEqual(['acc_full', []]);
    await node.jobs.cancel('acc_full', admitted?.id ?? '');
    for (const { reason } of refused)
      expect(reason).toMatchObject({ key: 'unavailable.jobs_full', retryAfterSeconds: 30 });
    expect((await endOf(node, await create('count', { to: 1 }))).status).toBe('completed');
  });

  test('finished more than a week ago are swept away', async () => {
    const [old, young] = [await create('count', { to: 1 }), await create('count', { to: 1 })];
    await Promise.all([endOf(node, old), endOf(node, young)]);
    await database.sql`update jobs set finished_at = now() - interval '8 days' where id = ${old.id}`;
    await node.jobs.sweep();
    await expect(node.jobs.get(caller.accountId, old.id)).rejects.toMatchObject({ key: 'not_found.job' });
    expect((await node.jobs.get(caller.accountId, young.id)).status).toBe('completed');
  });
});
