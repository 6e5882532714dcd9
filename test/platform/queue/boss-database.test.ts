import { afterAll, beforeAll, expect, test } from 'vitest';
import { bossDatabase, bossTransaction } from '../../../src/platform/queue/boss-database.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
  await database.sql`create table things (id integer primary key, body jsonb)`;
});
afterAll(() => database.close());

const execute = (text: string, values?: unknown[]) => bossDatabase(database.sql).executeSql(text, values);

test.each([
  ['a number', '$1::int + 1', 41, 42],
  ['nothing', '$1::text', null, null],
  ['a truth', 'not $1::bool', true, false],
  ['a moment', 'extract(epoch from $1::timestamptz)::int', new Date(5_000), 5],
  ['texts', 'array_length($1::text[], 1)', ['a,b', 'c"d', 'e\\f', 'NULL'], 4],
  ['a text among texts', '($1::text[])[2]', ['x', 'a "b\\ {c},d'], 'a "b\\ {c},d'],
  ['no texts', 'cardinality($1::text[])', [], 0],
  ['texts within texts', '($1::text[])[2][1]', [['a'], ['b']], 'b'],
  ['an object', "$1::jsonb ->> 'a'", { a: 'b' }, 'b'],
  ['the text of an object', "$1::jsonb ->> 'a'", '{"a":"b"}', 'b'],
])(
  '%s arrives as the driver that pg-boss was written for would send it',
  async (_case, expression, value, found) => {
    expect(await execute(`select ${expression} as found`, [value])).toEqual({ rows: [{ found }] });
  },
);

test('a script is one transaction: an error in its midst leaves nothing behind', async () => {
  const script = (id: number, last: string) =>
    execute(`
      BEGIN;
      insert into things values (${id}, '{}');
      select id from things where id = ${id};
      ${last};
      COMMIT;
    `);
  expect(await script(1, "select 'last' as word")).toEqual({ rows: [{ id: 1 }, { word: 'last' }] });
  await expect(script(2, 'select 1 / 0')).rejects.toMatchObject({ code: '22012' });
  expect(await database.sql`select id from things where id in (1, 2)`).toEqual([{ id: 1 }]);
});

test('what is done in a transaction of ours goes with it', async () => {
  const undone = database.sql.begin(async (tx) => {
    await bossTransaction(tx).executeSql('insert into things values ($1, $2)', [3, '{"a":1}']);
    throw new Error('undo');
  });
  await expect(undone).rejects.toThrow('undo');
  expect(await database.sql`select from things where id = 3`).toHaveLength(0);
});
