import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '../../../src/errors.ts';
import { createAccountDeletion } from '../../../src/identity/accounts/account-deletion.ts';
import { localCaller } from '../../../src/identity/accounts/accounts.ts';
import { type Caller, type Role, SCOPES } from '../../../src/identity/caller.ts';
import type { Letter } from '../../../src/identity/mail.ts';
import * as membershipRepo from '../../../src/identity/members/membership-repo.ts';
import { scopesOf } from '../../../src/identity/members/roles.ts';
import { LOCALES, localizeFault, localizeLetter, plainReader } from '../../../src/language.ts';
import { newId } from '../../../src/platform/ids.ts';
import { newCaller, openTestApp, silentLog, type TestApp, useTools } from '../../support/app.ts';
import { givePlan } from '../../support/plans.ts';

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

const NOON = Date.parse('2026-11-22T12:00:00Z');
const LATER = NOON + 14 * 86_400_000;
const PLACE = { baseUrl: 'https://shop.example', locale: 'en' } as const;

type Deletion = Parameters<typeof createAccountDeletion>[0];

/** Deleting as the app does it, with another clock, and parts of its own where a test sets them. */
function deletion(over: Partial<Deletion> = {}) {
  const { billing } = app;
  return createAccountDeletion({
    sql: app.database.sql,
    files: app.files,
    subscriptions: {
      end: billing.endSubscriptions,
      cancel: billing.cancelSubscriptions,
      ending: billing.endingSubscriptions,
    },
    consents: app.sync.grants,
    stopWork: async () => {},
    record: app.audit.record,
    post: async () => true,
    invalidate: () => {},
    log: silentLog,
    now: () => NOON,
    ...over,
  });
}

/** Deletes the account, and lets 14 days go by. */
async function deleteForGood(caller: Caller, name: string): Promise<void> {
  await deletion().delete(caller, name, PLACE);
  await deletion({ now: () => LATER }).purge();
}

async function enrol(accountId: string, userId: string, role: Role): Promise<Caller> {
  await app.database.sql`
    insert into users (id, email, name, auth_provider) values (${userId}, ${`${userId}@example.com`}, 'x', 'code')
    on conflict do nothing`;
  await membershipRepo.insert(app.database.sql, accountId, userId, role);
  await app.database.sql`
    insert into sessions (id, token_sha256, user_id, account_id, expires_at)
    values (${newId('ses')}, ${newId('hash')}, ${userId}, ${accountId}, now() + interval '1 day')`;
  return { accountId, actor: userId, scopes: scopesOf(role), via: 'session', userId, role, fresh: true };
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
  const hooked = await call('create_webhook', {
    url: 'https://a.example.invalid',
    events: ['branch.merged'],
  });
  await call('ping_webhook', { id: hooked['id'] });
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

test('after 14 days an account goes with everything that any table has of it, and nothing of another does', async () => {
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
  await deleteForGood(account, 'Bakery');
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

describe('a deleted account', () => {
  let caller: Caller;
  let owner: Caller;
  beforeEach(async () => {
    caller = await newCaller(app, 'Bakery');
    owner = await enrol(caller.accountId, newId('usr'), 'owner');
  });

  test('says until when it can be restored, and keeps everything', async () => {
    const before = await rowsOf(caller.accountId);
    const deleted = await useTools(app, owner)('delete_account', { confirm: 'Bakery' });
    expect(deleted).toEqual({ deleted: true, restorable_until: expect.stringMatching(/Z$/) });
    expect(await rowsOf(caller.accountId)).toEqual({
      ...before,
      audit_events: (before['audit_events'] ?? 0) + 1,
    });
    expect((await app.audit.list(caller.accountId, { limit: 1 })).items).toMatchObject([
      { action: 'account.deleted', actor: owner.actor },
    ]);
  });

  test('rejects its keys and sessions at once, and every call names the way back', async () => {
    const { key } = await app.keys.create(caller.accountId, 'k', SCOPES, null);
    expect(await app.credentials.resolve(key, {})).toMatchObject({ accountId: caller.accountId });
    await app.accountDeletion.delete(caller, 'Bakery', PLACE);
    await expect(app.credentials.resolve(key, {})).rejects.toMatchObject({
      key: 'account_deleted.account',
      status: 403,
      params: { account: caller.accountId },
      data: { restorable_until: expect.any(String) },
    });
    expect(await app.credentials.resolve(key, { whileDeleted: true })).toMatchObject({
      accountId: caller.accountId,
    });
    await expect(app.credentials.renew({ ...owner })).rejects.toMatchObject({ code: 'account_deleted' });
  });

  test('is restored by an owner in one call, with everything that was in it', async () => {
    const before = await rowsOf(caller.accountId);
    const { key } = await app.keys.create(caller.accountId, 'k', ['templates:read'], null);
    await app.accountDeletion.delete(owner, 'Bakery', PLACE);
    expect(await useTools(app, owner)('restore_account')).toEqual({
      restored: true,
      ending_subscriptions: [],
    });
    expect(await app.credentials.resolve(key, {})).toMatchObject({ accountId: caller.accountId });
    expect(await rowsOf(caller.accountId)).toEqual({
      ...before,
      api_keys: 1,
      audit_events: (before['audit_events'] ?? 0) + 2,
    });
    await expect(useTools(app, owner)('restore_account')).rejects.toMatchObject({
      key: 'conflict.not_deleted',
    });
  });

  test('is restored by owners only, and not after 14 days', async () => {
    const admin = await enrol(caller.accountId, newId('usr'), 'admin');
    await deletion().delete(owner, 'Bakery', PLACE);
    await expect(app.accountDeletion.restore(admin)).rejects.toMatchObject({ key: 'forbidden.owners' });
    await expect(app.accountDeletion.restore({ ...admin, scopes: owner.scopes })).rejects.toMatchObject({
      key: 'forbidden.owners',
    });
    const late = deletion({ now: () => LATER });
    await expect(late.restore(owner)).rejects.toMatchObject({ key: 'not_found.account' });
  });

  test('is not removed a second before its 14 days are over', async () => {
    const until = await deletion().delete(owner, 'Bakery', PLACE);
    expect(until.getTime()).toBe(LATER);
    await deletion({ now: () => LATER - 1_000 }).purge();
    expect(await app.accounts.get(caller.accountId)).toMatchObject({ name: 'Bakery' });
    await deletion({ now: () => LATER }).purge();
    await expect(app.accounts.get(caller.accountId)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('starts no sync, delivers no webhook and gives out no link', async () => {
    const bytes = Buffer.from('x');
    const file = await app.files.save(caller.accountId, {
      bytes,
      mediaType: 'text/plain',
      filename: 'x.txt',
    });
    const token = file.path.split('token=')[1] ?? '';
    const job = await app.jobs.create(caller, {
      ...{ tool: 'list_templates', input: {}, locale: 'en', baseUrl: '' },
    } as const);
    expect(await app.files.open({ id: file.id, token })).toBeDefined();
    await app.accountDeletion.delete(owner, 'Bakery', PLACE);
    expect(await app.files.open({ id: file.id, token })).toBeUndefined();
    expect(await app.jobs.get(caller.accountId, job.id)).toMatchObject({ status: 'canceled' });
    const { sql } = app.database;
    expect(await sql`select id from active_accounts where id = ${caller.accountId}`).toEqual([]);
    await app.accountDeletion.restore(owner);
    expect(await app.files.open({ id: file.id, token })).toBeDefined();
    expect(await sql`select id from active_accounts where id = ${caller.accountId}`).toHaveLength(1);
  });

  test('tells all owners by email, each in their language, and goes on where one cannot be reached', async () => {
    const { sql } = app.database;
    const second = await enrol(caller.accountId, newId('usr'), 'owner');
    await enrol(caller.accountId, newId('usr'), 'admin');
    await sql`update users set email_verified = true where id in (${owner.userId ?? ''}, ${second.userId ?? ''})`;
    await sql`update users set language = 'es' where id = ${second.userId ?? ''}`;
    const letters: Letter[] = [];
    const mailing = deletion({
      async post(letter) {
        letters.push(letter);
        throw new Error('the mail server is down');
      },
    });
    await mailing.delete(owner, 'Bakery', PLACE);
    const params = {
      account: 'Bakery',
      actor: owner.actor,
      date: '2026-12-06',
      url: 'https://shop.example/settings/account',
    };
    const letter = { kind: 'account_deleted', params };
    expect(letters.sort((a, b) => a.locale.localeCompare(b.locale))).toEqual([
      { ...letter, to: `${owner.userId}@example.com`, locale: 'en' },
      { ...letter, to: `${second.userId}@example.com`, locale: 'es' },
    ]);
    expect(localizeLetter({ kind: 'account_deleted', params }, 'es').subject).toBe(
      'Se eliminó tu cuenta Bakery de Stallhand',
    );
  });
});

test('people who belong nowhere else go with it; others lose this account only', async () => {
  const { accountId } = await newCaller(app, 'Bakery');
  const elsewhere = await newCaller(app, 'Florist');
  const [owner, friend] = [newId('usr'), newId('usr')];
  const caller = await enrol(accountId, owner, 'owner');
  await enrol(accountId, friend, 'member');
  await enrol(elsewhere.accountId, friend, 'owner');
  await deleteForGood(caller, 'Bakery');
  const { sql } = app.database;
  expect(await sql`select id from users where id in (${owner}, ${friend})`).toEqual([{ id: friend }]);
  expect(await sql`select account_id from sessions where user_id in (${owner}, ${friend})`).toEqual([
    { account_id: elsewhere.accountId },
  ]);
});

test('only with its name, which the answer does not give away, and only by an owner', async () => {
  const { accountId } = await newCaller(app, 'Bakery');
  const owner = await enrol(accountId, newId('usr'), 'owner');
  const admin = await enrol(accountId, newId('usr'), 'admin');
  for (const confirm of ['', 'bakery', 'Bakery ']) {
    const fault = await useTools(app, owner)('delete_account', { confirm }).catch((error: unknown) => error);
    expect(fault).toMatchObject({ key: 'confirmation_required.account', params: {}, data: {} });
    for (const locale of LOCALES)
      expect(JSON.stringify(localizeFault(fault as Fault, plainReader(locale)))).not.toContain('Bakery');
  }
  await expect(useTools(app, admin)('delete_account', { confirm: 'Bakery' })).rejects.toMatchObject({
    key: 'insufficient_scope.key',
  });
  // Once an owner, by what the caller still holds.
  await expect(
    app.accountDeletion.delete({ ...admin, scopes: owner.scopes }, 'Bakery', PLACE),
  ).rejects.toMatchObject({ key: 'forbidden.owners' });
  expect(await app.accounts.get(accountId)).toMatchObject({ name: 'Bakery' });
});

test('never that of the local owner', async () => {
  const local = localCaller((await app.accounts.local()).id);
  await expect(useTools(app, local)('delete_account', { confirm: 'local' })).rejects.toMatchObject({
    key: 'forbidden.local_account',
  });
});

test('what is paid for ends first: when that fails, the account stays, and is not removed either', async () => {
  const caller = await newCaller(app, 'Bakery');
  const calls: string[] = [];
  const subscriptions: Deletion['subscriptions'] = {
    async end(id) {
      calls.push(`end ${id}`);
    },
    async cancel(id) {
      calls.push(`cancel ${id}`);
    },
    ending: async () => [],
  };
  const refuse = () => Promise.reject(new Error('no answer'));
  const failing = deletion({ subscriptions: { ...subscriptions, end: refuse } });
  await expect(failing.delete(caller, 'Bakery', PLACE)).rejects.toThrow('no answer');
  expect(await app.credentials.renew({ ...caller, via: 'api_key' })).toMatchObject({ via: 'api_key' });
  const now = () => LATER;
  await expect(deletion({ subscriptions }).delete(caller, 'wrong', PLACE)).rejects.toMatchObject({
    code: 'confirmation_required',
  });
  expect(calls).toEqual([]);
  await deletion({ subscriptions }).delete(caller, 'Bakery', PLACE);
  await deletion({ now, subscriptions: { ...subscriptions, cancel: refuse } }).purge();
  expect(await app.accounts.get(caller.accountId)).toMatchObject({ name: 'Bakery' });
  await deletion({ now, subscriptions }).purge();
  expect(calls).toEqual([`end ${caller.accountId}`, `cancel ${caller.accountId}`]);
  await expect(app.accounts.get(caller.accountId)).rejects.toMatchObject({ code: 'not_found' });
});
