import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeDevice } from '../../../src/identity/sessions/device-name.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { anotherCode, HERE, openPeople, signedIn } from '../sign-in/open-local-sign-in.ts';

const DAY_MS = 86_400_000;
const ana = 'ana@shop.example';
const password = 'correct horse battery';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

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

const elsewhere = (number: number) => ({ ...HERE, address: `198.51.${number >> 8}.${number & 255}` });

async function newAna() {
  await people.signIn.sendCode(ana, HERE);
  return signedIn(await people.signIn.byCode({ email: ana, code: people.lastCode(ana), password }, HERE));
}

/** Strangers use up what they have: passwords, and the tries of a live code. */
async function strangersTry(email: string): Promise<string[]> {
  const keys: string[] = [];
  for (let i = 0; i < 130; i++) {
    const attempt =
      i % 2
        ? people.signIn.byCode({ email, code: anotherCode(people.lastCode(email)) }, elsewhere(i))
        : people.signIn.byPassword(email, `wrong number ${i}`, elsewhere(i));
    keys.push(
      await attempt.then(
        () => 'in',
        (error) => error.key,
      ),
    );
  }
  return [...new Set(keys)].sort();
}

test('strangers cannot use up the attempts of a known network, nor the tries of its code', async () => {
  await newAna();
  await people.signIn.sendCode(ana, HERE);
  const code = people.lastCode(ana);
  expect(await strangersTry(ana)).toEqual([
    'rate_limited.sign_in',
    'unauthenticated.code',
    'unauthenticated.sign_in',
  ]);
  expect(signedIn(await people.signIn.byCode({ email: ana, code }, HERE)).user.email).toBe(ana);
  expect(signedIn(await people.signIn.byPassword(ana, password, HERE)).user.email).toBe(ana);
  // One who has never been there waits.
  await expect(people.signIn.byPassword(ana, password, elsewhere(900))).rejects.toMatchObject({
    key: 'rate_limited.sign_in',
  });
});

test('a device is known in any network by its token, also where the network is used up', async () => {
  const { device } = await newAna();
  for (let i = 0; i < 25; i++)
    await people.signIn
      .byPassword(`victim-${i}@shop.example`, 'wrong password', elsewhere(7))
      .catch(() => {});
  await strangersTry(ana);
  const away = { ...elsewhere(7), device };
  expect(signedIn(await people.signIn.byPassword(ana, password, away)).device).toBe(device);
});

test('a known device and a known network have five attempts a minute too', async () => {
  const { device } = await newAna();
  for (const from of [HERE, { ...elsewhere(1), device }]) {
    const guess = () => people.signIn.byPassword(ana, 'a wrong password', from);
    for (let i = 0; i < 5; i++) await expect(guess()).rejects.toMatchObject({ status: 401 });
    await expect(guess()).rejects.toMatchObject({ key: 'rate_limited.sign_in' });
  }
});

test('a device is known to its person alone, and no one can plant its token', async () => {
  const mallory = signedIn(await people.signIn.register({ email: 'mallory@shop.example', password }, HERE));
  await newAna();
  const planted = { ...elsewhere(1), device: mallory.device };
  expect(signedIn(await people.signIn.byPassword(ana, password, planted)).device).not.toBe(mallory.device);
  await strangersTry(ana);
  await expect(
    people.signIn.byPassword(ana, password, { ...elsewhere(2), device: mallory.device }),
  ).rejects.toMatchObject({ key: 'rate_limited.sign_in' });
});

test('the first sign-in from a device is told by mail, with time, address and device; the next is not', async () => {
  const { device } = await newAna();
  const before = people.mails.length;
  const there = { ...elsewhere(1), userAgent: FIREFOX };
  signedIn(await people.signIn.byPassword(ana, password, { ...there, locale: 'es' }));
  signedIn(await people.signIn.byPassword(ana, password, there));
  signedIn(await people.signIn.byPassword(ana, password, HERE));
  signedIn(await people.signIn.byPassword(ana, password, { ...elsewhere(2), device }));
  expect(people.mails.slice(before)).toEqual([
    {
      to: ana,
      subject: 'Nuevo inicio de sesión en Stallhand',
      text: expect.stringMatching(
        /Hora: 2026-11-21 12:00 UTC\. Dirección IP: 198\.51\.0\.1\. Dispositivo: Firefox, Linux\./,
      ),
      html: expect.stringMatching(/^<p>.*<\/p><p>.*<\/p>$/),
    },
  ]);
});

test('a browser cannot write into the mail: its name is one of a list, or a plain word', () => {
  expect(describeDevice('Mozilla/5.0 (<b>Windows</b>) Chrome/1 Edg/2')).toBe('Edge, Windows');
  expect(describeDevice('my-script/1.0 http://evil.example')).toBe('my-script');
  expect(describeDevice('<script>')).toBe('');
});

test('an unverified address gets no such mails, and a mail server that is down keeps no one out', async () => {
  await people.signIn.register({ email: ana, password }, HERE);
  signedIn(await people.signIn.byPassword(ana, password, elsewhere(1)));
  expect(people.mails).toEqual([]);
});

test('devices are forgotten with the password, after 180 days, and beyond the latest fifty', async () => {
  const count = () => database.sql`select count(*)::int as devices from known_devices`;
  await newAna();
  for (let i = 0; i < 30; i++) signedIn(await people.signIn.byPassword(ana, password, elsewhere(i)));
  expect(await count()).toEqual([{ devices: 50 }]);
  await newAna();
  expect(await count()).toEqual([{ devices: 2 }]);
  people.clock.now += 180 * DAY_MS;
  await people.sweep();
  expect(await count()).toEqual([{ devices: 0 }]);
});
