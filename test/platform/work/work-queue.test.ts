import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database, Sql, Tx } from '../../../src/platform/database.ts';
import type { Attempt, Fence } from '../../../src/platform/work/attempt.ts';
import type { WorkLimits } from '../../../src/platform/work/limits.ts';
import { createWorkQueue, type WorkQueue } from '../../../src/platform/work/work-queue.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
const opened: WorkQueue<Parcel>[] = [];

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
  await Promise.all(opened.splice(0).map((queue) => queue.close()));
});
afterAll(() => database.close());

type Parcel = { readonly id: string; readonly cancel_requested: boolean };

/** The least that work needs of its table. */
function createParcelStore(sql: Sql | Tx) {
  return {
    async claim({ id, attempt }: Fence): Promise<Parcel | undefined> {
      const [row] = await sql<[Parcel?]>`
        update parcels set attempt = ${attempt}, state = 'taken'
        where id = ${id} and attempt < ${attempt} and state in ('waiting', 'taken') returning id, cancel_requested`;
      return row;
    },
    beat,
    advance: async (fence: Fence) => (await beat(fence)) !== undefined,
    async release({ id, attempt }: Fence): Promise<boolean> {
      const rows = await sql`
        update parcels set state = 'waiting' where id = ${id} and attempt = ${attempt} and state = 'taken' returning id`;
      return rows.length === 1;
    },
    async finish({ id, attempt }: Fence, by: string): Promise<void> {
      await sql`update parcels set state = ${by} where id = ${id} and attempt = ${attempt} and state = 'taken'`;
    },
  };

  async function beat({ id, attempt }: Fence): Promise<Parcel | undefined> {
    const [row] = await sql<[Parcel?]>`
      select id, cancel_requested from parcels where id = ${id} and attempt = ${attempt} and state = 'taken'`;
    return row;
  }
}

function openQueue(sql: Database['sql'] = database.sql, limits: Partial<WorkLimits> = {}) {
  const queue = createWorkQueue({
    database: { sql, engine: database.engine },
    storeOf: createParcelStore,
    name: 'parcels',
    words: { noun: 'parcel', queue: 'the queue of parcels' },
    log: pino({ level: 'silent' }),
    limits: { graceMs: 20, ...limits },
  });
  opened.push(queue);
  return queue;
}

/** Takes parcels until the queue is closed; each end of one is told as a notice. */
function deliverWith(queue: WorkQueue<Parcel>, deliver: (attempt: Attempt) => Promise<void>): Promise<void> {
  return queue.start({
    concurrency: 1,
    begin: (_parcel, attempt) => ({
      run: () => deliver(attempt),
      async finish({ by }) {
        await createParcelStore(database.sql).finish(attempt.fence, by);
        queue.heard(attempt.fence.id);
      },
    }),
    lost: async () => {},
  });
}

async function send(queue: WorkQueue<Parcel>, id: string): Promise<void> {
  await queue.open();
  await database.sql.begin(async (tx) => {
    await tx`insert into parcels (id) values (${id})`;
    await queue.add(tx, ticketOf(id));
  });
}

const ticketOf = (id: string) => ({ accountId: 'acc_test', id, from: 0 });

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
    signal.addEventListener('abort', () => reject(new Error('told to end')), { once: true });
  });
}

describe('work of any kind', () => {
  test('is done by who takes it, and whoever watches is woken at its end', async () => {
    const queue = openQueue();
    await deliverWith(queue, async () => {});
    await send(queue, 'one');
    expect(await endOf(queue, 'one')).toEqual({ state: 'done', attempt: 1 });
  });

  test('is queued with the transaction that makes it, or not at all', async () => {
    const queue = openQueue();
    await queue.open();
    const undone = database.sql.begin(async (tx) => {
      await queue.add(tx, ticketOf('undone'));
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow('changed my mind');
    await database.sql`insert into parcels (id) values ('undone')`;
    expect([await queue.restore(ticketOf('undone')), await queue.restore(ticketOf('undone'))]).toEqual([
      true,
      false,
    ]);
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
    queue.heard('two cancel');
    expect(await endOf(queue, 'two')).toEqual({ state: 'canceled', attempt: 1 });
  });

  test('that a process gives back as it stops is done by another', async () => {
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

describe('while the database does not answer', () => {
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

  /** As the driver's queries are, which nobody need await. */
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

  test('a start tries again until it does', async () => {
    const gone = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    const queue = openQueue(silentFor(1, gone), { retryStartMs: 1 });
    await deliverWith(queue, async () => {});
    await send(queue, 'four');
    expect(await endOf(queue, 'four')).toEqual({ state: 'done', attempt: 1 });
  });

  test('a start that tries again ends with its queue', async () => {
    const gone = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    const queue = openQueue(silentFor(Infinity, gone), { retryStartMs: 1 });
    const started = deliverWith(queue, async () => {});
    await queue.close();
    await started;
    expect(queue.isOpen()).toBe(false);
  });
});
