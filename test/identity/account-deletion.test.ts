import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccountDeletion } from '../../src/identity/account-deletion.ts';
import { localCaller } from '../../src/identity/accounts.ts';
import type { Caller, Role } from '../../src/identity/caller.ts';
import * as membershipRepo from '../../src/identity/membership-repo.ts';
import { scopesOf } from '../../src/identity/roles.ts';
import { newId } from '../../src/platform/ids.ts';
import { newCaller, openTestApp, type TestApp, useTools } from '../support/app.ts';
import { givePlan } from '../support/plans.ts';

let app: TestApp;
let blobsDir: string;

beforeAll(async () => {
  blobsDir = await mkdtemp(join(tmpdir(), 'stallhand-test-'));
  app = await openTestApp({ BLOBS_DIR: blobsDir });
});
afterAll(async () => {
  await app.close();
  await rm(blobsDir, { recursive: true, force: true });
});

async function enrol(accountId: string, userId: string, role: Role): Promise<Caller> {
  await app.database.sql`
    insert into users (id, email, name, auth_provider) values (${userId}, ${`${userId}@example.com`}, 'x', 'code')
    on conflict do nothing`;
  await membershipRepo.insert(app.database.sql, accountId, userId, role);
  await app.database.sql`
    insert into sessions (id, token_sha256, user_id, account_id, expires_at)
    values (${newId('ses')}, ${newId('hash')}, ${userId}, ${accountId}, now() + interval '1 day')`;
  return { accountId, actor: userId, scopes: scopesOf(role), via: 'session', userId };
}

/** An account with something of what every part of the product keeps. */
async function fullAccount(): Promise<Caller> {
  const key = await newCaller(app, 'Bakery');
  const { accountId } = key;
  const call = useTools(app, key);
  await givePlan(app, accountId, 'enterprise');
  await call('create_template', { name: 'one', html: '<p>{{a}}</p>', fixtures: { x: { a: '1' } } });
  await useTools(app, key, { idempotencyKey: 'once' })('create_branch', { template: 'one', name: 'draft' });
  await call('invite_member', { email: 'ana@example.com' });
  await call('generate_hooks', { topic: 'sourdough', count: 3, provider: 'builtin' });
  await app.keys.create(accountId, 'k', ['templates:read'], null);
  await call('export_account');
  await app.jobs.create(key, { tool: 'list_templates', input: {}, locale: 'en', baseUrl: '' });
  await app.quota.grantCredits(accountId, { credits: 5, source: 'test' });
  await app.quota.reserve(accountId, { units: 3 });
  return key;
}

async function tablesOfAccounts(): Promise<string[]> {
  const rows = await app.database.sql`
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = 'public' and c.column_name = 'account_id' and t.table_type = 'BASE TABLE'
    order by 1`;
  return rows.map(({ name }) => String(name));
}

/** How many rows of an account each table has, those without any left out. */
async function rowsOf(accountId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await tablesOfAccounts()) {
    const { sql } = app.database;
    const [row] = await sql`select count(*)::int as n from ${sql(table)} where account_id = ${accountId}`;
    if (row?.['n'] > 0) counts[table] = Number(row?.['n']);
  }
  return counts;
}

const blobsLeft = async (accountId: string) =>
  (await readdir(blobsDir, { recursive: true })).filter((name) => name.includes(accountId));

test('an account goes with everything that any table has of it, and nothing of another does', async () => {
  const account = await fullAccount();
  const other = await fullAccount();
  const ofOther = await rowsOf(other.accountId);
  expect(Object.keys(await rowsOf(account.accountId))).toEqual(
    expect.arrayContaining([
      'api_keys',
      'audit_events',
      'files',
      'invitations',
      'jobs',
      'templates',
      'versions',
    ]),
  );
  expect(await blobsLeft(account.accountId)).toHaveLength(1);
  expect(await useTools(app, account)('delete_account', { confirm: 'Bakery' })).toEqual({ deleted: true });
  expect(await rowsOf(account.accountId)).toEqual({});
  expect(await blobsLeft(account.accountId)).toEqual([]);
  expect(await rowsOf(other.accountId)).toEqual(ofOther);
  expect(await blobsLeft(other.accountId)).toHaveLength(1);
  await expect(app.accounts.get(account.accountId)).rejects.toMatchObject({ code: 'not_found' });
});

test('every table that names accounts lets its rows go with them', async () => {
  const rows = await app.database.sql`
    select distinct conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confdeltype = 'c'`;
  const cascading = rows.map(({ name }) => name);
  expect((await tablesOfAccounts()).filter((table) => !cascading.includes(table))).toEqual([]);
});

test('its keys stop at once', async () => {
  const account = await newCaller(app, 'Bakery');
  const { key } = await app.keys.create(account.accountId, 'k', ['templates:read'], null);
  expect(await app.credentials.resolve(key, {})).toMatchObject({ accountId: account.accountId });
  await app.accountDeletion.delete(account, 'Bakery');
  await expect
    .poll(() => app.credentials.resolve(key, {}).catch((error: { key: string }) => error.key))
    .toBe('unauthenticated.wrong');
});

test('people who belong nowhere else go with it; others lose this account only', async () => {
  const { accountId } = await newCaller(app, 'Bakery');
  const elsewhere = await newCaller(app, 'Florist');
  const [owner, friend] = [newId('usr'), newId('usr')];
  const caller = await enrol(accountId, owner, 'owner');
  await enrol(accountId, friend, 'member');
  await enrol(elsewhere.accountId, friend, 'owner');
  await app.accountDeletion.delete(caller, 'Bakery');
  const { sql } = app.database;
  expect(await sql`select id from users where id in (${owner}, ${friend})`).toEqual([{ id: friend }]);
  expect(await sql`select account_id from sessions where user_id in (${owner}, ${friend})`).toEqual([
    { account_id: elsewhere.accountId },
  ]);
});

test('only with its name, and only by an owner', async () => {
  const { accountId } = await newCaller(app, 'Bakery');
  const owner = await enrol(accountId, newId('usr'), 'owner');
  const admin = await enrol(accountId, newId('usr'), 'admin');
  for (const confirm of ['', 'bakery', 'Bakery '])
    await expect(useTools(app, owner)('delete_account', { confirm })).rejects.toMatchObject({
      key: 'confirmation_required.account',
      params: { name: 'Bakery' },
    });
  await expect(useTools(app, admin)('delete_account', { confirm: 'Bakery' })).rejects.toMatchObject({
    key: 'forbidden.owners',
  });
  // Once an owner, by what the caller still holds.
  await expect(
    app.accountDeletion.delete({ ...admin, scopes: owner.scopes }, 'Bakery'),
  ).rejects.toMatchObject({ key: 'forbidden.owners' });
  expect(await app.accounts.get(accountId)).toMatchObject({ name: 'Bakery' });
});

test('never that of the local owner', async () => {
  const local = localCaller((await app.accounts.local()).id);
  await expect(useTools(app, local)('delete_account', { confirm: 'local' })).rejects.toMatchObject({
    key: 'forbidden.local_account',
  });
});

test('what is paid for ends first: when that fails, the account stays', async () => {
  const caller = await newCaller(app, 'Bakery');
  const canceled: string[] = [];
  const { sql } = app.database;
  const failing = createAccountDeletion({
    sql,
    files: app.files,
    invalidate: () => {},
    cancelSubscriptions: () => Promise.reject(new Error('no answer')),
  });
  await expect(failing.delete(caller, 'Bakery')).rejects.toThrow('no answer');
  expect(await app.accounts.get(caller.accountId)).toMatchObject({ name: 'Bakery' });
  const working = createAccountDeletion({
    sql,
    files: app.files,
    invalidate: () => {},
    cancelSubscriptions: async (id) => {
      canceled.push(id);
    },
  });
  await expect(working.delete(caller, 'wrong')).rejects.toMatchObject({ code: 'confirmation_required' });
  expect(canceled).toEqual([]);
  await working.delete(caller, 'Bakery');
  expect(canceled).toEqual([caller.accountId]);
});
