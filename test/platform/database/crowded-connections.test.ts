import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('transactions begin behind writes that fill the socket', async () => {
  const { sql } = database;
  const long = 'x'.repeat(100_000);
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, number) => {
      const [read] = await sql`select length(${long}) as length`;
      const [begun] = await sql.begin((tx) => tx`select ${number}::int as number, length(${long}) as length`);
      return [read?.['length'], begun?.['number'], begun?.['length']];
    }),
  );
  expect(answers).toEqual(answers.map((_, number) => [100_000, number, 100_000]));
});

test('transactions begin behind more queries than a connection is usually sent at once', async () => {
  const { sql } = database;
  const reads = Array.from({ length: 1_500 }, (_, number) => sql`select ${number}::int as number`);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, number) => sql.begin((tx) => tx`select ${number}::int as number`)),
  );
  expect(answers.map(([row]) => row?.['number'])).toEqual(answers.map((_, number) => number));
  await Promise.all(reads);
});
