import { afterAll, beforeAll, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { samples } from '../support/samples.ts';
import { playHistories } from './histories.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** 30 or 150 histories; test/faults plays more than a thousand. */
const ROUNDS = samples(5, 1);

test('after any history, with its events doubled, shuffled and delayed, the copy is what Stripe has', () =>
  playHistories(database, ROUNDS));
