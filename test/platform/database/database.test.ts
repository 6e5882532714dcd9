import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase, type Sql } from '../../../src/platform/database/database.ts';
import { databaseFault } from '../../../src/platform/database/database-fault.ts';
import { openTestDatabase, type TestDatabase, testServer } from '../../support/database.ts';

const EXAMPLE = fileURLToPath(new URL('./example-migrations/', import.meta.url));

let database: TestDatabase;
let sql: Sql;
const sent: string[] = [];

beforeAll(async () => {
  database = await openTestDatabase({ migrations: EXAMPLE, onQuery: (statement) => sent.push(statement) });
  sql = database.sql;
});
beforeEach(() => database.reset());
afterAll(() => database.close());

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test('the engine is PostgreSQL when there is a url, else the embedded one', () => {
  expect(database.engine).toBe(testServer ? 'postgres' : 'embedded');
});

describe('many at once', () => {
  test('300 queries over ten connections, prepared and not, get each its own answer', async () => {
    const answers = await Promise.all(
      numbers(300).map(async (n) => {
        const [row] = n % 2 ? await sql`select ${n}::int as n` : await sql.unsafe('select $1::int as n', [n]);
        return row?.['n'];
      }),
    );
    expect(answers).toEqual(numbers(300));
  });

  test('30 transactions that read and then write the same row lose no update', async () => {
    await sql`insert into counters (name, value) values ('a', 0)`;
    await Promise.all(
      numbers(30).map(() =>
        sql.begin(async (tx) => {
          const [row] = await tx<{ value: number }[]>`select value from counters where name = 'a' for update`;
          await tx`update counters set value = ${(row?.value ?? 0) + 1} where name = 'a'`;
        }),
      ),
    );
    expect(await sql`select value from counters where name = 'a'`).toEqual([{ value: 30 }]);
  });

  test('failing queries among good ones fail alone', async () => {
    const outcomes = await Promise.allSettled(
      numbers(120).map((n) => {
        if (n % 4 === 1) return sql`select 1 / ${0}::int`;
        if (n % 4 === 2) return sql.unsafe('selec');
        if (n % 4 === 3) return sql.begin((tx) => tx`select * from nowhere`);
        return sql`select ${n}::int as n`;
      }),
    );
    const short = outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value[0]?.['n'] : outcome.reason.code,
    );
    expect(short).toEqual(numbers(120).map((n) => [n, '22012', '42601', '42P01'][n % 4]));
  });

  test('a failed transaction leaves nothing', async () => {
    const failing = sql.begin(async (tx) => {
      await tx`insert into notes values (1, 'a')`;
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await sql`select * from notes`).toEqual([]);
  });

  test('a savepoint rolls back alone', async () => {
    await sql.begin(async (tx) => {
      await tx`insert into notes values (1, 'kept')`;
      await tx.savepoint((point) => point`insert into notes values (1, 'twice')`).catch(() => {});
      await tx`insert into notes values (2, 'kept too')`;
    });
    expect(await sql`select id from notes order by id`).toEqual([{ id: 1 }, { id: 2 }]);
  });
});

describe('LISTEN and NOTIFY', () => {
  test('what one connection says in a committed transaction, a listening one hears, in order', async () => {
    const heard: string[] = [];
    const last = Promise.withResolvers<void>();
    const { unlisten } = await sql.listen('events', (payload) => {
      heard.push(payload);
      if (payload === 'last') last.resolve();
    });
    await sql.notify('events', 'alone');
    await sql.begin((tx) => tx`select pg_notify('events', 'committed')`);
    await sql.begin((tx) => [tx`select pg_notify('events', 'undone')`, tx`select 1 / 0`]).catch(() => {});
    await sql.notify('elsewhere', 'not for us');
    await sql.notify('events', 'last');
    await last.promise;
    await unlisten();
    expect(heard).toEqual(['alone', 'committed', 'last']);
  });
});

describe('values', () => {
  test('five megabytes go in and out unharmed', async () => {
    const body = `ñ${'x'.repeat(5_000_000)}`;
    await sql`insert into notes values (1, ${body})`;
    const [note] = await sql<{ body: string }[]>`select body from notes`;
    expect(note?.body === body).toBe(true);
  });

  test('lists, JSON, times and nothing keep their kind', async () => {
    const at = new Date('2026-01-02T03:04:05.678Z');
    const json = { text: 'a "quoted" one', list: [1, null], deep: { é: true } };
    const [row] = await sql`
      select ${['a', 'b,"c'] as string[]}::text[] as texts, ${[1, 2]}::int[] as ints, ${sql.json(json)} as json,
        ${at} as at, ${null}::text as nothing, ${true} as yes, count(*) as bigint
      from unnest(${['x', 'y']}::text[])`;
    expect(row).toEqual({
      texts: ['a', 'b,"c'],
      ints: [1, 2],
      json,
      at,
      nothing: null,
      yes: true,
      bigint: '2',
    });
  });

  test('a cursor brings a large answer in pieces', async () => {
    const sizes: number[] = [];
    for await (const rows of sql`select n from generate_series(1, 250) n`.cursor(100))
      sizes.push(rows.length);
    expect(sizes).toEqual([100, 100, 50]);
  });

  test('several statements in one text run in order, and those with rows answer', async () => {
    const answers = await sql.unsafe(
      'select 1 as a; insert into notes values (1, $$b$$); select id from notes',
    );
    expect(answers).toEqual([[{ a: 1 }], [{ id: 1 }]]);
  });

  test('when one of several statements in one text fails, none has happened', async () => {
    await expect(sql.unsafe("insert into notes values (1, 'a'); select 1 / 0")).rejects.toThrow();
    expect(await sql`select * from notes`).toEqual([]);
  });
});

test('onQuery is told every statement that is sent', async () => {
  sent.length = 0;
  await sql`select ${1}::int`;
  await sql.begin((tx) => tx`select 2`);
  expect(sent).toEqual(['select $1::int', 'begin ', 'select 2', 'commit']);
});

test('a query can be cancelled, and the connection serves on', async () => {
  await sql.begin(async (tx) => {
    await tx`lock table notes`;
    const waiting = sql`insert into notes values (1, 'cancelled')`.execute();
    await tx`select 1`;
    waiting.cancel();
    await expect(waiting).rejects.toMatchObject({ code: '57014' });
  });
  expect(await sql`select count(*)::int as count from notes`).toEqual([{ count: 0 }]);
});

test.runIf(testServer)('a server ends statements after 5 s and idle transactions after 15 s', async () => {
  const [row] = await sql`
    select current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle`;
  expect(row).toEqual({ statement: '5s', idle: '15s' });
});

describe('databaseFault', () => {
  test.each([
    ['55P03', 'unavailable.database_busy', 1],
    ['57014', 'unavailable.database_busy', 1],
    ['53300', 'unavailable.database_busy', 1],
    ['40001', 'unavailable.database_busy', 1],
    ['40P01', 'unavailable.database_busy', 1],
    ['25P03', 'unavailable.database_busy', 1],
    ['57P01', 'unavailable.database', 5],
    ['57P03', 'unavailable.database', 5],
    ['08006', 'unavailable.database', 5],
    ['25006', 'unavailable.database', 5],
    ['ECONNREFUSED', 'unavailable.database', 5],
    ['ECONNRESET', 'unavailable.database', 5],
    ['ENOTFOUND', 'unavailable.database', 5],
    ['CONNECTION_CLOSED', 'unavailable.database', 5],
    ['CONNECT_TIMEOUT', 'unavailable.database', 5],
    ['53100', 'unavailable.database_full', 60],
  ])('%s is %s, worth another try after %i s', (code, key, retryAfterSeconds) => {
    const error = Object.assign(new Error('from the driver'), { code });
    expect(databaseFault(error)).toMatchObject({ key, retryAfterSeconds, cause: error, status: 503 });
  });

  test.each([
    ['a statement at fault', Object.assign(new Error(), { code: '42P01' })],
    ['a unique name taken', Object.assign(new Error(), { code: '23505' })],
    ['an error of the product', new Error('no code')],
    ['no error at all', { code: '57P01' }],
    ['nothing', undefined],
  ])('%s is none', (_case, error) => {
    expect(databaseFault(error)).toBeUndefined();
  });

  test('a server that does not answer fails the opening with it', async () => {
    const port = await unusedPort();
    const opening = openDatabase({ url: `postgres://nobody@127.0.0.1:${port}/none`, dataDir: '' });
    await expect(opening).rejects.toMatchObject({ key: 'unavailable.database', retryAfterSeconds: 5 });
  });
});

test('a closed database refuses queries as unavailable', async () => {
  const other: Database = await openTestDatabase({ migrations: EXAMPLE });
  await other.close();
  const failure = await other.sql`select 1`.catch((error: unknown) => databaseFault(error));
  expect(failure).toMatchObject({ key: 'unavailable.database' });
});

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 1;
}
