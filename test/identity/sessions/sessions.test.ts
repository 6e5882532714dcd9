import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '../../../src/identity/caller.ts';
import { SCOPES } from '../../../src/identity/caller.ts';
import { scopesOf } from '../../../src/identity/members/roles.ts';
import { createSessions } from '../../../src/identity/sessions/sessions.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { HERE, openPeople, signedIn } from '../sign-in/open-local-sign-in.ts';

const DAY_MS = 86_400_000;

let database: TestDatabase;
let people: ReturnType<typeof openPeople>;
let count = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  people = openPeople(database);
});
afterAll(() => database.close());

const wrong = { key: 'unauthenticated.wrong', status: 401 };
const expired = { key: 'token_expired.session', status: 401 };

async function newPerson(email = `person-${++count}@shop.example`) {
  const { token, user } = signedIn(
    await people.signIn.register(
      { email, password: 'correct horse' },
      { ...HERE, address: `198.51.100.${count}` },
    ),
  );
  return { token, email, id: user.id, accountId: user.account_id };
}

test('a session speaks for the person in their own account, with everything an owner may do', async () => {
  const { token, email, id, accountId } = await newPerson();
  expect(token).toMatch(/^ses_[\w-]{43}$/);
  expect(await people.sessions.resolve(token, {})).toEqual({
    accountId,
    actor: email,
    scopes: SCOPES,
    via: 'session',
    fresh: true,
    userId: id,
    sessionId: expect.stringMatching(/^ses_/),
    role: 'owner',
  });
  people.clock.now += 10 * 60_000 + 1;
  expect(await people.sessions.resolve(token, {})).not.toHaveProperty('fresh');
});

test('a session ends 30 days after it was last used, and then says so, until it is deleted', async () => {
  const { token, id } = await newPerson();
  const start = people.clock.now;
  people.clock.now = start + 29 * DAY_MS;
  await people.sessions.resolve(token, {});
  // The call does not wait for its mark.
  const until = () => database.sql`select expires_at from sessions where user_id = ${id}`;
  await expect.poll(until).toEqual([{ expires_at: new Date(start + 59 * DAY_MS) }]);
  people.sessions.invalidate();
  people.clock.now = start + 58 * DAY_MS;
  expect(await people.sessions.resolve(token, {})).toMatchObject({ via: 'session' });
  await expect.poll(until).toEqual([{ expires_at: new Date(start + 88 * DAY_MS) }]);
  people.clock.now = start + 89 * DAY_MS;
  await expect(people.sessions.resolve(token, {})).rejects.toMatchObject(expired);
  await expect(people.sessions.refresh(token)).rejects.toMatchObject(expired);
  await people.sweep();
  await expect(people.sessions.resolve(token, {})).rejects.toMatchObject(expired);
  people.clock.now = start + 97 * DAY_MS;
  await people.sweep();
  people.sessions.invalidate();
  await expect(people.sessions.resolve(token, {})).rejects.toMatchObject(wrong);
  people.clock.now = start;
});

test('a session ends 90 days after the sign-in, however much it is used and refreshed', async () => {
  const { token, id } = await newPerson();
  const start = people.clock.now;
  let current = token;
  for (let day = 20; day <= 80; day += 20) {
    people.clock.now = start + day * DAY_MS;
    ({ token: current } = await people.sessions.refresh(current));
  }
  expect(await database.sql`select expires_at from sessions where user_id = ${id}`).toEqual([
    { expires_at: new Date(start + 90 * DAY_MS) },
  ]);
  people.clock.now = start + 90 * DAY_MS;
  await expect(people.sessions.resolve(current, {})).rejects.toMatchObject(expired);
  people.clock.now = start;
});

test('unknown, cut and forged tokens are wrong, however long', async () => {
  const { token } = await newPerson();
  for (const bad of [
    'ses_',
    `${token}x`,
    token.slice(0, -1),
    token.toUpperCase(),
    `ses_${'x'.repeat(10_000)}`,
  ])
    await expect(people.sessions.resolve(bad, {})).rejects.toMatchObject(wrong);
});

test('refreshing gives another token to the same session and kills the old one at once', async () => {
  const { token } = await newPerson();
  const before = await people.sessions.resolve(token, {});
  const { token: fresh } = await people.sessions.refresh(token);
  expect(fresh).not.toBe(token);
  expect(await people.sessions.resolve(fresh, {})).toEqual(before);
  await expect(people.sessions.resolve(token, {})).rejects.toMatchObject(wrong);
  await expect(people.sessions.refresh(token)).rejects.toMatchObject(wrong);
});

test('of ten refreshes with one token at the same time, one is given a new one', async () => {
  const { token } = await newPerson();
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => people.sessions.refresh(token)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('signing out ends one session, or all of the person and of no one else', async () => {
  const { token: first, email, id } = await newPerson();
  const other = await newPerson();
  const sign = async () => signedIn(await people.signIn.byPassword(email, 'correct horse', HERE)).token;
  const [second, third] = [await sign(), await sign()];
  const { sessionId = '' } = await people.sessions.resolve(first, {});
  await people.sessions.end(other.id, sessionId);
  expect(await people.sessions.resolve(first, {})).toMatchObject({ userId: id });
  await people.sessions.end(id, sessionId);
  await expect(people.sessions.resolve(first, {})).rejects.toMatchObject(wrong);
  expect(await people.sessions.resolve(second, {})).toMatchObject({ userId: id });
  await people.sessions.endAll(id);
  await expect(people.sessions.resolve(second, {})).rejects.toMatchObject(wrong);
  await expect(people.sessions.resolve(third, {})).rejects.toMatchObject(wrong);
  expect(await people.sessions.resolve(other.token, {})).toMatchObject({ userId: other.id });
});

test('a session that ended is forgotten by every process at once', async () => {
  const there = createSessions({ sql: database.sql, now: () => people.clock.now });
  const { promise: heard, resolve } = Promise.withResolvers<void>();
  const { token, id } = await newPerson();
  await there.resolve(token, {});
  await database.sql.listen('sessions', () => {
    there.invalidate();
    resolve();
  });
  await people.sessions.endAll(id);
  await heard;
  await expect(there.resolve(token, {})).rejects.toMatchObject(wrong);
});

test('after the first time, knowing a session asks the database nothing', async () => {
  let queries = 0;
  const counted = await openTestDatabase({ onQuery: () => queries++ });
  const desk = openPeople(counted);
  const { token } = signedIn(
    await desk.signIn.register({ email: 'warm@shop.example', password: 'correct horse' }, HERE),
  );
  await desk.sessions.resolve(token, {});
  queries = 0;
  await desk.sessions.resolve(token, {});
  expect(queries).toBe(0);
  await counted.close();
});

test.each<[Role, readonly string[]]>([
  ['owner', SCOPES],
  ['admin', SCOPES.filter((scope) => scope !== 'billing:write' && scope !== 'account:admin')],
  [
    'member',
    [
      'templates:read',
      'templates:write',
      'templates:render',
      'templates:promote',
      'assets:read',
      'assets:write',
      'brand:read',
      'videos:read',
      'videos:write',
      'hooks:read',
      'hooks:write',
      'account:read',
      'billing:read',
      'sync:read',
      'sync:run',
    ],
  ],
])('a person may act in an account that has them as %s', async (role, scopes) => {
  const { token, id } = await newPerson();
  const team = await people.accounts.create('team');
  await database.sql`insert into memberships (account_id, user_id, role) values (${team.id}, ${id}, ${role})`;
  const caller = await people.sessions.resolve(token, { account: team.id });
  expect(caller).toMatchObject({ accountId: team.id, userId: id });
  expect([...caller.scopes].sort()).toEqual([...scopes].sort());
  expect(scopesOf(role)).toEqual(caller.scopes);
});

test('an account one is no member of answers as one that does not exist', async () => {
  const { token } = await newPerson();
  const other = await newPerson();
  for (const account of [other.accountId, 'acc_nobody', '', '\u{10ffff}'])
    await expect(people.sessions.resolve(token, { account })).rejects.toMatchObject({
      key: 'not_found.account',
      params: { id: account },
    });
});

test('work for later keeps the rights the person still has in the account', async () => {
  const { token, id, accountId } = await newPerson();
  const caller = await people.sessions.resolve(token, {});
  expect(await people.sessions.renew(caller)).toEqual(caller);
  await people.sessions.endAll(id);
  expect(await people.sessions.renew(caller)).toEqual(caller);
  await database.sql`update memberships set role = 'admin' where user_id = ${id}`;
  expect((await people.sessions.renew(caller)).scopes).toEqual(scopesOf('admin'));
  await database.sql`delete from memberships where account_id = ${accountId} and user_id = ${id}`;
  await expect(people.sessions.renew(caller)).rejects.toMatchObject({ key: 'unauthenticated.revoked' });
});
