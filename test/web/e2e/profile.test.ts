import type { HTTPRequest } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { givePlan } from '../../support/plans.ts';
import { useWebWithSignIn } from './use-web.ts';

const web = useWebWithSignIn();
const { person } = web;
const { press, see } = web.steps;

/** Calls the API as the person who is signed in. */
const api = async (path: string) => {
  const token = await person.page.evaluate(() => localStorage.getItem('token'));
  return (await fetch(`${web.app.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).json();
};

test('F1: the profile has name, email, plan and since when', async () => {
  await person.open('/register?next=%2Fprofile');
  await person.page.locator('input[name=email]').fill('ana@fernandclay.example');
  await person.page.locator('input[name=name]').fill('Ana');
  await person.page.locator('input[name=password]').fill('clay on the wheel at nine');
  await person.page.locator('button[type=submit]').click();
  await see('Member since');
  await see('ana@fernandclay.example');
  await see('50 of 50 left until');
});

test('F2: on the free plan the keys are explained, with the way to the plan that has them', async () => {
  await see('API keys are part of the Enterprise plan');
  expect(await person.page.$eval('[aria-labelledby=keys] a', (link) => link.getAttribute('href'))).toBe(
    '/billing',
  );
  expect(await person.page.$$eval('[aria-labelledby=keys] button', (buttons) => buttons.length)).toBe(0);
});

test('D1: with a limit the used hooks are ticks of it, and what is left is said', async () => {
  await person.open('/dashboard');
  await see('of 50 used this month');
  await see('50 left.');
  const ticks = await person.page.$eval('[aria-label="Hooks used this month"]', (tally) => [
    tally.getAttribute('aria-valuenow'),
    tally.getAttribute('aria-valuemax'),
  ]);
  expect(ticks).toEqual(['0', '50']);
});

test('D1: where the plan cannot be read, the badge shows what the free plan has', async () => {
  const { page } = person;
  await page.setRequestInterception(true);
  const refuse = (request: HTTPRequest) =>
    void (request.url().endsWith('/user/usage')
      ? request.respond({ status: 404, contentType: 'application/json', body: '{}' })
      : request.continue());
  page.on('request', refuse);
  await person.open('/profile');
  await see('3 (free)');
  page.off('request', refuse);
  await page.setRequestInterception(false);
});

test('H7: without hooks left, the generator says when there are again, and sends nothing', async () => {
  const { account } = await api('/api/v1/user/profile');
  const { id } = await web.app.quota.reserve(account.id, { units: 50 });
  await web.app.quota.settle(account.id, id, 50);
  await person.page.evaluate(() => localStorage.setItem('language', 'es'));
  await person.open('/generator?topic=pan');
  await see('No te quedan regeneraciones disponibles');
  await see('Tu cuota se renueva el');
  expect(await person.page.$$eval('form button[type=submit]', (buttons) => buttons.length)).toBe(0);
  expect(person.calls).not.toContain('POST /api/v1/generate');
  await person.page.locator('.rail button[aria-label="English"]').click();
});

test('U1: the usage has month, used, limit, rest and percent', async () => {
  await person.open('/usage');
  await see('of 50 used this month');
  const lines = await person.page.$$eval('.lines > div', (rows) => rows.map((row) => row.textContent));
  expect(lines.slice(0, 2)).toEqual(['Left in the plan0', 'Used100 %']);
});

test('F2: a key is shown once at its creation, then masked', async () => {
  const { account } = await api('/api/v1/user/profile');
  await givePlan(web.app, account.id, 'enterprise');
  await person.open('/profile');
  await press('New key');
  await person.page.locator('input[name=key-name]').fill('till');
  await press('Create the key');
  const shown = await person.page.waitForSelector('.copy-line code');
  const key = await shown?.evaluate((code) => code.textContent ?? '');
  expect(key).toMatch(/^sh_live_/);
  const usage = await fetch(`${web.app.url}/api/v1/user/usage`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(usage.status).toBe(200);
  await press('I saved it');
  const { masked } = (await api('/api/v1/api-keys'))[0];
  expect(
    await person.page.$$eval('[aria-labelledby=keys] tbody td:first-child', (cells) =>
      cells.map((cell) => cell.textContent),
    ),
  ).toEqual([masked]);
  await person.page.reload({ waitUntil: 'networkidle0' });
  expect(await person.page.$eval('main', (main) => main.textContent)).not.toContain(key);
});

test('F2: what is no address is refused beside the field; an address becomes a chip', async () => {
  await person.page.locator('[aria-labelledby=keys] tbody button ::-p-text(anywhere)').click();
  await person.page.locator('input[name=address]').fill('81.44.300.1');
  await press('Add an address');
  await person.page.waitForSelector('input[name=address][aria-invalid=true]');
  await person.page.locator('input[name=address]').fill('203.0.113.0/24');
  await press('Add an address');
  await see('203.0.113.0/24');
  await expect.poll(async () => (await api('/api/v1/api-keys'))[0].ip_whitelist).toEqual(['203.0.113.0/24']);
});

test('F2: revoking asks by name, and the key is gone', async () => {
  await press('Revoke till');
  await see('Anything that uses this key stops working immediately');
  await person.page.locator('[role=dialog] button[type=submit]').click();
  await see('No keys yet.');
  expect(await api('/api/v1/api-keys')).toEqual([]);
});

test('F1: a new name and language are saved', async () => {
  await person.page.locator('main input[name=name]').fill('Ana Ruiz');
  await person.page.select('select[name=language]', 'es');
  await press('Save');
  await see('Perfil guardado');
  expect(await api('/api/v1/user/profile')).toMatchObject({ name: 'Ana Ruiz', language: 'es' });
});

test('nobody is invited before the owner’s own address is verified, and the page says so', async () => {
  await person.open('/settings/people');
  await person.page.locator('input[name=email]').fill('ines@fernandclay.example');
  await press('Enviar la invitación');
  await person.page.waitForSelector('[role=alert]');
  expect((await api('/api/v1/members')).items).toHaveLength(1);
});

test('a person is invited, and the invitation is withdrawn', async () => {
  await web.app.database.sql`update users set email_verified = true`;
  await person.open('/settings/people');
  await person.page.locator('input[name=email]').fill('ines@fernandclay.example');
  await press('Enviar la invitación');
  await person.page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 2);
  expect((await api('/api/v1/members')).items).toMatchObject([
    { role: 'owner', status: 'active' },
    { role: 'member', status: 'invited', email: 'ines@fernandclay.example' },
  ]);
  await press('Quitar ines@fernandclay.example');
  await person.page.locator('[role=dialog] button[type=submit]').click();
  await expect.poll(async () => (await api('/api/v1/members')).items.length).toBe(1);
});

test('deleting the account needs its name, signs out, and an owner can restore it', async () => {
  const { account } = await api('/api/v1/user/profile');
  await person.open('/settings/account');
  await press(`Eliminar ${account.name}`);
  const submit = '[role=dialog] button[type=submit]';
  await person.page.waitForSelector(`${submit}[disabled]`);
  await person.page.locator('[role=dialog] input').fill(account.name);
  await person.page.locator(submit).click();
  await person.page.waitForFunction(() => location.pathname === '/login');
  expect(await person.page.evaluate(() => localStorage.getItem('token'))).toBeNull();
});

test('none of this made the browser complain, or called what openapi.json does not have', async () => {
  const { unknown, complaints } = await web.steps.wrongs(web.app.url);
  expect(unknown).toEqual([]);
  // A browser reports the usage that was refused, and the address and the invitation that the server refused.
  expect(complaints.filter((one) => !/status of (403|404|422)/.test(one))).toEqual([]);
});
