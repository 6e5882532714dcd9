import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { createPasswords } from '../../../src/identity/sign-in/passwords.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { anotherCode, HERE, openPeople, signedIn } from './open-local-sign-in.ts';

const MINUTE_MS = 60_000;
const ana = 'ana@shop.example';
const password = 'correct horse battery';

const _wrongLogin = { key: 'unauthenticated.sign_in', status: 401, retryAfterSeconds: undefined };
const wrongCode = { key: 'unauthenticated.code', status: 401 };
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

test('a code signs in once, within ten minutes, and signs up a new user with a verified address', async () => {
  const code = await askForCode(ana);
  expect(code).toMatch(/^\d{6}$/);
  const { user } = signedIn(await people.signIn.byCode({ email: ana, code }, HERE));
  expect(user).toMatchObject({ email: ana, name: 'ana', role: 'owner' });
  await expect(people.signIn.byCode({ email: ana, code }, HERE)).rejects.toMatchObject(wrongCode);
  expect(await database.sql`select email_verified, password_hash from users`).toEqual([
    { email_verified: true, password_hash: null },
  ]);
  const late = await askForCode(ana);
  people.clock.now += 10 * MINUTE_MS;
  await expect(people.signIn.byCode({ email: ana, code: late }, HERE)).rejects.toMatchObject(wrongCode);
});

test('a code works for its own address only, and a new one replaces it', async () => {
  const first = await askForCode(ana);
  await expect(people.signIn.byCode({ email: 'eva@shop.example', code: first }, HERE)).rejects.toMatchObject(
    wrongCode,
  );
  const second = await askForCode(ana);
  // One time in a million they are the same.
  if (first !== second)
    await expect(people.signIn.byCode({ email: ana, code: first }, HERE)).rejects.toMatchObject(wrongCode);
  expect(signedIn(await people.signIn.byCode({ email: ana, code: second }, HERE)).user.email).toBe(ana);
});

test('a code used twenty times at the same time signs in once', async () => {
  const code = await askForCode(ana);
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => people.signIn.byCode({ email: ana, code }, elsewhere(i))),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a code stands five wrong tries, all at once or not, then the right one is wrong too', async () => {
  const code = await askForCode(ana);
  const bad = anotherCode(code);
  const guess = (i: number) => people.signIn.byCode({ email: ana, code: bad }, elsewhere(i));
  await Promise.allSettled(Array.from({ length: 10 }, (_, i) => guess(i)));
  expect(await database.sql`select tries_left, known_tries_left from sign_in_codes`).toEqual([
    { tries_left: 0, known_tries_left: 5 },
  ]);
  await expect(people.signIn.byCode({ email: ana, code }, HERE)).rejects.toMatchObject(wrongCode);
});

test('guessing codes goes no faster than 20 an hour for an address, wherever the guesses come from', async () => {
  const outcomes = new Map<string, number>();
  for (let minute = 0; minute < 60; minute++) {
    const error: unknown = await people.signIn
      .byCode({ email: ana, code: '000000' }, elsewhere(minute))
      .catch((caught: unknown) => caught);
    const key = error instanceof Error ? (error.message.split(' ')[0] ?? '') : 'in';
    outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
    people.clock.now += MINUTE_MS - 1;
  }
  expect(Object.fromEntries(outcomes)).toEqual({ 'unauthenticated.code': 20, 'rate_limited.sign_in': 40 });
});

test('a network can ask for three codes of an address in ten minutes, of a known as of an unknown one', async () => {
  await people.signIn.register({ email: ana, password }, HERE);
  for (const email of [ana, 'nobody@shop.example']) {
    for (let i = 0; i < 3; i++) await askForCode(email, elsewhere(1));
    await expect(people.signIn.sendCode(email, elsewhere(1))).rejects.toMatchObject({
      ...tooMany,
      retryAfterSeconds: 600,
    });
  }
});

test('requests from everywhere send the one live code twice, replace no code, and keep no one waiting', async () => {
  const code = await askForCode(ana);
  for (let i = 0; i < 50; i++) expect(await people.signIn.sendCode(ana, elsewhere(i))).toEqual(sent);
  expect(people.mails.map(({ to, subject }) => [to, subject.slice(0, 6)])).toEqual([
    [ana, code],
    [ana, code],
  ]);
  expect(signedIn(await people.signIn.byCode({ email: ana, code }, HERE)).user.email).toBe(ana);
});

test('a code that is sent again lasts ten minutes from then, and half an hour at most', async () => {
  signedIn(await people.signIn.byCode({ email: ana, code: await askForCode(ana) }, HERE));
  const start = people.clock.now;
  const code = await askForCode(ana);
  const minutes: string[] = [];
  for (const minute of [9, 18, 27]) {
    people.clock.now = start + minute * MINUTE_MS;
    expect(await askForCode(ana)).toBe(code);
    minutes.push(/expires in (\d+) minutes/.exec(people.mails.at(-1)?.text ?? '')?.[1] ?? '');
  }
  expect(minutes).toEqual(['10', '10', '3']);
  people.clock.now = start + 30 * MINUTE_MS;
  await expect(people.signIn.byCode({ email: ana, code }, HERE)).rejects.toMatchObject(wrongCode);
});

test('while too many sign in a code is not used up: it works when its owner comes again', async () => {
  const passwords = createPasswords();
  let line = 'full';
  people = openPeople(database, {
    passwords: {
      ...passwords,
      async hash(text) {
        if (line === 'full') throw new Fault('unavailable.sign_in_busy');
        return passwords.hash(text);
      },
    },
  });
  const entry = { email: ana, code: await askForCode(ana), password };
  await expect(people.signIn.byCode(entry, HERE)).rejects.toMatchObject({ key: 'unavailable.sign_in_busy' });
  line = 'free';
  expect(signedIn(await people.signIn.byCode(entry, HERE)).user.email).toBe(ana);
});
