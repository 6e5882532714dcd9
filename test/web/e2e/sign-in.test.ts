import type { HTTPRequest } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../../peers/mail-server.ts';
import { accessibilityFaults, cutBoxes } from '../../support/look.ts';
import { newPerson } from './person.ts';
import { useWebWithSignIn } from './use-web.ts';

const EMAIL = 'ana@fernandclay.example';
const PASSWORD = 'clay on the wheel at nine';

let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
});
afterAll(() => mail.close());

const web = useWebWithSignIn(() => ({ SMTP_URL: mail.url, MAIL_FROM: 'Shop <no-reply@shop.example>' }));
const { person } = web;

const at = (path: string) =>
  person.page.waitForFunction((wanted) => `${location.pathname}${location.search}` === wanted, {}, path);

const fill = (name: string, value: string) => person.page.locator(`input[name=${name}]`).fill(value);

const submit = () => person.page.locator('button[type=submit]').click();

test('G3: without a session, a page leads to the sign-in, which leads back', async () => {
  await person.open('/templates?q=welcome');
  await at('/login?next=%2Ftemplates%3Fq%3Dwelcome');
});

test.each(['dark', 'light'] as const)('the sign-in is accessible and whole on a phone, %s', async (theme) => {
  const other = await newPerson(web.browser, web.app.url, { theme, width: 360, language: 'es' });
  await other.open('/login');
  await other.page.waitForSelector('input[name=email]');
  expect([await accessibilityFaults(other.page), await cutBoxes(other.page)]).toEqual([[], []]);
  await other.leave();
});

test('A2: registration asks for email, name and password, and a name is asked for only there', async () => {
  await person.open('/login?next=%2Ftemplates');
  const fields = () => person.page.$$eval('input', (inputs) => inputs.map(({ name }) => name));
  expect(await fields()).toEqual(['email', 'password']);
  await person.page.locator('a[href="/register?next=%2Ftemplates"]').click();
  await person.page.waitForSelector('input[name=name]');
  expect(await fields()).toEqual(['email', 'name', 'password']);
});

test('a rejected field says why beside it, and keeps what was typed', async () => {
  await fill('email', EMAIL);
  await fill('name', 'Ana');
  await fill('password', 'short');
  await submit();
  const field = await person.page.waitForSelector('input[name=password][aria-invalid=true]');
  const described = await field?.evaluate(
    (input) => input.closest('[class*=InputWrapper-root]')?.textContent,
  );
  expect(described).toMatch(/\d+ characters/);
  expect(await person.page.$eval('input[name=email]', ({ value }) => value)).toBe(EMAIL);
});

test('A1: who registers is signed in, and is where they wanted to go', async () => {
  await fill('password', PASSWORD);
  await submit();
  await at('/templates');
  await person.page.waitForSelector('::-p-text(welcome)');
});

test('G5: every call of a signed-in person carries the token', async () => {
  const bearers = new Set<string>();
  person.page.on('request', (request) => {
    if (request.resourceType() === 'fetch')
      bearers.add(request.headers()['authorization']?.slice(0, 11) ?? 'none');
  });
  await person.open('/dashboard');
  expect([...bearers]).toEqual(['Bearer ses_']);
});

test('G6: signing out ends the session on the server, and clears token and user', async () => {
  const token = await person.page.evaluate(() => localStorage.getItem('token'));
  await person.page.locator('button[aria-label="Sign out"]').click();
  await person.page.waitForSelector('input[name=email]');
  expect(
    await person.page.evaluate(() => [localStorage.getItem('token'), localStorage.getItem('user')]),
  ).toEqual([null, null]);
  const me = await fetch(`${web.app.url}/api/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } });
  expect(me.status).toBe(401);
});

test('A4: a wrong password is answered with a red banner, the right one with the dashboard', async () => {
  await person.open('/login');
  await fill('email', EMAIL);
  await fill('password', 'another password entirely');
  await submit();
  await person.page.waitForSelector('[role=alert]');
  await fill('password', PASSWORD);
  await submit();
  await at('/dashboard');
});

test('G4: a session that ends in the middle of the work leads to the sign-in, and back to the same page', async () => {
  await person.open('/templates/welcome');
  await person.page.evaluate(() => localStorage.setItem('token', 'ses_ended'));
  await person.page.reload();
  await person.page.waitForSelector('input[name=email]');
  await fill('email', EMAIL);
  await fill('password', PASSWORD);
  await submit();
  await at('/templates/welcome');
});

test('A3: an email alone signs no one in: a code goes to its address, and the code signs in', async () => {
  // The code also proves the address: a person who registered it without proof would lose their password.
  const ines = 'ines@fernandclay.example';
  const other = await newPerson(web.browser, web.app.url);
  const { page } = other;
  const code = '::-p-aria([name="Email me a code"][role="button"])';
  await other.open('/login');
  await page.waitForSelector(code);
  expect(await page.$eval(code, (button) => (button as HTMLButtonElement).disabled)).toBe(true);
  await page.locator('input[name=email]').fill(ines);
  await page.locator(code).click();
  const field = await page.waitForSelector('input[name=code]');
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  expect(await field?.evaluate(({ autocomplete }) => autocomplete)).toBe('one-time-code');
  // As it is pasted from the email, with a space in the middle.
  const sent = mail.lastCode(ines);
  await page.locator('input[name=code]').fill(`${sent.slice(0, 3)} ${sent.slice(3)}`);
  await page.locator('button[type=submit]').click();
  await page.waitForFunction(() => location.pathname === '/dashboard');
  await other.leave();
});

test('A5: where the profile cannot be read after the sign-in, the person is whom it named, on the free plan, without an error', async () => {
  const other = await newPerson(web.browser, web.app.url);
  const { page } = other;
  await page.setRequestInterception(true);
  page.on('request', (request: HTTPRequest) =>
    request.url().endsWith('/user/profile')
      ? void request.respond({ status: 500, contentType: 'application/json', body: '{}' })
      : void request.continue(),
  );
  await other.open('/login?next=%2Fprofile');
  await page.locator('input[name=email]').fill(EMAIL);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.waitForFunction(() => location.pathname === '/profile');
  await page.waitForSelector('.rail ::-p-text(ana@fernandclay.example)');
  await page.waitForSelector('[aria-labelledby=plan] ::-p-text(Free)');
  expect(await page.$('[role=alert]')).toBeNull();
  await other.leave();
});

test('a next that leads elsewhere is not followed', async () => {
  await person.open('/login?next=https%3A%2F%2Fexample.com%2F');
  await at('/dashboard');
  await person.open('/login?next=%2F%2Fexample.com');
  await at('/dashboard');
  await person.open('/login?next=%2F.%2F%2Fexample.com');
  await at('/dashboard');
});
