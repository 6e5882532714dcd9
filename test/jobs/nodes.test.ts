import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/platform/database/database.ts';
import { openTestDatabase, type TestDatabase, testServer } from '../support/database.ts';
import {
  aborted,
  caller,
  endOf,
  type Node,
  newJob,
  openAccount,
  openAgain,
  openNode,
  statesOf,
  until,
} from './workshop.ts';

// The embedded database is open in one process only.
describe.skipIf(!testServer)('two processes on one PostgreSQL', () => {
  let database: TestDatabase;
  let other: Database;
  let door: Node;
  let worker: Node;

  beforeAll(async () => {
    database = await openTestDatabase();
    other = await openAgain(database);
    await openAccount(database);
    door = await openNode(database);
    worker = await openNode(other, {
      async count(_job, { progress }) {
        progress(1, 2, 'half');
        return 'counted';
      },
      wait: (_job, { signal }) => aborted(signal),
    });
  });
  afterAll(async () => {
    await Promise.all([door.stop(), worker.stop()]);
    await other.close();
    await database.close();
  });

  test('what one takes in the other does, and the first sees how it goes', async () => {
    const job = await door.jobs.create(caller, newJob('count'));
    const states = await statesOf(door, job);
    expect(states.at(-1)).toMatchObject({
      status: 'completed',
      result: 'counted',
      progress: { done: 1, total: 2, message: 'half' },
    });
    const revisions = states.map(({ revision }) => revision);
    expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
  });

  test('what one cancels ends in the other', async () => {
    const job = await door.jobs.create(caller, newJob('wait'));
    await until(door, job, ({ status }) => status === 'running');
    await door.jobs.cancel(caller.accountId, job.id);
    expect(await endOf(door, job)).toMatchObject({ status: 'canceled', attempt: 1 });
  });

  test('they share the work, and each job is done once', async () => {
    const own = await openNode(database, { count: async () => 'counted' });
    const jobs = await Promise.all(
      Array.from({ length: 100 }, () => door.jobs.create(caller, newJob('count'))),
    );
    const ends = await Promise.all(jobs.map((job) => endOf(door, job)));
    await own.stop();
    expect(ends.map(({ status, attempt }) => ({ status, attempt }))).toEqual(
      jobs.map(() => ({ status: 'completed', attempt: 1 })),
    );
  });

  test('a process that loses every connection goes on with what waits', async () => {
    const job = await door.jobs.create(caller, newJob('wait'));
    await until(door, job, ({ status }) => status === 'running');
    await database.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    const asked = () => door.jobs.cancel(caller.accountId, job.id).catch(() => undefined);
    while (!(await asked()));
    const next = await door.jobs.create(caller, newJob('count')).catch(() => undefined);
    for (const one of [job, next]) {
      if (!one) continue;
      let end = await endOf(door, one).catch(() => undefined);
      while (!end) end = await endOf(door, one).catch(() => undefined);
      expect(end.status).toBe(one === job ? 'canceled' : 'completed');
    }
  });

  test('both may make the queue at the same moment', async () => {
    const fresh = await openTestDatabase();
    const second = await openAgain(fresh);
    await openAccount(fresh);
    const nodes = await Promise.all(
      [fresh, second].map((one) => openNode(one, { work: async () => 'done' })),
    );
    const [first] = nodes;
    if (!first) throw new Error('no node');
    const { status } = await endOf(first, await first.jobs.create(caller, newJob('work')));
    await Promise.all(nodes.map((node) => node.stop()));
    await second.close();
    await fresh.close();
    expect(status).toBe('completed');
  });
});
