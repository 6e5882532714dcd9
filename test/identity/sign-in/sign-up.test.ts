import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCommonPasswords } from '../../../src/identity/sign-in/common-passwords.ts';
import type { SignUpMode } from '../../../src/identity/sign-in/sign-up-policy.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { HERE, openPeople, signedIn } from './open-local-sign-in.ts';

const password = 'correct horse battery';
const known = 'ana@shop.example';
const unknown = 'eva@shop.example';
const invited = 'bob@elsewhere.example';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.reset());

/** A server with one user and one invitation, which then takes others as told. */
async function openServer(signUp: SignUpMode, domains: readonly string[] = []) {
  const before = openPeople(database);
  signedIn(await before.signIn.register({ email: known, password }, HERE));
  const team = await before.accounts.create('team');
  await database.sql`
    insert into invitations (id, account_id, email, role, invited_by, expires_at)
    values ('inv_1', ${team.id}, ${invited}, 'member', 'host', ${new Date(before.clock.now + 60_000)})`;
  return openPeople(database, { signUp, domains });
}

type Server = Awaited<ReturnType<typeof openServer>>;

/** What registering and asking for a code come to, and who got an email. */
async function outcomes({ signIn, mails }: Server) {
  const results: Record<string, string> = {};
  for (const email of [known, unknown, invited]) {
    const registered = await signIn.register({ email, password }, HERE).then(
      ({ state }) => state,
      (error) => error.key,
    );
    const asked = await signIn.sendCode(email, HERE);
    results[email] = `${registered}, ${asked.state}`;
  }
  return { ...results, mails: [...new Set(mails.map(({ to }) => to))] };
}

test('a closed server takes no one new, and answers the same for users and others', async () => {
  const server = await openServer('closed');
  expect(await outcomes(server)).toEqual({
    [known]: 'sign_up_closed.closed, code_sent',
    [unknown]: 'sign_up_closed.closed, code_sent',
    [invited]: 'sign_up_closed.closed, code_sent',
    mails: [known],
  });
  signedIn(await server.signIn.byPassword(known, password, HERE));
});

test('with invitations alone, who is invited signs up by a code, and no one else', async () => {
  const server = await openServer('invited');
  expect(await outcomes(server)).toEqual({
    [known]: 'sign_up_closed.invited, code_sent',
    [unknown]: 'sign_up_closed.invited, code_sent',
    [invited]: 'code_sent, code_sent',
    mails: [known, invited],
  });
  const code = server.lastCode(invited);
  expect(signedIn(await server.signIn.byCode({ email: invited, code }, HERE)).user.email).toBe(invited);
});

test('with domains, addresses there sign up once they are verified, and so do invited ones', async () => {
  const server = await openServer('open', ['shop.example']);
  expect(await outcomes(server)).toMatchObject({
    [known]: 'code_sent, code_sent',
    [unknown]: 'code_sent, code_sent',
    [invited]: 'code_sent, code_sent',
  });
  for (const email of ['eva@shop.example.evil.example', 'eva@sub.shop.example'])
    await expect(server.signIn.register({ email, password }, HERE)).rejects.toMatchObject({
      key: 'sign_up_closed.domains',
      status: 403,
    });
  const code = server.lastCode(unknown);
  expect(signedIn(await server.signIn.byCode({ email: unknown, code }, HERE)).user.email).toBe(unknown);
});

test('an invitation that has expired since signs no one up', async () => {
  const server = await openServer('invited');
  await server.signIn.sendCode(invited, HERE);
  server.clock.now += 60_000;
  const entry = { email: invited, code: server.lastCode(invited) };
  await expect(server.signIn.byCode(entry, HERE)).rejects.toMatchObject({ key: 'sign_up_closed.invited' });
});

const { refuse } = createCommonPasswords();
const about = ['maria.gonzalez@tienda.example', 'María González'];

test.each([
  'aaaaaaaaaa',
  '          ',
  '1234567890',
  'qwertyuiop',
  'Password123!',
  'P@ssw0rd2026',
  'iloveyou12',
  'abcabcabcabc',
  'stallhand2026',
  'Stallhand!!',
  'María González',
  'mariagonzalez1',
  'tienda2026',
  'a'.repeat(200),
])('%j is easy to guess, and refused', async (guessable) => {
  await expect(refuse(guessable, about)).rejects.toMatchObject({
    key: 'validation_failed.password_guessable',
    status: 422,
    errors: [{ loc: ['body', 'password'] }],
  });
});

test.each([
  'correct horse battery',
  '9f8a7b6c5d',
  'tres gatos en Lima',
  'kX9#mQ2$vL',
  '吾輩は猫である。名前はまだ無い',
])('%j is not', async (good) => {
  await refuse(good, about);
});

test('a guessable password is refused wherever one is chosen, for users and others alike', async () => {
  const server = openPeople(database);
  signedIn(await server.signIn.register({ email: known, password }, HERE));
  const guessable = { key: 'validation_failed.password_guessable' };
  for (const email of [known, unknown])
    await expect(server.signIn.register({ email, password: 'Password123!' }, HERE)).rejects.toMatchObject(
      guessable,
    );
  await server.signIn.sendCode(known, HERE);
  const entry = { email: known, code: server.lastCode(known), password: 'Password123!' };
  await expect(server.signIn.byCode(entry, HERE)).rejects.toMatchObject(guessable);
  const { token } = signedIn(await server.signIn.byCode({ ...entry, password }, HERE));
  const person = { token, caller: await server.sessions.resolve(token, {}) };
  await expect(server.ownCredentials.setPassword(person, 'qwertyuiop', HERE)).rejects.toMatchObject(
    guessable,
  );
});
