import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { anotherCode, HERE, openPeople, signedIn } from '../sign-in/open-local-sign-in.ts';

const MINUTE_MS = 60_000;
const ana = 'ana@shop.example';
const password = 'correct horse battery';

const stale = { key: 'reauthentication_required.session', status: 403 };
const wrongCode = { key: 'unauthenticated.code', status: 401 };

let database: TestDatabase;
let people: ReturnType<typeof openPeople>;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await people?.journal.close();
  await database.reset();
  people = openPeople(database);
});

/** Ana, who has verified her address and chosen a password. */
async function newAna() {
  await people.signIn.sendCode(ana, HERE);
  const entry = { email: ana, code: people.lastCode(ana), password };
  return signedIn(await people.signIn.byCode(entry, HERE));
}

const personOf = async (token: string) => ({ token, caller: await people.sessions.resolve(token, {}) });

/** Signed in more than ten minutes ago. */
async function staleAna() {
  const { token } = await newAna();
  people.clock.now += 11 * MINUTE_MS;
  const person = await personOf(token);
  expect(person.caller).not.toHaveProperty('fresh');
  return person;
}

const actions = async (accountId: string) => {
  await people.journal.close();
  const { items } = await people.audit.list(accountId, { limit: 50 });
  return items.map(({ action }) => action).sort();
};

test('the password makes a session fresh for ten minutes, and says until when', async () => {
  const person = await staleAna();
  expect(await people.ownCredentials.reauthenticate(person, { password }, HERE)).toEqual({
    state: 'fresh',
    fresh_until: new Date(people.clock.now + 10 * MINUTE_MS).toISOString(),
  });
  expect((await personOf(person.token)).caller).toMatchObject({ fresh: true });
  people.clock.now += 10 * MINUTE_MS + 1;
  expect((await personOf(person.token)).caller).not.toHaveProperty('fresh');
});

test('so does a code, which an empty body sends to the person; it signs no one in', async () => {
  const person = await staleAna();
  expect(await people.ownCredentials.reauthenticate(person, {}, HERE)).toEqual({ state: 'code_sent' });
  expect(people.mails.at(-1)).toMatchObject({ to: ana, subject: /confirmation code/ });
  const code = people.lastCode(ana);
  await expect(people.signIn.byCode({ email: ana, code }, HERE)).rejects.toMatchObject(wrongCode);
  const wrong = { code: anotherCode(code) };
  await expect(people.ownCredentials.reauthenticate(person, wrong, HERE)).rejects.toMatchObject(wrongCode);
  expect(await people.ownCredentials.reauthenticate(person, { code }, HERE)).toMatchObject({
    state: 'fresh',
  });
  await expect(people.ownCredentials.reauthenticate(person, { code }, HERE)).rejects.toMatchObject(wrongCode);
});

test('a sign-in code proves no session again', async () => {
  const person = await staleAna();
  await people.signIn.sendCode(ana, HERE);
  const code = people.lastCode(ana);
  await expect(people.ownCredentials.reauthenticate(person, { code }, HERE)).rejects.toMatchObject(wrongCode);
});

test('wrong passwords of a session count as sign-in attempts', async () => {
  const person = await staleAna();
  const guess = () => people.ownCredentials.reauthenticate(person, { password: 'a wrong password' }, HERE);
  for (let i = 0; i < 5; i++)
    await expect(guess()).rejects.toMatchObject({ key: 'unauthenticated.password' });
  await expect(guess()).rejects.toMatchObject({ key: 'rate_limited.sign_in' });
});

test('a session that has ended meanwhile is not made fresh; a key and the local owner have no session', async () => {
  const person = await staleAna();
  await people.sessions.endAll(person.caller.userId ?? '');
  await expect(people.ownCredentials.reauthenticate(person, { password }, HERE)).rejects.toMatchObject({
    key: 'unauthenticated.revoked',
  });
  for (const via of ['api_key', 'local'] as const) {
    const { userId: _, sessionId: __, ...rest } = person.caller;
    const other = { token: 'x', caller: { ...rest, via } };
    await expect(people.ownCredentials.reauthenticate(other, { password }, HERE)).rejects.toMatchObject({
      key: 'unauthenticated.no_session',
    });
  }
});

test('a fresh session changes the password: the others end, the person is told, and it is recorded', async () => {
  const { token, user } = await newAna();
  const other = signedIn(await people.signIn.byPassword(ana, password, HERE));
  const mails = people.mails.length;
  await people.ownCredentials.setPassword(await personOf(token), 'a much newer password', HERE);
  await expect(people.sessions.resolve(other.token, {})).rejects.toMatchObject({ status: 401 });
  expect(await people.sessions.resolve(token, {})).toMatchObject({ userId: user.id });
  await expect(people.signIn.byPassword(ana, password, HERE)).rejects.toMatchObject({ status: 401 });
  signedIn(await people.signIn.byPassword(ana, 'a much newer password', HERE));
  expect(people.mails.slice(mails).map(({ to, subject }) => [to, subject])).toEqual([
    [ana, 'Your Stallhand password was changed'],
  ]);
  expect(await actions(user.account_id)).toEqual([
    'password.changed',
    'sign_in.refused',
    'sign_in.succeeded',
    'sign_in.succeeded',
    'sign_in.succeeded',
  ]);
});

test('a session that is not fresh changes neither password nor address', async () => {
  const person = await staleAna();
  const { setPassword, requestEmail, changeEmail } = people.ownCredentials;
  await expect(setPassword(person, 'a much newer password', HERE)).rejects.toMatchObject(stale);
  await expect(requestEmail(person, 'new@shop.example', HERE)).rejects.toMatchObject(stale);
  const entry = { email: 'new@shop.example', code: '000000' };
  await expect(changeEmail(person, entry, HERE)).rejects.toMatchObject(stale);
});

test('the code sent to a new address makes it the person’s; the old one is told and signs in no more', async () => {
  const { token, user } = await newAna();
  const person = await personOf(token);
  expect(await people.ownCredentials.requestEmail(person, 'new@shop.example', HERE)).toEqual({
    state: 'code_sent',
  });
  const code = people.lastCode('new@shop.example');
  await expect(people.signIn.byCode({ email: 'new@shop.example', code }, HERE)).rejects.toMatchObject(
    wrongCode,
  );
  await people.ownCredentials.changeEmail(person, { email: 'new@shop.example', code }, HERE);
  expect(people.mails.at(-1)).toMatchObject({ to: ana, text: expect.stringContaining('new@shop.example') });
  expect(await people.sessions.resolve(token, {})).toMatchObject({ actor: 'new@shop.example' });
  await expect(people.signIn.byPassword(ana, password, HERE)).rejects.toMatchObject({ status: 401 });
  expect(signedIn(await people.signIn.byPassword('new@shop.example', password, HERE)).user.id).toBe(user.id);
  const { items } = await people.audit.list(user.account_id, { limit: 5, action: 'email.changed' });
  expect(items).toMatchObject([{ from: ana, to: 'new@shop.example', target: user.id }]);
});

test('an address of another user is told apart only by who reads its mailbox; a code is one person’s', async () => {
  const eva = 'eva@shop.example';
  await people.signIn.register({ email: eva, password }, HERE);
  const { token } = await newAna();
  const person = await personOf(token);
  expect(await people.ownCredentials.requestEmail(person, eva, HERE)).toEqual({ state: 'code_sent' });
  const code = people.lastCode(eva);
  const bob = signedIn(await people.signIn.register({ email: 'bob@shop.example', password }, HERE));
  const thief = await personOf(bob.token);
  await expect(people.ownCredentials.changeEmail(thief, { email: eva, code }, HERE)).rejects.toMatchObject(
    wrongCode,
  );
  await expect(people.ownCredentials.changeEmail(person, { email: eva, code }, HERE)).rejects.toMatchObject({
    key: 'conflict.email_taken',
    status: 409,
  });
});

test('a person sees their sessions, the last used first, and ends one of them', async () => {
  const first = await newAna();
  people.clock.now += 30_000;
  const from = {
    ...HERE,
    address: '198.51.100.9',
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  };
  const second = signedIn(await people.signIn.byPassword(ana, password, from));
  const { caller } = await personOf(first.token);
  const sessions = await people.ownCredentials.listSessions(caller);
  expect(sessions).toEqual([
    {
      id: expect.stringMatching(/^ses_/),
      created_at: '2026-11-21T12:00:30.000Z',
      last_used_at: '2026-11-21T12:00:30.000Z',
      expires_at: '2026-12-21T12:00:30.000Z',
      address: '198.51.100.9',
      device: 'Firefox, Windows',
      current: false,
    },
    expect.objectContaining({ id: caller.sessionId, address: '192.0.2.7', device: 'browser', current: true }),
  ]);
  await people.ownCredentials.endSession(caller, sessions[0]?.id ?? '', HERE);
  await expect(people.sessions.resolve(second.token, {})).rejects.toMatchObject({ status: 401 });
  const bob = signedIn(await people.signIn.register({ email: 'bob@shop.example', password }, HERE));
  const stranger = await people.sessions.resolve(bob.token, {});
  await expect(
    people.ownCredentials.endSession(stranger, caller.sessionId ?? '', HERE),
  ).rejects.toMatchObject({ key: 'not_found.session', status: 404 });
  expect(await people.sessions.resolve(first.token, {})).toMatchObject({ fresh: true });
});
