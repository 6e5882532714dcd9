import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase, type Tx } from '../../src/platform/database/database.ts';
import { databaseFault } from '../../src/platform/database/database-fault.ts';
import { openTestDatabase, type TestDatabase, testServer } from '../support/database.ts';
import { startProxy, type TcpProxy } from './proxy.ts';

describe.runIf(testServer)('a database at two hosts, of which the first hangs', () => {
  let target: TestDatabase;
  let first: TcpProxy;
  let second: TcpProxy;
  let database: Database;
  beforeEach(async () => {
    target = await openTestDatabase();
    [first, second] = await Promise.all([startProxy(target.url ?? ''), startProxy(target.url ?? '')]);
  });
  afterEach(async () => {
    first.thaw();
    await database.close();
    await Promise.all([first.down(), second.down()]);
    await target.close();
  });

  const open = () => openDatabase({ url: joined(first.url, second.url), dataDir: '', connections: 50 });

  test('calls on connections to it end as unavailable, and all others go on', async () => {
    await first.down();
    database = await open();
    const onSecond = await hold(database);
    expect(second.carries(onSecond.port)).toBe(true);
    await first.up();
    const onFirst = await holdOn(first, database);

    first.freeze();
    const asked = { isOver: false };
    const call = onFirst.tx`select 1`.catch(faultOf).finally(() => {
      asked.isOver = true;
    });
    while (!asked.isOver) expect(await onSecond.tx`select 1 as one from pg_sleep(0.1)`).toEqual([{ one: 1 }]);

    expect(await call).toBe('unavailable.database');
    expect(await onFirst.end()).toBe('unavailable.database');
    expect(await onSecond.end()).toBe('committed');
    expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }]);
  }, 60_000);

  test('new connections lead to the second, and to the first once it answers again', async () => {
    first.freeze();
    database = await open();
    const early = await hold(database);
    expect(second.carries(early.port)).toBe(true);
    first.thaw();
    const late = await holdOn(first, database);
    expect(await Promise.all([early.end(), late.end()])).toEqual(['committed', 'committed']);
  }, 60_000);
});

/** `postgres://user@one/name` and `postgres://user@two/name` as one URL with both hosts. */
function joined(one: string, two: string): string {
  const { host } = new URL(one);
  return one.replace(host, `${host},${new URL(two).host}`);
}

const faultOf = (error: unknown) => databaseFault(error)?.key ?? String(error);

type Held = {
  readonly tx: Tx;
  /** The client's port, as the server sees it. */
  readonly port: number;
  /** Ends the transaction, and answers its outcome. */
  end(): Promise<string>;
};

/** Takes a connection of the pool for a transaction. */
async function hold({ sql }: Database): Promise<Held> {
  const begun = Promise.withResolvers<Tx>();
  const ending = Promise.withResolvers<void>();
  const done = sql
    .begin(async (tx) => {
      begun.resolve(tx);
      await ending.promise;
    })
    .then(() => 'committed', faultOf);
  const tx = await begun.promise;
  const [row] = await tx<{ port: number }[]>`select inet_client_port() as port`;
  const end = () => {
    ending.resolve();
    return done;
  };
  return { tx, port: row?.port ?? 0, end };
}

/** Takes new connections until one leads through the proxy. */
async function holdOn(proxy: TcpProxy, database: Database): Promise<Held> {
  const others: Held[] = [];
  for (;;) {
    const held = await hold(database);
    if (proxy.carries(held.port)) {
      await Promise.all(others.map(({ end }) => end()));
      return held;
    }
    others.push(held);
    if (others.length === 45)
      throw new Error('no connection led through the proxy, and the pool is nearly full');
    await delay(250);
  }
}
