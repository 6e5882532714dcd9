import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { createAccounts } from '../../../src/identity/accounts/accounts.ts';
import { createSignUpPolicy } from '../../../src/identity/sign-in/sign-up-policy.ts';
import { createExternalUsers, type ExternalUsers } from '../../../src/identity/users/external-users.ts';
import { createOidcProvider } from '../../../src/providers/oidc/oidc.ts';
import { type OidcIssuer, startOidcIssuer } from '../../peers/oidc-issuer.ts';
import { newCaller, openTestApp, type TestApp, useTools } from '../../support/app.ts';
import { givePlan } from '../../support/plans.ts';
import { startTestServer, type TestServer, useRest } from '../../support/server.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');

let app: TestApp;
let clock: number;
let issuer: OidcIssuer;
let people: ExternalUsers;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  clock = NOON;
  issuer = await startOidcIssuer({ now: () => clock });
  people = node(app);
});
afterEach(() => issuer.close());

/** The sign-in of one node of the server. Its new accounts have no starter templates, which take long to write. */
function node({ database: { sql } }: App, accounts = createAccounts({ sql, seedAccount: async () => {} })) {
  const now = () => clock;
  const provider = createOidcProvider({ issuer: issuer.url, audience: 'stallhand', now });
  const policy = createSignUpPolicy({ sql, mode: 'open', domains: [] });
  return createExternalUsers({ sql, provider, accounts, policy, now });
}

const usersOf = (subject: string) => app.database.sql`
  select email, email_verified, name, avatar from users
  where oidc_issuer = ${issuer.url} and oidc_subject = ${subject}`;

const at = (name: string) => ({
  email: `${name}@${new URL(issuer.url).port}.example.com`,
  email_verified: true,
});

describe('a person whom the identity provider signs in', () => {
  test('gets a user and an account of their own, with starter templates, at first sight', async () => {
    const caller = await node(app, app.accounts).resolve(
      await issuer.sign({ ...at('ana'), name: 'Ana' }),
      {},
    );
    expect(caller).toMatchObject({ actor: at('ana').email, via: 'oidc' });
    expect(caller.scopes).toContain('billing:write');
    expect(await app.profiles.get(caller)).toMatchObject({
      id: caller.userId,
      name: 'Ana',
      email: at('ana').email,
      plan: 'free',
      role: 'owner',
      auth_provider: 'oidc',
      account: { id: caller.accountId, name: 'Ana' },
    });
    expect(await app.templates.catalog.list(caller.accountId, { limit: 10 })).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ name: 'welcome' })]),
    });
  });

  test('is fresh for ten minutes after signing in at the provider, as far as the token tells', async () => {
    const auth_time = Math.floor(NOON / 1000);
    const token = await issuer.sign({ ...at('ana'), auth_time, exp: auth_time + 3600 });
    const untold = await issuer.sign({ ...at('ana'), exp: auth_time + 3600 });
    expect(await people.resolve(token, {})).toMatchObject({ fresh: true });
    expect(await people.resolve(untold, {})).not.toHaveProperty('fresh');
    clock = NOON + 10 * 60_000 + 1;
    expect(await people.resolve(token, {})).not.toHaveProperty('fresh');
  });

  test('who proves again who they are is fresh with the same token, on every node, for ten minutes', async () => {
    const seconds = Math.floor(NOON / 1000);
    const token = await issuer.sign({ ...at('ana'), exp: seconds + 3600 });
    const other = await issuer.sign({ ...at('ana'), exp: seconds + 3600, jti: 'other' });
    const there = node(app);
    const { userId = '' } = await people.resolve(token, {});
    await people.markAuthenticated(userId, token);
    expect(await people.resolve(token, {})).toMatchObject({ fresh: true });
    expect(await there.resolve(token, {})).toMatchObject({ fresh: true });
    expect(await there.resolve(other, {})).not.toHaveProperty('fresh');
    clock = NOON + 10 * 60_000 + 1;
    expect(await people.resolve(token, {})).not.toHaveProperty('fresh');
    await people.sweep();
    expect(await app.database.sql`select 1 from reauthentications where user_id = ${userId}`).toEqual([]);
  });

  test('is one user, on however many nodes they are seen at once', async () => {
    const tokens = await Promise.all(Array.from({ length: 8 }, (_, jti) => issuer.sign({ jti: `${jti}` })));
    const callers = await Promise.all(tokens.map((token) => node(app).resolve(token, {})));
    expect(new Set(callers.map(({ accountId, userId }) => `${accountId} ${userId}`)).size).toBe(1);
  });

  test('who was removed from the last account they were in gets one of their own, one on all nodes', async () => {
    const token = await issuer.sign({ ...at('ana'), name: 'Ana' });
    const { userId = '', accountId: before } = await people.resolve(token, {});
    await app.database.sql`delete from memberships where user_id = ${userId}`;
    const callers = await Promise.all([1, 2, 3, 4].map(() => node(app).resolve(token, {})));
    const homes = new Set(callers.map(({ accountId }) => accountId));
    expect(homes.size).toBe(1);
    expect(homes).not.toContain(before);
  });

  test('is told apart by issuer and subject, never by address: who has it keeps it', async () => {
    const first = await people.resolve(await issuer.sign({ ...at('ana'), sub: 'first' }), {});
    const second = await people.resolve(await issuer.sign({ ...at('ana'), sub: 'second' }), {});
    expect(second.userId).not.toBe(first.userId);
    expect(second.accountId).not.toBe(first.accountId);
    expect(await usersOf('first')).toMatchObject([{ email: at('ana').email, email_verified: true }]);
    expect(await usersOf('second')).toMatchObject([{ email: null, email_verified: false }]);
  });

  test('shares an address with no other user, also when two ask for it at once', async () => {
    const subs = ['a', 'b', 'c', 'd'];
    const tokens = await Promise.all(subs.map((sub) => issuer.sign({ ...at('ana'), sub })));
    const callers = await Promise.all(tokens.map((token) => people.resolve(token, {})));
    expect(new Set(callers.map(({ userId }) => userId)).size).toBe(4);
    const emails = (await Promise.all(subs.map(usersOf))).flat().map(({ email }) => email);
    expect(emails.filter(Boolean)).toEqual([at('ana').email]);
  });

  test('keeps what they changed until the provider tells something new', async () => {
    const caller = await people.resolve(await issuer.sign({ name: 'Ana' }), {});
    await app.profiles.update(caller, { name: 'Anita', avatar: 'https://img.example.com/me.png' });
    clock += 61_000;
    await people.resolve(await issuer.sign({ name: 'Ana' }), {});
    await people.resolve(await issuer.sign(), {});
    expect(await usersOf('ana')).toMatchObject([{ name: 'Anita', avatar: 'https://img.example.com/me.png' }]);
    await people.resolve(await issuer.sign({ name: 'Ana Ruiz', ...at('ruiz') }), {});
    expect(await usersOf('ana')).toMatchObject([{ name: 'Ana Ruiz', ...at('ruiz') }]);
  });

  test('whose new address another user has is left without one', async () => {
    await people.resolve(await issuer.sign({ sub: 'eva', ...at('eva') }), {});
    await people.resolve(await issuer.sign(at('ana')), {});
    clock += 61_000;
    await people.resolve(await issuer.sign(at('eva')), {});
    expect(await usersOf('ana')).toMatchObject([{ email: null }]);
    expect(await usersOf('eva')).toMatchObject([{ email: at('eva').email }]);
  });
});

describe('a token that was checked', () => {
  test('is believed for a minute without a question, and never past its end', async () => {
    const token = await issuer.sign({ exp: NOON / 1000 + 30 });
    await people.resolve(token, {});
    app.queriesSince();
    await people.resolve(token, {});
    expect(app.queriesSince()).toBe(0);
    clock = NOON + 36_000;
    await expect(people.resolve(token, {})).rejects.toMatchObject({ key: 'token_expired.token' });
  });

  test('is looked at again after a minute', async () => {
    const token = await issuer.sign();
    await people.resolve(token, {});
    clock += 61_000;
    app.queriesSince();
    await people.resolve(token, {});
    expect(app.queriesSince()).toBeGreaterThan(0);
  });
});

describe('the other accounts of a person', () => {
  test('are named by header; one that they are no member of is not found, like an unknown one', async () => {
    const { accountId } = await newCaller(app);
    const token = await issuer.sign();
    for (const account of [accountId, 'acc_nobody'])
      await expect(people.resolve(token, { account })).rejects.toMatchObject({
        key: 'not_found.account',
        params: { id: account },
      });
    const home = await people.resolve(token, {});
    await app.database.sql`
      insert into memberships (account_id, user_id, role) values (${accountId}, ${home.userId ?? ''}, 'member')`;
    const away = await people.resolve(token, { account: accountId });
    expect(away).toMatchObject({ accountId, userId: home.userId });
    expect(away.scopes).not.toContain('account:write');
    expect((await people.resolve(token, {})).accountId).toBe(home.accountId);
    expect(await people.renew(away)).toEqual(away);
    await app.members.remove({ ...away, scopes: ['account:write'] }, home.userId ?? '');
    await expect(people.renew(away)).rejects.toMatchObject({ key: 'unauthenticated.revoked' });
  });
});

describe('over HTTP', () => {
  let server: TestServer;
  let served: TestApp;
  let real: OidcIssuer;

  beforeAll(async () => {
    real = await startOidcIssuer();
    const env = { OIDC_ISSUER: real.url, OIDC_AUDIENCE: 'stallhand' };
    served = await openTestApp(env);
    server = await startTestServer(served, env);
  });
  afterAll(async () => {
    await server.close();
    await served.close();
    await real.close();
  });

  test('a token is a credential like any: profile, another account, and a clear answer to each fault', async () => {
    const get = async (token: string, headers: Record<string, string> = {}) =>
      useRest(server.url, token)('GET', '/api/v1/user/profile', { headers });
    const good = await real.sign({ name: 'Ana' });
    expect(await get(good)).toMatchObject({
      status: 200,
      body: { name: 'Ana', plan: 'free', role: 'owner' },
    });
    expect(await get(good, { 'stallhand-account': 'acc_nobody' })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect(await get(await real.sign({ aud: 'other' }))).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
    const ended = await get(await real.sign({ exp: 1 }));
    expect(ended).toMatchObject({ status: 401, body: { code: 'token_expired' } });
    expect(ended.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  test('who is invited is in once they accept, and out at once when they are removed', async () => {
    const owner = await newCaller(served, 'Bakery');
    const { accountId } = owner;
    await givePlan(served, accountId, 'enterprise');
    await useTools(served, owner)('invite_member', { email: 'eva@example.com', role: 'admin' });
    const eva = useRest(
      server.url,
      await real.sign({ sub: 'eva', email: 'eva@example.com', email_verified: true }),
    );
    const headers = { 'stallhand-account': accountId };
    expect((await eva('GET', '/api/v1/members', { headers })).status).toBe(404);
    const { body } = await eva('GET', '/api/v1/user/accounts');
    const [invitation] = body['invitations'] as { id: string }[];
    expect((await eva('POST', `/api/v1/invitations/${invitation?.id}/accept`)).status).toBe(200);
    const members = await eva('GET', '/api/v1/members', { headers });
    expect(members).toMatchObject({ status: 200, body: { items: [{ status: 'active', role: 'admin' }] } });
    const [guest] = await served.members.list(accountId);
    await served.members.remove(owner, guest?.id ?? '');
    // The word goes round by the database; without it the answer would be the old one for a minute.
    const status = () => eva('GET', '/api/v1/members', { headers }).then((answer) => answer.status);
    await expect.poll(status).toBe(404);
    expect(await eva('GET', '/api/v1/members')).toMatchObject({ status: 200 });
  });

  test('without the setting a token is a wrong key like any', async () => {
    await expect(app.credentials.resolve(await real.sign(), {})).rejects.toMatchObject({
      key: 'unauthenticated.wrong',
    });
  });
});

test('work that waits for a person is refused once their provider is no longer one of ours', async () => {
  const caller = await people.resolve(await issuer.sign(), {});
  expect(await people.renew(caller)).toEqual(caller);
  await expect(app.credentials.renew(caller)).rejects.toMatchObject({ key: 'unauthenticated.revoked' });
});
