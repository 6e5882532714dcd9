import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAccounts } from '../../../src/identity/accounts/accounts.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(() => database.reset());
afterAll(() => database.close());

test('the local owner has one account, however many ask for it at once', async () => {
  const nodes = [1, 2, 3].map(() => createAccounts({ sql: database.sql, seedAccount: async () => {} }));
  const accounts = await Promise.all(nodes.flatMap((node) => [node.local(), node.local()]));
  expect(new Set(accounts.map(({ id }) => id)).size).toBe(1);
});

test('an account whose furnishing was cut off is seeded at the next start', async () => {
  const cut = createAccounts({ sql: database.sql, seedAccount: () => Promise.reject(new Error('killed')) });
  await expect(cut.local()).rejects.toThrow('killed');
  const seeded: string[] = [];
  const next = createAccounts({
    sql: database.sql,
    seedAccount: async (id) => {
      seeded.push(id);
    },
  });
  const { id } = await next.local();
  expect(seeded).toEqual([id]);
  await createAccounts({ sql: database.sql, seedAccount: () => Promise.reject(new Error('again')) }).local();
});
