import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase, type Sql } from '../../src/platform/database/database.ts';
import { databaseFault } from '../../src/platform/database/database-fault.ts';
import { openTestDatabase, type TestDatabase, testServer } from '../support/database.ts';
import { startProxy, type TcpProxy } from './proxy.ts';

const EXAMPLE = fileURLToPath(new URL('../platform/database/example-migrations/', import.meta.url));

describe.runIf(testServer)('a PostgreSQL whose connections are lost', () => {
  let target: TestDatabase;
  let proxy: TcpProxy;
  let database: Database;
  beforeAll(async () => {
    target = await openTestDatabase({ migrations: EXAMPLE });
    proxy = await startProxy(target.url ?? '');
    database = await openDatabase({ url: proxy.url, dataDir: '' });
  });
  afterAll(async () => {
    await database.close();
    await proxy.down();
    await target.close();
  });

  test.each(['end', 'reset'] as const)(
    'gives each query its own answer or none, by %s 40 times',
    async (how) => {
      const crowd = startCrowd(database.sql);
      for (let round = 0; round < 40; round++) {
        await crowd.answeredAgain(5);
        proxy.cut(how);
      }
      await crowd.answeredAgain(5);
      const { wrong, failures } = await crowd.stop();
      expect({ wrong, failures: [...failures] }).toEqual({ wrong: [], failures: ['unavailable.database'] });
      await expectHealthy(database.sql);
    },
  );

  test('gives each query its own answer or none when the server ends them', async () => {
    const crowd = startCrowd(database.sql);
    for (let round = 0; round < 40; round++) {
      await crowd.answeredAgain(5);
      await target.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.catch(() => {});
    }
    const { wrong, failures } = await crowd.stop();
    expect({ wrong, failures: [...failures] }).toEqual({ wrong: [], failures: ['unavailable.database'] });
    await expectHealthy(database.sql);
  });

  test('is found again within five seconds of its return, and no commit that was acknowledged is lost', async () => {
    const crowd = startCrowd(database.sql);
    await delay(300);
    await proxy.down();
    await delay(3_000);
    await proxy.up();
    const back = performance.now();
    while (!(await database.sql`select 1`.then(Boolean, () => false))) await delay(20);
    expect(performance.now() - back).toBeLessThan(5_000);
    await delay(300);
    const { wrong, failures, committed } = await crowd.stop();
    expect({ wrong, failures: [...failures] }).toEqual({ wrong: [], failures: ['unavailable.database'] });
    const there = new Set((await target.sql<{ id: number }[]>`select id from notes`).map(({ id }) => id));
    expect(committed.length).toBeGreaterThan(0);
    expect(committed.filter((id) => !there.has(id))).toEqual([]);
    await expectHealthy(database.sql);
  });

  test('is listened to again', async () => {
    const heard: string[] = [];
    const listening = Promise.withResolvers<void>();
    let times = 0;
    await database.sql.listen(
      'events',
      (payload) => heard.push(payload),
      () => {
        times += 1;
        if (times === 2) listening.resolve();
      },
    );
    proxy.cut('reset');
    await listening.promise;
    while (heard.length === 0) await database.sql.notify('events', 'still here').catch(() => delay(20));
    expect(heard[0]).toBe('still here');
  });
});

/** Forty who ask all the time, each in one of four ways, and know what the answer must be. */
function startCrowd(sql: Sql) {
  const told = {
    answered: 0,
    wrong: [] as unknown[],
    failures: new Set<string>(),
    committed: [] as number[],
  };
  let stopped = false;
  const people = Array.from({ length: 40 }, (_, who) => ask(who));
  return {
    /** Waits until the crowd has got so many further answers, on new connections too: a busy machine takes longer to open them. */
    async answeredAgain(count: number) {
      const enough = told.answered + count;
      while (told.answered < enough) await delay(5);
    },
    /** Hangs, as the crowd does, when one of them never gets an answer. */
    async stop() {
      stopped = true;
      await Promise.all(people);
      return told;
    },
  };

  async function ask(who: number): Promise<void> {
    while (!stopped) {
      const id = nextId++;
      try {
        const answer = await WAYS[who % WAYS.length]?.(sql, id);
        told.answered += 1;
        if (who % WAYS.length === 0) told.committed.push(id);
        if (answer !== `${id}`) told.wrong.push({ who, id, answer });
      } catch (error) {
        const fault = databaseFault(error);
        told.failures.add(fault?.key ?? String(error));
        await delay(10);
      }
    }
  }
}

let nextId = 1;

const WAYS: ((sql: Sql, id: number) => Promise<string>)[] = [
  (sql, id) =>
    sql.begin(async (tx) => {
      await tx`insert into notes values (${id}, 'kept')`;
      const [row] = await tx`select ${id}::int as id from pg_sleep(0.002)`;
      return `${row?.['id']}`;
    }),
  async (sql, id) => {
    const rows = await sql`select ${id}::int as id, repeat('x', 3000) as body from generate_series(1, 60)`;
    return rows.length === 60 ? [...new Set(rows.map((row) => row['id']))].join() : `${rows.length} rows`;
  },
  async (sql, id) => (await sql`select ${id}::int as id`).map((row) => row?.['id']).join(),
  async (sql, id) => (await sql.unsafe('select $1::int as id', [id])).map((row) => row?.['id']).join(),
];

/** Every connection of the pool serves, at once. */
async function expectHealthy(sql: Sql): Promise<void> {
  const start = performance.now();
  const rows = await Promise.all(
    Array.from({ length: 30 }, (_, n) => sql`select ${n}::int as n from pg_sleep(0.02)`),
  );
  expect(rows).toEqual(Array.from({ length: 30 }, (_, n) => [{ n }]));
  expect(performance.now() - start).toBeLessThan(5_000);
}
