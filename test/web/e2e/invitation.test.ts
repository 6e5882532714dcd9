import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../../peers/mail-server.ts';
import { accessibilityFaults, cutBoxes } from '../../support/look.ts';
import { givePlan } from '../../support/plans.ts';
import { newPerson } from './person.ts';
import { typeOver } from './steps.ts';
import { useWebWithSignIn } from './use-web.ts';

let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
});
afterAll(() => mail.close());

const web = useWebWithSignIn(() => ({ SMTP_URL: mail.url, MAIL_FROM: 'Shop <no-reply@shop.example>' }));
const { person } = web;
const { press, see } = web.steps;

const ANA = 'ana@fernandclay.example';
const INES = 'ines@fernandclay.example';
let anas: { readonly account: string; readonly authorization: string };

/** Calls the API as Ana, the owner of the account that others are invited to. */
const asAna = (method: string, path: string, body?: object) =>
  fetch(`${web.app.url}${path}`, {
    method,
    headers: { authorization: anas.authorization, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

/** Invites an address, and returns the path of the link in its email. */
async function invite(email: string): Promise<string> {
  expect((await asAna('POST', '/api/v1/members', { email, role: 'member' })).status).toBe(201);
  const letter = mail.mails.findLast(({ to }) => to.includes(email));
  return /\/invitations\/[\w-]+/.exec(letter?.raw.replaceAll('=\r\n', '') ?? '')?.[0] ?? '';
}

beforeAll(async () => {
  const { token } = await web.send('POST', '/api/v1/auth/register', {
    ...{ email: ANA, name: 'Fern & Clay', password: 'clay on the wheel at nine' },
  });
  const authorization = `Bearer ${token}`;
  const profile = await fetch(`${web.app.url}/api/v1/user/profile`, { headers: { authorization } });
  const { account } = await profile.json();
  anas = { account: account.id, authorization };
  await web.app.database.sql`update users set email_verified = true where email = ${ANA}`;
  await givePlan(web.app, account.id, 'enterprise');
});

/** The account that this tab works in, where it is not the person's own. */
const choice = () => person.page.evaluate(() => sessionStorage.getItem('account'));

const chooseAnas = () =>
  person.page.evaluate((id) => {
    const me = JSON.parse(localStorage.getItem('user') ?? '').id;
    sessionStorage.setItem('account', `${me} ${id}`);
  }, anas.account);

const path = () => person.page.evaluate(() => location.pathname);
const isAt = (where: string) =>
  person.page.waitForFunction((wanted) => location.pathname === wanted, {}, where);

test('the link of an invitation says who invites to what, and leads through the sign-in back to it', async () => {
  const link = await invite(INES);
  await person.open(link);
  await see(`${ANA} invites you to this account. Your role: Member.`);
  await see(`For ${INES}`);
  await press('Sign in to accept');
  await isAt('/login');
  await person.page.locator('input[name=email]').fill(INES);
  await press('Email me a code');
  await person.page.waitForSelector('input[name=code]');
  await person.page.locator('input[name=code]').fill(mail.lastCode(INES));
  await person.page.locator('button[type=submit]').click();
  await isAt(link);
});

test('who accepts works in that account, on every page, and finds the way back to their own', async () => {
  await press('Accept the invitation');
  await isAt('/dashboard');
  await see('Fern & Clay');
  await person.open('/profile');
  await see('Your accounts');
  const asked = person.page.waitForRequest((request) => request.url().endsWith('/api/v1/user/profile'));
  await person.page.reload();
  expect((await asked).headers()['stallhand-account']).toBe(anas.account);
  const rows = () =>
    person.page.$$eval('[aria-labelledby=accounts] tr', (lines) => lines.map((line) => line.textContent));
  await see('Your accounts');
  expect(await rows()).toEqual([
    expect.stringMatching(/Owner.*Work here/),
    expect.stringMatching(/^Fern & ClayMemberyou are here$/),
  ]);
  await person.page.locator('[aria-labelledby=accounts] button').click();
  await isAt('/dashboard');
  expect(await choice()).toBe('');
});

test('what was typed in one account is not shown in another one, and is there again on the way back', async () => {
  const typed = async () => {
    await person.open('/templates/welcome');
    await person.page.waitForSelector('input[name=subject], label input');
    return person.page.$eval('label input', ({ value }) => value);
  };
  const own = await typed();
  await typeOver(person.page, 'label input', 'Only at home');
  await expect.poll(typed).toBe('Only at home');
  await chooseAnas();
  expect(await typed()).toBe(own);
  await person.open('/profile');
  await see('Your accounts');
  await person.page.locator('[aria-labelledby=accounts] button').click();
  await isAt('/dashboard');
  expect(await typed()).toBe('Only at home');
});

test('who is no longer a member of the account they work in is back in their own', async () => {
  await chooseAnas();
  const { items } = await (await asAna('GET', '/api/v1/members')).json();
  const { id } = items.find(({ email }: { email: string }) => email === INES);
  expect((await asAna('DELETE', `/api/v1/members/${id}`)).status).toBe(200);
  await person.page.goto(`${web.app.url}/history`);
  await isAt('/dashboard');
  expect(await choice()).toBe('');
});

test('a tab keeps its account when another tab chooses, and another person in this browser gets none', async () => {
  const other = await person.page.browserContext().newPage();
  await other.goto(`${web.app.url}/profile`);
  await other.evaluate(() =>
    localStorage.setItem('account', `${JSON.parse(localStorage.getItem('user') ?? '').id} acc_other`),
  );
  await person.open('/history');
  expect(await choice()).toBe('');
  await other.evaluate(() => sessionStorage.setItem('account', 'usr_of_before acc_other'));
  const asked = other.waitForRequest((request) => request.url().endsWith('/api/v1/user/profile'));
  await other.reload();
  expect((await asked).headers()).not.toHaveProperty('stallhand-account');
  await other.evaluate(() => localStorage.removeItem('account'));
  await other.close();
});

test('an invitation that is open waits on the profile of its person', async () => {
  await invite(INES);
  await person.open('/profile');
  await press('Accept the invitation Fern & Clay');
  await isAt('/dashboard');
  await see('Fern & Clay');
});

test('an invitation is declined without a sign-in, and then there is none', async () => {
  const link = await invite('ben@fernandclay.example');
  const ben = await newPerson(web.browser, web.app.url);
  await ben.open(link);
  await ben.page.locator('::-p-aria([name="Decline"][role="button"])').click();
  await ben.page.waitForSelector('::-p-text(You declined the invitation.)');
  await ben.open(link);
  await ben.page.waitForSelector('[role=alert]');
  expect(ben.complaints.filter((one) => !/status of 404/.test(one))).toEqual([]);
  await ben.leave();
});

test('an invitation for another address says for whom it is, and lets one sign in as that person', async () => {
  const link = await invite('eva@fernandclay.example');
  await person.open(link);
  await press('Accept the invitation');
  await person.page.waitForSelector('[role=alert] ::-p-text(eva@fernandclay.example)');
  await press('Use another sign-in');
  await see('Sign in to accept');
  expect(await path()).toBe(link);
});

test.each(['dark', 'light'] as const)(
  'the page of an invitation is accessible and whole on a phone, %s',
  async (theme) => {
    const link = await invite(`${theme}@fernandclay.example`);
    const other = await newPerson(web.browser, web.app.url, { theme, width: 360, language: 'es' });
    await other.open(link);
    await other.page.waitForSelector('::-p-text(Iniciar sesión para aceptar)');
    expect([await accessibilityFaults(other.page), await cutBoxes(other.page)]).toEqual([[], []]);
    await other.leave();
  },
);

test('none of this made the browser complain, or called what openapi.json does not have', async () => {
  const { unknown, complaints } = await web.steps.wrongs(web.app.url);
  expect(unknown).toEqual([]);
  // A browser reports the account that was left, and the invitation for another address.
  expect(complaints.filter((one) => !/status of (403|404)/.test(one))).toEqual([]);
});
