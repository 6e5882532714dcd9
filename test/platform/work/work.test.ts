import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sql, Tx } from '../../../src/platform/database/database.ts';
import { createQueue } from '../../../src/platform/queue/queue.ts';
import type { Attempt, FencingToken } from '../../../src/platform/work/attempt.ts';
import { createWorkQueue, type WorkQueue } from '../../../src/platform/work/work.ts';
import type { WorkLimits } from '../../../src/platform/work/worker.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
const closings: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  await database.sql`
    create table parcels (id text primary key, attempt integer not null default 0, state text not null default 'waiting',
      cancel_requested boolean not null default false)`;
});
beforeEach(async () => {
  await database.sql`delete from parcels`;
});
afterEach(async () => {
  await Promise.all(closings.splice(0).map((close) => close()));
});
afterAll(() => database.close());

type Parcel = { readonly id: string; readonly cancel_requested: boolean };

/** The least that work needs of its table. */
const parcelRepo = {
  async claim(sql: Sql | Tx, { id, attempt }: FencingToken): Promise<Parcel | undefined> {
    const [row] = await sql<[Parcel?]>`
      update parcels set attempt = ${attempt}, state = 'taken'
      where id = ${id} and attempt < ${attempt} and state in ('waiting', 'taken') returning id, cancel_requested`;
    return row;
  },
  async check(sql: Sql | Tx, { id, attempt }: FencingToken): Promise<Parcel | undefined> {
    const [row] = await sql<[Parcel?]>`
      select id, cancel_requested from parcels where id = ${id} and attempt = ${attempt} and state = 'taken'`;
    return row;
  },
  async advance(sql: Sql | Tx, fence: FencingToken): Promise<boolean> {
    return (await parcelRepo.check(sql, fence)) !== undefined;
  },
  async release(sql: Sql | Tx, { id, attempt }: FencingToken): Promise<boolean> {
    const rows = await sql`
      update parcels set state = 'waiting' where id = ${id} and attempt = ${attempt} and state = 'taken' returning id`;
    return rows.length === 1;
  },
  async finish(sql: Sql | Tx, { id, attempt }: FencingToken, by: string): Promise<void> {
    await sql`update parcels set state = ${by} where id = ${id} and attempt = ${attempt} and state = 'taken'`;
  },
};

function openQueue(sql: Sql = database.sql, limits: Partial<WorkLimits> = {}) {
  const log = pino({ level: 'silent' });
  const processQueue = createQueue({ database: { sql, engine: database.engine }, log });
  const queue = createWorkQueue({
    sql: database.sql,
    queue: processQueue,
    repo: parcelRepo,
    name: 'parcels',
    noun: 'parcel',
    log,
    limits: { gracePeriodMs: 20, ...limits },
  });
  const close = async () => {
    await queue.close();
    await processQueue.close();
  };
  closings.push(close);
  return { ...queue, close };
}

/** Takes parcels until the queue is closed; each outcome is announced by a notice. */
function deliverWith(queue: WorkQueue<Parcel>, deliver: (attempt: Attempt) => Promise<void>): Promise<void> {
  return queue.start({
    concurrency: 1,
    begin: (_parcel, attempt) => ({
      run: () => deliver(attempt),
      async finish({ by }) {
        await parcelRepo.finish(database.sql, attempt.fence, by);
        queue.onNotify(attempt.fence.id);
      },
    }),
    abandoned: async () => {},
  });
}

async function send(queue: WorkQueue<Parcel>, id: string): Promise<void> {
  await queue.open();
  await database.sql.begin(async (tx) => {
    await tx`insert into parcels (id) values (${id})`;
    await queue.add(tx, [queueable(id)]);
  });
}

const queueable = (id: string) => ({ account_id: 'acc_test', id, attempt: 0 });

/** The parcel once it is no longer on its way. */
async function endOf(queue: WorkQueue<Parcel>, id: string): Promise<unknown> {
  const signal = AbortSignal.timeout(50_000);
  const watch = queue.watch(id, signal);
  for (; !signal.aborted; await watch.next()) {
    const [row] = await database.sql`select state, attempt from parcels where id = ${id}`;
    if (row && row['state'] !== 'waiting' && row['state'] !== 'taken') return row;
  }
  throw new Error(`${id} never arrived`);
}

function endless({ signal }: Attempt): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
  });
}

describe('work of any kind', () => {
  test('is done, and wakes those who watch it', async () => {
    const queue = openQueue();
    await deliverWith(queue, async () => {});
    await send(queue, 'one');
    expect(await endOf(queue, 'one')).toEqual({ state: 'done', attempt: 1 });
  });

  test('is queued with the transaction that creates it, or not at all', async () => {
    const queue = openQueue();
    await queue.open();
    const undone = database.sql.begin(async (tx) => {
      await queue.add(tx, [queueable('undone')]);
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow('changed my mind');
    await database.sql`insert into parcels (id) values ('undone')`;
    await deliverWith(queue, async () => {});
    await send(queue, 'sent');
    await endOf(queue, 'sent');
    expect(await database.sql`select state from parcels where id = 'undone'`).toEqual([{ state: 'waiting' }]);
  });

  test('ends where a notice says that it is canceled', async () => {
    const queue = openQueue();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    await deliverWith(queue, (attempt) => {
      begin();
      return endless(attempt);
    });
    await send(queue, 'two');
    await begun;
    queue.onNotify('two cancel');
    expect(await endOf(queue, 'two')).toEqual({ state: 'canceled', attempt: 1 });
  });

  test('that a process releases as it stops is done by another', async () => {
    const stopping = openQueue();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    await deliverWith(stopping, (attempt) => {
      begin();
      return endless(attempt);
    });
    await send(stopping, 'three');
    await begun;
    await stopping.close();
    const next = openQueue();
    await deliverWith(next, async () => {});
    expect(await endOf(next, 'three')).toEqual({ state: 'done', attempt: 2 });
  });
});

describe('while the database is not responding', () => {
  /** The database, which at first answers nothing but `error`. */
  function silentFor(failures: number, error: Error): Sql {
    let left = failures;
    return new Proxy(database.sql, {
      get(target, name) {
        if (name !== 'unsafe' && name !== 'begin') return Reflect.get(target, name);
        if (left-- > 0) return () => refusal(error);
        return Reflect.get(target, name).bind(target);
      },
    });
  }

  /** Like a query of the driver: rejects, and need not be awaited. */
  function refusal(error: Error) {
    const refused = Promise.reject(error);
    refused.catch(() => {});
    return Object.assign(refused, { simple: () => refused });
  }

  test('no work is taken in, and the fault says for how long', async () => {
    const gone = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    await expect(openQueue(silentFor(Infinity, gone)).open()).rejects.toMatchObject({
      key: 'unavailable.database',
      retryAfterSeconds: 5,
    });
    const broken = new Error('what nobody knows');
    await expect(openQueue(silentFor(Infinity, broken)).open()).rejects.toMatchObject({
      key: 'unavailable.queue',
      retryAfterSeconds: 30,
      cause: broken,
    });
  });

  test('a start retries until it does', async () => {
    const gone = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    const queue = openQueue(silentFor(1, gone), { startRetryMs: 1 });
    await deliverWith(queue, async () => {});
    await send(queue, 'four');
    expect(await endOf(queue, 'four')).toEqual({ state: 'done', attempt: 1 });
  });

  test('a start that retries ends with its queue', async () => {
    const gone = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    const queue = openQueue(silentFor(Infinity, gone), { startRetryMs: 1 });
    const started = deliverWith(queue, async () => {});
    await queue.close();
    await started;
    expect(queue.isOpen()).toBe(false);
  });
});
