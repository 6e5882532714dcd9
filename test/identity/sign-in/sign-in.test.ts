import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as sessionRepo from '../../../src/identity/sessions/session-repo.ts';
import { createPasswords } from '../../../src/identity/sign-in/passwords.ts';
import * as userRepo from '../../../src/identity/users/user-repo.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { samples } from '../../support/samples.ts';
import { HERE, openPeople, signedIn } from './open-local-sign-in.ts';

const MINUTE_MS = 60_000;
const ana = 'ana@shop.example';
const password = 'correct horse battery';

const wrongLogin = { key: 'unauthenticated.sign_in', status: 401, retryAfterSeconds: undefined };
const _wrongCode = { key: 'unauthenticated.code', status: 401 };
const tooMany = { key: 'rate_limited.sign_in', status: 429 };
const sent = { state: 'code_sent' };

let database: TestDatabase;
let people: ReturnType<typeof openPeople>;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  await database.reset();
  people = openPeople(database);
});

/** From a network no other caller uses. */
const elsewhere = (number: number) => ({ ...HERE, address: `198.51.100.${number}` });

async function askForCode(email: string, from = HERE): Promise<string> {
  expect(await people.signIn.sendCode(email, from)).toEqual(sent);
  return people.lastCode(email);
}

test('registering with a password signs in at once, to an account of one’s own', async () => {
  const answer = signedIn(await people.signIn.register({ email: ana, name: 'Ana', password }, HERE));
  expect(answer).toEqual({
    state: 'signed_in',
    token: expect.stringMatching(/^ses_/),
    expires_at: '2026-12-21T12:00:00.000Z',
    device: expect.stringMatching(/^dev_[\w-]{43}$/),
    user: {
      id: expect.stringMatching(/^usr_/),
      name: 'Ana',
      email: ana,
      avatar: null,
      plan: 'free',
      plans: { hooks: 'free', sync: 'free' },
      payment_customer_id: null,
      created_at: expect.stringMatching(/Z$/),
      role: 'owner',
      account_id: expect.stringMatching(/^acc_/),
    },
  });
  expect(await database.sql`select email_verified, auth_provider, language from users`).toEqual([
    { email_verified: false, auth_provider: 'password', language: 'en' },
  ]);
});

test('who tells no name is called by what stands before the @', async () => {
  const { user } = signedIn(await people.signIn.register({ email: ana, password }, HERE));
  expect(user.name).toBe('ana');
});

test('the password signs in again, another one does not', async () => {
  const { user, token } = signedIn(await people.signIn.register({ email: ana, password }, HERE));
  const again = signedIn(await people.signIn.byPassword(ana, password, HERE));
  expect(again.user).toEqual(user);
  expect(again.token).not.toBe(token);
  await expect(people.signIn.byPassword(ana, `${password}!`, HERE)).rejects.toMatchObject(wrongLogin);
});

test('an unknown address, a wrong password and a user without one get the same answer', async () => {
  await people.signIn.register({ email: ana, password }, HERE);
  signedIn(
    await people.signIn.byCode(
      { email: 'eva@shop.example', code: await askForCode('eva@shop.example') },
      HERE,
    ),
  );
  const answers = [];
  for (const email of [ana, 'eva@shop.example', 'nobody@shop.example']) {
    const error = await people.signIn
      .byPassword(email, 'a wrong password', HERE)
      .catch((caught: unknown) => caught);
    answers.push(error);
    expect(error).toMatchObject(wrongLogin);
  }
  expect(new Set(answers.map(String)).size).toBe(1);
});

test('a taken address is registered again only with its own password; otherwise its owner is sent a code', async () => {
  const { user } = signedIn(await people.signIn.register({ email: ana, name: 'Ana', password }, HERE));
  expect(
    await people.signIn.register({ email: ana, name: 'Eve', password: 'another password' }, HERE),
  ).toEqual(sent);
  expect(people.mails).toHaveLength(1);
  expect(signedIn(await people.signIn.register({ email: ana, password }, HERE)).user).toEqual(user);
  expect(await database.sql`select count(*)::int as users from users`).toEqual([{ users: 1 }]);
});

test('registering without a password answers the same for a new and a taken address, and sends both a code', async () => {
  await people.signIn.register({ email: ana, password }, HERE);
  expect(await people.signIn.register({ email: ana }, HERE)).toEqual(sent);
  expect(await people.signIn.register({ email: 'new@shop.example', name: 'New' }, HERE)).toEqual(sent);
  expect(people.mails.map(({ to }) => to)).toEqual([ana, 'new@shop.example']);
  const entry = { email: 'new@shop.example', code: people.lastCode('new@shop.example') };
  expect(signedIn(await people.signIn.byCode(entry, HERE)).user.name).toBe('New');
});

test('of twenty registrations of one address at the same time, one makes the user', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) =>
      people.signIn.register({ email: ana, password: `password number ${i}` }, elsewhere(i)),
    ),
  );
  const entered = results.filter((one) => one.status === 'fulfilled' && one.value.state === 'signed_in');
  expect(entered).toHaveLength(1);
  const [row] = await database.sql`
    select (select count(*)::int from users) as users, (select count(*)::int from memberships) as memberships,
      (select count(*)::int from accounts where id <> 'acc_anonymous') as accounts`;
  expect(row).toEqual({ users: 1, memberships: 1, accounts: 1 });
});

test('five wrong passwords in a minute shut a network out of an address, known or unknown, and no other network', async () => {
  await people.signIn.register({ email: ana, password }, HERE);
  for (const email of [ana, 'nobody@shop.example']) {
    const guess = (i: number) => people.signIn.byPassword(email, `wrong number ${i}`, elsewhere(1));
    const results = await Promise.allSettled(Array.from({ length: 12 }, (_, i) => guess(i)));
    const keys = results.map((one) => (one.status === 'rejected' ? one.reason.key : 'in'));
    expect(keys.filter((key) => key === 'unauthenticated.sign_in')).toHaveLength(5);
    expect(keys.filter((key) => key === 'rate_limited.sign_in')).toHaveLength(7);
    await expect(people.signIn.byPassword(email, password, elsewhere(1))).rejects.toMatchObject({
      ...tooMany,
      retryAfterSeconds: 60,
    });
  }
  expect(signedIn(await people.signIn.byPassword(ana, password, elsewhere(2))).user.email).toBe(ana);
  people.clock.now += MINUTE_MS;
  expect(signedIn(await people.signIn.byPassword(ana, password, elsewhere(1))).user.email).toBe(ana);
});

test('signing in rightly is never counted', async () => {
  await people.signIn.register({ email: ana, password }, HERE);
  for (let i = 0; i < 8; i++) signedIn(await people.signIn.byPassword(ana, password, HERE));
  expect(await database.sql`select cardinality(tried_at) as tries from sign_in_tries order by 1`).toEqual([
    { tries: 0 },
    { tries: 0 },
    { tries: 1 },
    { tries: 1 },
  ]);
});

test('a network that tries many addresses is shut, all of an IPv6 network at once', async () => {
  const from = (i: number) => ({ ...HERE, address: `2001:db8:1:2::${i.toString(16)}` });
  const results = [];
  for (let i = 0; i < 21; i++)
    results.push(
      await people.signIn
        .byPassword(`victim-${i}@shop.example`, 'Summer2026!', from(i))
        .catch((error) => error.key),
    );
  expect(results).toEqual([...Array(20).fill('unauthenticated.sign_in'), 'rate_limited.sign_in']);
  await expect(
    people.signIn.byPassword(ana, password, { ...HERE, address: '2001:db8:1:3::1' }),
  ).rejects.toMatchObject(wrongLogin);
});

test('what a stranger registered under an address ends when its owner proves it: password, sessions, keys', async () => {
  const stranger = signedIn(await people.signIn.register({ email: ana, name: 'Mallory', password }, HERE));
  await database.sql`
    insert into api_keys (id, account_id, name, public_id, secret_sha256, mask, scopes)
    values ('key_1', ${stranger.user.account_id}, 'back door', '1', '1', '1', '{}')`;
  await people.sessions.resolve(stranger.token, {});
  const owner = signedIn(await people.signIn.byCode({ email: ana, code: await askForCode(ana) }, HERE));
  expect(owner.user).toMatchObject({ id: stranger.user.id, account_id: stranger.user.account_id });
  people.sessions.invalidate();
  await expect(people.sessions.resolve(stranger.token, {})).rejects.toMatchObject({
    key: 'unauthenticated.wrong',
  });
  await expect(people.signIn.byPassword(ana, password, HERE)).rejects.toMatchObject(wrongLogin);
  expect(await database.sql`select revoked_at is not null as revoked from api_keys`).toEqual([
    { revoked: true },
  ]);
  expect(await people.sessions.resolve(owner.token, {})).toMatchObject({ userId: owner.user.id });
});

test('a stranger whose password was right a moment ago gets no session once the owner has verified the address', async () => {
  const { user } = signedIn(await people.signIn.register({ email: ana, password }, HERE));
  const seen = await userRepo.findByEmail(database.sql, ana);
  signedIn(await people.signIn.byCode({ email: ana, code: await askForCode(ana) }, HERE));
  const person = { userId: user.id, accountId: user.account_id, passwordHash: seen?.password_hash ?? '' };
  expect(await people.sessions.open(person, HERE)).toBeUndefined();
});

test('a password given with the code is the one from now on, and ends what was signed in before', async () => {
  const before = signedIn(await people.signIn.register({ email: ana, password }, HERE));
  const entry = { email: ana, code: await askForCode(ana), password: 'a new password' };
  const { user } = signedIn(await people.signIn.byCode(entry, HERE));
  expect(user).toEqual(before.user);
  people.sessions.invalidate();
  await expect(people.sessions.resolve(before.token, {})).rejects.toMatchObject({
    key: 'unauthenticated.wrong',
  });
  await expect(people.signIn.byPassword(ana, password, HERE)).rejects.toMatchObject(wrongLogin);
  signedIn(await people.signIn.byPassword(ana, 'a new password', HERE));
  // The address is verified by now: signing in with a code keeps the password and the sessions.
  signedIn(await people.signIn.byCode({ email: ana, code: await askForCode(ana) }, HERE));
  signedIn(await people.signIn.byPassword(ana, 'a new password', HERE));
});

test('signing in joins no account: an invitation waits to be accepted', async () => {
  const team = await people.accounts.create('team');
  await database.sql`
    insert into invitations (id, account_id, email, role, invited_by, expires_at)
    values ('inv_1', ${team.id}, ${ana}, 'member', 'host', ${new Date(people.clock.now + MINUTE_MS)})`;
  const { token } = signedIn(
    await people.signIn.byCode({ email: ana, code: await askForCode(ana), password }, HERE),
  );
  signedIn(await people.signIn.byPassword(ana, password, HERE));
  await expect(people.sessions.resolve(token, { account: team.id })).rejects.toMatchObject({
    key: 'not_found.account',
  });
  expect(await database.sql`select id from invitations`).toEqual([{ id: 'inv_1' }]);
});

test('a stolen database holds no token, code or password', async () => {
  people = openPeople(database, { passwords: createPasswords() });
  const { token } = signedIn(await people.signIn.register({ email: ana, password }, HERE));
  const code = await askForCode('eva@shop.example');
  await people.signIn.byPassword('eva@shop.example', 'wrong password', HERE).catch(() => {});
  const tables = await database.sql`select tablename as name from pg_tables where schemaname = 'public'`;
  const rows = await Promise.all(
    tables.map(({ name }) => database.sql`select t::text as text from ${database.sql(String(name))} t`),
  );
  const everything = rows
    .flat()
    .map(({ text }) => String(text))
    .join('\n');
  expect(everything).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
  for (const secret of [
    token,
    token.slice(4),
    password,
    'wrong password',
    Buffer.from(password).toString('base64'),
  ])
    expect(everything).not.toContain(secret);
  const codes = await database.sql`select t::text as text from sign_in_codes t`;
  expect(codes.flatMap(({ text }) => String(text).split(','))).not.toContain(code);
  expect(everything).not.toContain('192.0.2.7,eva');
});

test('what has expired is swept: codes, tries', async () => {
  await askForCode(ana);
  people.clock.now += 61 * MINUTE_MS;
  await people.sweep();
  const [row] = await database.sql`
    select (select count(*)::int from sign_in_codes) as codes, (select count(*)::int from sign_in_tries) as tries`;
  expect(row).toEqual({ codes: 0, tries: 0 });
});

test('a password is kept as argon2id and found again however its characters were typed', async () => {
  const passwords = createPasswords();
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }), async (text) => {
      const hash = await passwords.hash(text);
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
      expect(await passwords.verify(text.normalize('NFD'), hash)).toBe(true);
      expect(await passwords.verify(`${text}.`, hash)).toBe(false);
      expect(await passwords.verify(text, null)).toBe(false);
    }),
    { numRuns: samples(10, 3) },
  );
});

test('the queue for password checks is bounded', async () => {
  const passwords = createPasswords({ parallel: 1, waiting: 2 });
  const results = await Promise.allSettled(
    Array.from({ length: 5 }, () => passwords.verify('anything', null)),
  );
  expect(results.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.key))).toEqual([
    false,
    false,
    false,
    'unavailable.sign_in_busy',
    'unavailable.sign_in_busy',
  ]);
  expect(await passwords.verify('anything', null)).toBe(false);
});

test('sessions that are opened and ended at the same time leave none behind', async () => {
  const { user } = signedIn(await people.signIn.register({ email: ana, password }, HERE));
  const hash = (await userRepo.findByEmail(database.sql, ana))?.password_hash ?? '';
  const person = { userId: user.id, accountId: user.account_id, passwordHash: hash };
  const code = await askForCode(ana);
  const opening = Array.from({ length: 30 }, () => people.sessions.open(person, HERE));
  const { token } = signedIn(await people.signIn.byCode({ email: ana, code }, HERE));
  await Promise.all(opening);
  const { sessionId } = await people.sessions.resolve(token, {});
  expect(await database.sql`select id from sessions`).toEqual([{ id: sessionId }]);
  await sessionRepo.endAll(database.sql, user.id);
});

test('a user removed from their last account gets one of their own, a single one for concurrent sign-ins', async () => {
  const { user } = signedIn(await people.signIn.register({ email: ana, name: 'Ana', password }, HERE));
  await database.sql`delete from memberships where user_id = ${user.id}`;
  const answers = await Promise.all(
    [1, 2, 3].map(() => people.signIn.byPassword(ana, password, HERE).then(signedIn)),
  );
  const homes = new Set(answers.map((answer) => answer.user.account_id));
  expect(homes.size).toBe(1);
  expect(homes).not.toContain(user.account_id);
  expect(answers[0]?.user).toMatchObject({ id: user.id, role: 'owner' });
});
