import { afterAll, beforeAll, test } from 'vitest';
import { playHistories } from '../billing/histories.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** 1,020 histories; the quick suite plays some of them. */
const ROUNDS = 34;

test(
  'after any history, with its events doubled, shuffled and delayed, the copy is what Stripe has',
  () => playHistories(database, ROUNDS),
  600_000,
);
