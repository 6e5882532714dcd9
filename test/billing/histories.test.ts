import { afterAll, beforeAll, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { playHistories } from './histories.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** 150 histories; test/faults plays more than a thousand. */
const ROUNDS = 5;

test(
  'after any history, with its events doubled, shuffled and delayed, the copy is what Stripe has',
  () => playHistories(database, ROUNDS),
  120_000,
);
