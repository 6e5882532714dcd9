import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import type { SignInAnswer } from '../../../src/identity/sign-in/sign-in.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { anotherCode, HERE, openPeople, signedIn } from '../sign-in/open-local-sign-in.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const ana = 'ana@shop.example';
const password = 'correct horse battery';

const wrong = { key: 'unauthenticated.second_factor', status: 401 };
const gone = { key: 'unauthenticated.challenge', status: 401 };
const tooMany = { key: 'rate_limited.sign_in', status: 429 };

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

/** What the authenticator app shows at the time of the clock. */
function codeOf(secret: string, afterMs = 0): string {
  return new TOTP({ secret }).generate({ timestamp: people.clock.now + afterMs });
}

async function newPerson(email = ana, password?: string) {
  const code = await sentCode(email);
  const { user } = signedIn(await people.signIn.byCode({ email, code, password }, HERE));
  return { userId: user.id, accountId: user.account_id, actor: email };
}

async function sentCode(email: string): Promise<string> {
  await people.signIn.sendCode(email, HERE);
  return people.lastCode(email);
}

/** A person whose second factor is on. The code that confirmed it is used up, so the clock moves on. */
async function newPersonWithApp(email = ana, password?: string) {
  const person = await newPerson(email, password);
  const { secret } = await people.secondFactor.enable(person);
  const { recovery_codes } = await people.secondFactor.confirm(person, codeOf(secret), HERE.address);
  people.clock.now += MINUTE_MS;
  return { ...person, secret, recovery_codes };
}

/** The challenge of a sign-in that waits for its second factor. */
async function challengeOf(attempt: Promise<SignInAnswer>): Promise<string> {
  const error = await attempt.catch((caught: unknown) => caught);
  expect(error).toMatchObject({ key: 'second_factor_required.sign_in', status: 401 });
  return String(error instanceof Fault && error.data['challenge']);
}

const byPassword = () => challengeOf(people.signIn.byPassword(ana, password, HERE));
/** The same after a sign-in at an identity provider, which hashes nothing. */
const start = ({ userId }: { userId: string }, from = HERE) =>
  challengeOf(people.signIn.identified(userId, 'provider', from));
const finish = (challenge: string, proof: object, from = HERE) =>
  people.signIn.bySecondFactor(challenge, proof, from);

test('the app gets a secret of 160 bits as an otpauth address; it counts once a code of it was shown', async () => {
  const person = await newPerson(ana, password);
  const { secret, uri } = await people.secondFactor.enable(person);
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(uri).toBe(
    `otpauth://totp/Stallhand:ana%40shop.example?issuer=Stallhand&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  );
  signedIn(await people.signIn.byPassword(ana, password, HERE));
  await expect(
    people.secondFactor.confirm(person, anotherCode(codeOf(secret)), HERE.address),
  ).rejects.toMatchObject(wrong);
  const { recovery_codes } = await people.secondFactor.confirm(person, codeOf(secret), HERE.address);
  expect(new Set(recovery_codes).size).toBe(10);
  for (const code of recovery_codes)
    expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
  expect(await people.secondFactor.status(person.userId)).toEqual({ enabled: true, recovery_codes_left: 10 });
  await byPassword();
});

test('the database has neither the secret nor a recovery code', async () => {
  const person = await newPersonWithApp();
  const { secret, recovery_codes } = person;
  const rows = JSON.stringify([
    await database.sql`select * from totp_secrets`,
    await database.sql`select * from recovery_codes`,
  ]);
  for (const plain of [secret, ...recovery_codes.flatMap((code) => [code, code.replaceAll('-', '')])])
    expect(rows).not.toContain(plain);
});

test('a password and a mailed code stop at the second factor, and a code of the app finishes them', async () => {
  const { secret, userId } = await newPersonWithApp(ana, password);
  const first = await byPassword();
  expect(signedIn(await finish(first, { totp: codeOf(secret) })).user.id).toBe(userId);

  people.clock.now += MINUTE_MS;
  const second = await challengeOf(people.signIn.byCode({ email: ana, code: await sentCode(ana) }, HERE));
  expect(signedIn(await finish(second, { totp: codeOf(secret) })).user.id).toBe(userId);
});

test('a wrong password learns nothing of the second factor', async () => {
  await newPersonWithApp(ana, password);
  const login = people.signIn.byPassword(ana, 'another password', HERE);
  await expect(login).rejects.toMatchObject({ key: 'unauthenticated.sign_in', data: {} });
});

test('a code works from one step before to one step after its own, and once', async () => {
  const person = await newPersonWithApp();
  const { secret } = person;
  for (const [afterMs, works] of [
    [-60 * SECOND_MS, false],
    [-30 * SECOND_MS, true],
    [60 * SECOND_MS, false],
    [30 * SECOND_MS, true],
  ] as const) {
    const attempt = finish(await start(person), { totp: codeOf(secret, afterMs) });
    if (works) signedIn(await attempt);
    else await expect(attempt).rejects.toMatchObject(wrong);
  }
  // The newest accepted step is the next one: it and those before it are used up.
  for (const afterMs of [-30, 0, 30].map((seconds) => seconds * SECOND_MS))
    await expect(finish(await start(person), { totp: codeOf(secret, afterMs) })).rejects.toMatchObject(wrong);
});

test('of eight sign-ins with the same code at the same time, one gets in', async () => {
  const person = await newPersonWithApp();
  const { secret } = person;
  const challenges: string[] = [];
  for (let i = 0; i < 8; i++) challenges.push(await start(person, elsewhere(i)));
  const totp = codeOf(secret);
  const results = await Promise.allSettled(
    challenges.map((challenge, i) => finish(challenge, { totp }, elsewhere(i))),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a recovery code signs in once, however it is typed', async () => {
  const person = await newPersonWithApp();
  const { recovery_codes, userId } = person;
  const typed = recovery_codes[0]?.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O') ?? '';
  signedIn(await finish(await start(person), { recovery_code: typed }));
  await expect(finish(await start(person), { recovery_code: typed })).rejects.toMatchObject(wrong);
  expect(await people.secondFactor.status(userId)).toEqual({ enabled: true, recovery_codes_left: 9 });
});

test('the recovery code of another person does not sign in', async () => {
  const other = await newPersonWithApp('eva@shop.example');
  const person = await newPersonWithApp();
  await expect(finish(await start(person), { recovery_code: other.recovery_codes[0] })).rejects.toMatchObject(
    wrong,
  );
});

test('a challenge takes five wrong codes, lives five minutes, and ends with the sign-in', async () => {
  const person = await newPersonWithApp();
  const { secret } = person;
  const finished = await start(person);
  signedIn(await finish(finished, { totp: codeOf(secret) }));
  people.clock.now += MINUTE_MS;
  await expect(finish(finished, { totp: codeOf(secret) })).rejects.toMatchObject(gone);

  const late = await start(person);
  people.clock.now += 5 * MINUTE_MS + 1;
  await expect(finish(late, { totp: codeOf(secret) })).rejects.toMatchObject(gone);

  const tried = await start(person);
  for (let i = 0; i < 5; i++)
    await expect(finish(tried, { recovery_code: 'wrong' })).rejects.toMatchObject(wrong);
  await expect(finish(tried, { totp: codeOf(secret) })).rejects.toMatchObject(gone);
  await expect(finish('made up', { totp: codeOf(secret) })).rejects.toMatchObject(gone);
});

test('new challenges and networks give no new guesses: five a minute, ten an hour; recovery codes still work', async () => {
  const person = await newPersonWithApp();
  const { secret, recovery_codes } = person;
  const guess = async (i: number) =>
    finish(
      await start(person, elsewhere(i)),
      { totp: anotherCode(codeOf(secret, MINUTE_MS * 10)) },
      elsewhere(i),
    );
  for (let minute = 0; minute < 2; minute++) {
    for (let i = 0; i < 5; i++) await expect(guess(i)).rejects.toMatchObject(wrong);
    await expect(guess(6)).rejects.toMatchObject(tooMany);
    people.clock.now += MINUTE_MS + SECOND_MS;
  }
  await expect(guess(7)).rejects.toMatchObject(tooMany);
  await expect(finish(await start(person), { totp: codeOf(secret) })).rejects.toMatchObject(tooMany);
  signedIn(await finish(await start(person), { recovery_code: recovery_codes[1] }));
});

test('a password that changes ends the sign-ins that wait for the second factor', async () => {
  const person = await newPersonWithApp();
  const { secret, userId } = person;
  const waiting = await start(person);
  await database.sql`update users set password_hash = 'another' where id = ${userId}`;
  await expect(finish(waiting, { totp: codeOf(secret) })).rejects.toMatchObject(gone);
});

test('who has only the mailbox can neither set a password nor end the sessions', async () => {
  const { secret, userId } = await newPersonWithApp(ana, password);
  const { token } = signedIn(await finish(await byPassword(), { totp: codeOf(secret) }));
  const chosen = 'a password of the thief';
  const code = await sentCode(ana);
  const challenge = await challengeOf(people.signIn.byCode({ email: ana, code, password: chosen }, HERE));
  await expect(people.signIn.byPassword(ana, chosen, HERE)).rejects.toMatchObject({
    key: 'unauthenticated.sign_in',
  });
  expect(await people.sessions.resolve(token, {})).toMatchObject({ userId });

  // With the second factor it is the person, and the password is set.
  people.clock.now += MINUTE_MS;
  signedIn(await finish(challenge, { totp: codeOf(secret) }));
  await challengeOf(people.signIn.byPassword(ana, chosen, HERE));
  // Nodes hear of it by NOTIFY.
  people.sessions.invalidate();
  await expect(people.sessions.resolve(token, {})).rejects.toMatchObject({ key: 'unauthenticated.wrong' });
});

test('turning it off needs a code of the app or a recovery code, and ends both', async () => {
  const person = await newPersonWithApp(ana, password);
  const off = (proof: object) => people.secondFactor.disable(person, proof, HERE.address);
  await expect(off({ totp: anotherCode(codeOf(person.secret)) })).rejects.toMatchObject(wrong);
  await off({ recovery_code: person.recovery_codes[3] });
  expect(await people.secondFactor.status(person.userId)).toEqual({ enabled: false, recovery_codes_left: 0 });
  signedIn(await people.signIn.byPassword(ana, password, HERE));
  await expect(off({ totp: codeOf(person.secret) })).rejects.toMatchObject({
    key: 'conflict.totp_not_started',
  });
});

test('while it is on, it is not replaced by another one', async () => {
  const person = await newPersonWithApp();
  await expect(people.secondFactor.enable(person)).rejects.toMatchObject({ key: 'conflict.totp_enabled' });
});

test('who proves again who they are needs it, too; where it is off, nothing is asked', async () => {
  const person = await newPersonWithApp();
  const { userId, secret } = person;
  const again = (proof: object) => people.secondFactor.require(userId, proof, HERE.address);
  await expect(again({})).rejects.toMatchObject({ key: 'second_factor_required.again' });
  await expect(again({ totp: anotherCode(codeOf(secret)) })).rejects.toMatchObject(wrong);
  await again({ totp: codeOf(secret) });
  await expect(again({ totp: codeOf(secret) })).rejects.toMatchObject(wrong);
  const { userId: other } = await newPerson('eva@shop.example');
  await people.secondFactor.require(other, {}, HERE.address);
});

test('an app that a stranger set up for an unverified address does not keep its owner out', async () => {
  const { user } = signedIn(await people.signIn.register({ email: ana, password: 'of a stranger' }, HERE));
  const stranger = { userId: user.id, accountId: user.account_id, actor: ana };
  const { secret } = await people.secondFactor.enable(stranger);
  await people.secondFactor.confirm(stranger, codeOf(secret), HERE.address);
  const waiting = await challengeOf(people.signIn.byPassword(ana, 'of a stranger', HERE));
  people.clock.now += MINUTE_MS;

  signedIn(await people.signIn.byCode({ email: ana, code: await sentCode(ana) }, HERE));

  await expect(finish(waiting, { totp: codeOf(secret) })).rejects.toMatchObject(gone);
  expect(await people.secondFactor.status(user.id)).toEqual({ enabled: false, recovery_codes_left: 0 });
});

test('expired challenges are swept', async () => {
  const person = await newPersonWithApp();
  await start(person);
  people.clock.now += 6 * MINUTE_MS;
  await people.sweep();
  expect(await database.sql`select * from sign_in_challenges`).toEqual([]);
});
