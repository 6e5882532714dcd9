import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccounts } from '../../../src/identity/accounts/accounts.ts';
import { SCOPES } from '../../../src/identity/caller.ts';
import { createKeys } from '../../../src/identity/keys/keys.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let accountId: string;

beforeAll(async () => {
  database = await openTestDatabase();
  accountId = (await createAccounts({ sql: database.sql, seedAccount: async () => {} }).create('shop')).id;
});
afterAll(() => database.close());

// The operator's keys need no plan.
const plans = { requireKeys: () => Promise.reject(new Error('was asked for a plan')) };

const wrong = { code: 'unauthenticated', key: 'unauthenticated.wrong' };

test('a key speaks for its account with its scopes', async () => {
  const keys = createKeys({ plans, sql: database.sql });
  const { key, id } = await keys.create(accountId, 'ci', ['templates:render'], null);
  expect(await keys.resolve(key)).toEqual({
    keyId: id,
    accountId,
    actor: 'key:ci',
    scopes: ['templates:render'],
    via: 'api_key',
  });
});

test('the database holds a hash and a mask, never the key', async () => {
  const keys = createKeys({ plans, sql: database.sql });
  const { key, mask } = await keys.create(accountId, 'hidden', SCOPES, null);
  const rows = await database.sql`select k::text as text from api_keys k`;
  const stored = rows.map((row) => String(row['text'])).join('\n');
  expect(stored).not.toContain(key.slice(16));
  expect(mask).toMatch(/^sh_live_[0-9a-f]{4}…[0-9a-f]{4}$/);
  expect(stored).toContain(mask);
});

test('a wrong, malformed, unknown, expired or revoked key gets one and the same answer', async () => {
  let now = Date.now();
  const keys = createKeys({ plans, sql: database.sql, now: () => now });
  const { key, id } = await keys.create(accountId, 'old', SCOPES, new Date(now + 1000));
  expect(await keys.resolve(key)).toMatchObject({ actor: 'key:old' });
  const other = key.slice(0, 20) + (key[20] === 'A' ? 'B' : 'A') + key.slice(21);
  for (const bad of [other, 'sh_live_', '', 'x'.repeat(5000), key.toUpperCase(), `${key} `]) {
    await expect(keys.resolve(bad)).rejects.toMatchObject(wrong);
  }
  now += 1000;
  await expect(keys.resolve(key)).rejects.toMatchObject(wrong);
  now -= 1000;
  await keys.revoke(accountId, id);
  await expect(keys.resolve(key)).rejects.toMatchObject(wrong);
});

test('a revoked key is forgotten by every process at once', async () => {
  const here = createKeys({ plans, sql: database.sql });
  const there = createKeys({ plans, sql: database.sql });
  let heard: () => void = () => {};
  const notified = new Promise<void>((resolve) => {
    heard = resolve;
  });
  await database.sql.listen('api_keys', () => {
    there.invalidate();
    heard();
  });
  const { key, id } = await here.create(accountId, 'shared', SCOPES, null);
  await there.resolve(key);
  await here.revoke(accountId, id);
  await notified;
  await expect(there.resolve(key)).rejects.toMatchObject(wrong);
});

test("another account's key cannot be revoked", async () => {
  const keys = createKeys({ plans, sql: database.sql });
  const { id } = await keys.create(accountId, 'mine', SCOPES, null);
  const stranger = (
    await createAccounts({ sql: database.sql, seedAccount: async () => {} }).create('stranger')
  ).id;
  await expect(keys.revoke(stranger, id)).rejects.toMatchObject({ code: 'not_found' });
});

test('after the first time, knowing a key asks the database nothing', async () => {
  let queries = 0;
  const counted = await openTestDatabase({ onQuery: () => queries++ });
  const account = await createAccounts({ sql: counted.sql, seedAccount: async () => {} }).create('warm');
  const keys = createKeys({ plans, sql: counted.sql });
  const { key } = await keys.create(account.id, 'warm', SCOPES, null);
  await keys.resolve(key);
  await counted.sql`select 1`;
  queries = 0;
  await keys.resolve(key);
  expect(queries).toBe(0);
  await counted.close();
});

test('a caller of earlier has the rights its key still has: none once it expired or was revoked', async () => {
  let now = Date.now();
  const keys = createKeys({ plans, sql: database.sql, now: () => now });
  const { key, id } = await keys.create(accountId, 'later', ['templates:read'], new Date(now + 1000));
  const caller = await keys.resolve(key);
  expect(await keys.renew(caller)).toEqual(caller);
  expect(await keys.renew({ ...caller, scopes: SCOPES })).toEqual(caller);
  const gone = { code: 'unauthenticated', key: 'unauthenticated.revoked' };
  await expect(keys.renew({ ...caller, accountId: 'acc_other' })).rejects.toMatchObject(gone);
  now += 1000;
  await expect(keys.renew(caller)).rejects.toMatchObject(gone);
  now -= 1000;
  await keys.revoke(accountId, id);
  await expect(keys.renew(caller)).rejects.toMatchObject(gone);
});

test('a caller without a key keeps its rights', async () => {
  const local = { accountId, actor: 'local', scopes: SCOPES, via: 'local' } as const;
  expect(await createKeys({ plans, sql: database.sql }).renew(local)).toEqual(local);
});

test('an API key notes when and from where it was last used', async () => {
  const keys = createKeys({ plans, sql: database.sql });
  const { key, id } = await keys.create(accountId, 'noted', SCOPES, null);
  await keys.resolve(key, { address: '::ffff:203.0.113.9' });
  // `resolve` does not wait for the update of last use, which lands one statement later.
  const noted = async () => (await keys.listAll()).find((row) => row.id === id);
  while ((await noted())?.last_used_at === null);
  expect(await noted()).toMatchObject({ last_used_at: expect.any(Date), last_used_ip: '203.0.113.9' });
});

test('the first key of a new server is made once, by one of all nodes, and not where somebody can sign in already', async () => {
  const { sql } = database;
  const nodes = ['a', 'b', 'c'].map(() => createKeys({ plans, sql }));
  const first = () => Promise.all(nodes.map((keys) => keys.createFirst(async () => ({ id: accountId }))));
  // Keys of the tests before.
  expect(await first()).toEqual([undefined, undefined, undefined]);
  await sql`delete from api_keys`;
  await sql`insert into users (id, auth_provider) values ('usr_1', 'password')`;
  expect(await first()).toEqual([undefined, undefined, undefined]);
  await sql`delete from users`;
  const made = (await first()).filter((key) => key !== undefined);
  expect(made).toHaveLength(1);
  expect(await nodes[0]?.resolve(made[0] ?? '')).toMatchObject({
    accountId,
    actor: 'key:first',
    scopes: SCOPES,
  });
  await sql`delete from api_keys`;
  expect(await first()).toEqual([undefined, undefined, undefined]);
});
