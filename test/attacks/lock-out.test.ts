import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Passwords } from '../../src/identity/sign-in/passwords.ts';
import { createPasswords } from '../../src/identity/sign-in/passwords.ts';
import { HERE, openPeople, signedIn } from '../identity/sign-in/open-local-sign-in.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

const HOUR_MS = 3_600_000;
const TRIES = 10_000;
const HOURS = 10;
const ana = 'ana@shop.example';
const nobody = 'nobody@shop.example';
const password = 'correct horse battery';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let database: TestDatabase;
let people: ReturnType<typeof openPeople>;
let verified = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  people = openPeople(database, { passwords: counting(createPasswords()) });
});
afterAll(async () => {
  await people.journal.close();
  await database.close();
});

/** How many guesses of the stranger came as far as a password. */
function counting(passwords: Passwords): Passwords {
  return {
    ...passwords,
    verify(text, hash) {
      if (text.startsWith('guess ')) verified++;
      return passwords.verify(text, hash);
    },
  };
}

/** A stranger with a thousand networks, some of them IPv6, and any browser. */
const stranger = (number: number) => ({
  ...HERE,
  address:
    number % 3
      ? `198.51.${(number % 1000) >> 8}.${number & 255}`
      : `2001:db8:${(number % 1000).toString(16)}::1`,
  userAgent: number % 2 ? FIREFOX : 'bot/1.0',
  // Made up, since no one knows the owner's.
  device: `dev_${String(number).padStart(43, 'x')}`,
});

/** The owner signs in from where they always do, by password and by code, and with their device from anywhere. */
async function ownerSignsIn(device: string): Promise<void> {
  signedIn(await people.signIn.byPassword(ana, password, HERE));
  const away = { ...HERE, address: '203.0.113.200', userAgent: 'other', device };
  for (const from of [HERE, away]) {
    expect(await people.signIn.sendCode(ana, from)).toEqual({ state: 'code_sent' });
    signedIn(await people.signIn.byCode({ email: ana, code: people.lastCode(ana) }, from));
  }
}

test('ten thousand failures of a stranger in ten hours keep no owner out, and guess no more than the bound', async () => {
  await people.signIn.sendCode(ana, HERE);
  const { device } = signedIn(
    await people.signIn.byCode({ email: ana, code: people.lastCode(ana), password }, HERE),
  );
  const mails = people.mails.length;
  const outcomes = new Map<string, number>();
  let codesJudged = 0;
  for (let i = 0; i < TRIES; i++) {
    const email = i % 5 === 4 ? nobody : ana;
    const from = stranger(i);
    const attempt =
      i % 4 === 0
        ? people.signIn.sendCode(email, from)
        : i % 4 === 1
          ? people.signIn.byCode({ email, code: String(i % 1_000_000).padStart(6, '0') }, from)
          : people.signIn.byPassword(email, `guess ${i}`, from);
    const outcome = await attempt.then(
      ({ state }) => state,
      (error) => error.key as string,
    );
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (outcome === 'unauthenticated.code' && email === ana) codesJudged++;
    people.clock.now += (HOURS * HOUR_MS) / TRIES;
    if (i % 500 === 499) await ownerSignsIn(device);
  }
  // One guess of a code is right with a probability of 1 in a million: 200 of them, 1 in 5,000.
  expect([...outcomes.keys()].sort()).toEqual([
    'code_sent',
    'rate_limited.sign_in',
    'unauthenticated.code',
    'unauthenticated.sign_in',
  ]);
  expect(codesJudged).toBeLessThanOrEqual(20 * (HOURS + 1));
  // Of each of two addresses.
  expect(verified).toBeLessThanOrEqual(2 * 100 * (HOURS + 1));
  const strangersMails = people.mails.slice(mails).filter(({ to }) => to === nobody).length;
  expect(strangersMails).toBeLessThanOrEqual(12 * (HOURS + 1));
  await people.journal.close();
  const [rows] = await database.sql`
    select count(*)::int as refused from audit_events where action in ('sign_in.refused', 'sign_in.limited')`;
  expect(rows?.['refused']).toBeLessThanOrEqual(2 * 20 * (HOURS + 1));
}, 1_200_000);

test('all at once, from a thousand networks, they guess no more either, and the owner signs in beside them', async () => {
  people.clock.now += 2 * HOUR_MS;
  const before = verified;
  const { device } = signedIn(await people.signIn.byPassword(ana, password, HERE));
  const flood = Promise.allSettled(
    Array.from({ length: 1000 }, (_, i) => people.signIn.byPassword(ana, `guess ${i}`, stranger(i))),
  );
  await ownerSignsIn(device);
  const results = await flood;
  expect(results.filter(({ status }) => status === 'fulfilled')).toEqual([]);
  expect(verified - before).toBeLessThanOrEqual(20);
  await ownerSignsIn(device);
}, 1_200_000);
