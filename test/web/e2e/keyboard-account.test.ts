import { beforeAll, expect, test } from 'vitest';
import { givePlan } from '../../support/plans.ts';
import { type Keys, keysOf } from './keyboard.ts';
import { useWebWithSignIn } from './use-web.ts';

const EMAIL = 'ana@fernandclay.example';
const PASSWORD = 'clay on the wheel at nine';

const web = useWebWithSignIn();
const { person } = web;
let keys: Keys;
let token: string;

beforeAll(async () => {
  ({ token } = await web.send('POST', '/api/v1/auth/register', {
    email: EMAIL,
    name: 'Ana',
    password: PASSWORD,
  }));
  const { account } = await api('/api/v1/user/profile');
  await givePlan(web.app, account.id, 'enterprise');
  await web.app.database.sql`update users set email_verified = true`;
  keys = await keysOf(person);
});

const api = async (path: string) =>
  (await fetch(`${web.app.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).json();

test('A1: by keyboard alone: signing in leads to the page that was asked for, at its heading', async () => {
  await person.open('/profile');
  await person.page.waitForSelector('input[name=email]');
  await keys.to('Email', 'textbox');
  await keys.type(EMAIL);
  await keys.to('Password', 'textbox');
  await keys.type('not this one');
  await keys.press('Enter');
  await person.page.waitForSelector('[role=alert]');
  await keys.isAt('Password', 'textbox');
  await keys.write(PASSWORD);
  await keys.press('Enter');
  await keys.isAt('Profile', 'heading');
});

test('F2: by keyboard alone: a key is named, made, copied and put away, and each step has the focus', async () => {
  await keys.to('New key', 'button');
  await keys.press('Enter');
  await keys.isAt('Name', 'textbox');
  await keys.type('till');
  await keys.press('Enter');
  await keys.isAt('Copy the key', 'button');
  await keys.to('I saved it', 'button');
  await keys.press('Enter');
  await keys.isAt('New key', 'button');
  expect(await api('/api/v1/api-keys')).toMatchObject([{ name: 'till' }]);
});

test('F2: by keyboard alone: revoking asks, and Escape leaves the key and the focus where they were', async () => {
  await keys.to('Revoke till', 'button');
  await keys.press('Enter');
  await person.page.waitForSelector('::-p-text(Anything that uses this key stops working immediately)');
  await keys.press('Escape');
  await keys.isAt('Revoke till', 'button');
  expect(await api('/api/v1/api-keys')).toHaveLength(1);
});

test('by keyboard alone: a person is invited', async () => {
  await keys.to('People', 'link');
  await keys.press('Enter');
  await keys.isAt('People', 'heading');
  await keys.to('Email', 'textbox');
  await keys.type('ines@fernandclay.example');
  await keys.press('Enter');
  await expect.poll(async () => (await api('/api/v1/members')).items.length).toBe(2);
  await keys.isAt('Email', 'textbox');
});

test('G6: by keyboard alone: signing out leads to the sign-in, at its heading', async () => {
  await keys.backTo('Sign out', 'button');
  await keys.press('Enter');
  await keys.isAt('Sign in', 'heading');
  expect(await person.page.evaluate(() => localStorage.getItem('token'))).toBeNull();
});

test('none of this made the browser complain, or called what openapi.json does not have', async () => {
  const { unknown, complaints } = await web.steps.wrongs(web.app.url);
  expect(unknown).toEqual([]);
  // A browser reports the password that was refused.
  expect(complaints.filter((one) => !/status of 401/.test(one))).toEqual([]);
});
