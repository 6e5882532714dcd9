import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sql, Tx } from '../../../../src/platform/database/database.ts';
import { databaseFault } from '../../../../src/platform/database/database-fault.ts';
import { openTestDatabase, type TestDatabase, testServer } from '../../../support/database.ts';

const EXAMPLE = fileURLToPath(new URL('../example-migrations/', import.meta.url));

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await openTestDatabase({ migrations: EXAMPLE, connections: 2 });
  sql = database.sql;
});
beforeEach(() => database.reset());
afterAll(() => database.close());

test('a transaction answers what its work answers, and a list of queries in order', async () => {
  expect(await sql.begin(() => 'done')).toBe('done');
  expect(await sql.begin((tx) => [tx`select 1 as a`, tx`select 2 as b`])).toEqual([[{ a: 1 }], [{ b: 2 }]]);
  expect(await sql.begin('read only', (tx) => tx`show transaction_read_only`)).toEqual([
    { transaction_read_only: 'on' },
  ]);
});

test('after its end a transaction refuses queries instead of running them outside', async () => {
  const kept: Tx[] = [];
  await sql.begin(async (tx) => {
    kept.push(tx);
    await tx`insert into notes values (1, 'inside')`;
  });
  for (const tx of kept) {
    const over = { code: 'CONNECTION_CLOSED', message: expect.stringContaining('the transaction is over') };
    await expect(tx`insert into notes values (2, 'outside')`).rejects.toMatchObject(over);
    await expect(tx.unsafe('insert into notes values (2, $1)', ['outside'])).rejects.toMatchObject(over);
    await expect(tx.savepoint((point) => point`select 1`)).rejects.toMatchObject(over);
  }
  expect(await sql`select id from notes`).toEqual([{ id: 1 }]);
});

describe('when the connection is lost', () => {
  test.each<[string, (tx: Tx) => unknown]>([
    ['during a query', (tx) => endConnection(tx)],
    ['during a query whose failure the work swallows', (tx) => endConnection(tx).catch(() => 'never mind')],
    ['and the work goes on with another query', (tx) => endConnection(tx).catch(() => tx`select 1`)],
    [
      'and the work goes on a while later',
      (tx) =>
        endConnection(tx)
          .catch(() => later())
          .then(() => tx`select 1`),
    ],
    [
      'and the work fails otherwise',
      (tx) => endConnection(tx).catch(() => Promise.reject(new Error('mine'))),
    ],
    ['in a savepoint', (tx) => tx.savepoint((point) => endConnection(point))],
    [
      'in one of several queries at once',
      (tx) => [tx`select 1`, endConnection(tx), tx`select 2`, tx`select 3`],
    ],
  ])('%s, the transaction fails as unavailable and leaves nothing', async (_case, work) => {
    const transaction = sql.begin(async (tx) => {
      await tx`insert into notes values (1, 'half done')`;
      return work(tx);
    });
    expect(databaseFault(await failure(transaction))).toMatchObject({
      status: 503,
      key: 'unavailable.database',
    });
    await later();
    expect(
      await Promise.all(
        [1, 2, 3, 4].map((n) => sql`select ${n}::int as n, count(*)::int as notes from notes`),
      ),
    ).toEqual([1, 2, 3, 4].map((n) => [{ n, notes: 0 }]));
    expect(await sql.begin((tx) => tx`select 1 as one`)).toEqual([{ one: 1 }]);
  });
});

/** Ends the connection under the query, as the end of a server would. */
async function endConnection(tx: Tx): Promise<unknown> {
  if (!testServer) return tx`select ${'['.repeat(100_000) + ']'.repeat(100_000)}::text::json`;
  const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const running = tx`select pg_sleep(20)`;
  await Promise.all([running, sql`select pg_terminate_backend(${row?.pid ?? 0})`]);
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('it should have failed'),
    (error: unknown) => error,
  );
}

/** Long enough for all that the loss sets off. */
async function later(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}
