import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIdempotency } from '../../src/idempotency/idempotency.ts';
import { createAccounts } from '../../src/identity/accounts/accounts.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let accountId: string;

beforeAll(async () => {
  database = await openTestDatabase();
  accountId = (await createAccounts({ sql: database.sql, seedAccount: async () => {} }).create('shop')).id;
});
afterAll(() => database.close());

test('a repeated key gives the first answer without a second effect', async () => {
  const { once } = createIdempotency(database.sql);
  let effects = 0;
  const run = async () => ({ effect: ++effects });
  expect(await once(accountId, 'a', 'same', run)).toEqual({ output: { effect: 1 }, replayed: false });
  expect(await once(accountId, 'a', 'same', run)).toEqual({ output: { effect: 1 }, replayed: true });
});

test('the same key for another request is refused', async () => {
  const { once } = createIdempotency(database.sql);
  await once(accountId, 'b', 'one', async () => 1);
  await expect(once(accountId, 'b', 'other', async () => 2)).rejects.toMatchObject({
    code: 'idempotency_mismatch',
  });
});

test('100 calls at once with one key have one effect; the others wait their turn or get its answer', async () => {
  const { once } = createIdempotency(database.sql);
  let effects = 0;
  const calls = Array.from({ length: 100 }, () =>
    once(accountId, 'c', 'same', async () => ({ effect: ++effects })),
  );
  const results = await Promise.allSettled(calls);
  expect(effects).toBe(1);
  for (const result of results) {
    if (result.status === 'fulfilled') expect(result.value.output).toEqual({ effect: 1 });
    else expect(result.reason).toMatchObject({ code: 'idempotency_in_progress' });
  }
});

test('a call that failed frees its key', async () => {
  const { once } = createIdempotency(database.sql);
  await expect(once(accountId, 'd', 'same', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await once(accountId, 'd', 'same', async () => 'yes')).toEqual({ output: 'yes', replayed: false });
});

test('after a day, or after a crash in the middle, the key is free again', async () => {
  const { once } = createIdempotency(database.sql);
  await once(accountId, 'e', 'same', async () => 1);
  await database.sql`update idempotency_keys set created_at = now() - interval '25 hours' where key = 'e'`;
  expect(await once(accountId, 'e', 'same', async () => 2)).toEqual({ output: 2, replayed: false });
  await database.sql`update idempotency_keys set answer = null, created_at = now() - interval '3 minutes' where key = 'e'`;
  expect(await once(accountId, 'e', 'same', async () => 3)).toEqual({ output: 3, replayed: false });
});

test('a call made again after a failure or a crash is told by what to know its effects; a day later it is another', async () => {
  const { once } = createIdempotency(database.sql);
  const told: string[] = [];
  const run = async (claim: string) => told.push(claim);
  const failing = (claim: string) => run(claim).then(() => Promise.reject(new Error('no')));
  await expect(once(accountId, 'g', 'same', failing)).rejects.toThrow('no');
  await once(accountId, 'g', 'same', run);
  await database.sql`update idempotency_keys set answer = null, created_at = now() - interval '3 minutes' where key = 'g'`;
  await once(accountId, 'g', 'same', run);
  await database.sql`
    update idempotency_keys
    set created_at = created_at - interval '25 hours', began_at = began_at - interval '25 hours' where key = 'g'`;
  await once(accountId, 'g', 'same', run);
  const [failed, ...others] = told;
  expect(others).toEqual([failed, failed, expect.stringMatching(/^g same \d+$/)]);
  expect(others.at(-1)).not.toBe(failed);
});

test('a call that takes longer than a crash is waited for keeps its key', async () => {
  const { once } = createIdempotency(database.sql, 5);
  const { promise, resolve } = Promise.withResolvers<string>();
  const long = once(accountId, 'f', 'same', () => promise);
  const age = async () =>
    (
      await database.sql`select now() - created_at < interval '1 minute' as young from idempotency_keys where key = 'f'`
    )[0];
  while (!(await age())) await Promise.resolve();
  await database.sql`update idempotency_keys set created_at = now() - interval '3 minutes' where key = 'f'`;
  while (!(await age())?.['young']) await Promise.resolve();
  await expect(once(accountId, 'f', 'same', async () => 'twice')).rejects.toMatchObject({
    code: 'idempotency_in_progress',
  });
  resolve('once');
  expect(await long).toEqual({ output: 'once', replayed: false });
});
