import type { HTTPRequest } from 'puppeteer-core';
import { beforeAll, expect, test } from 'vitest';
import { useWebWithSignIn } from './use-web.ts';

const PASSWORD = 'clay on the wheel at nine';
const ANA = 'ana@fernandclay.example';
const BEN = 'ben@tidestudio.example';

const web = useWebWithSignIn();
const { person } = web;

beforeAll(async () => {
  for (const email of [ANA, BEN]) {
    const { status } = await fetch(`${web.app.url}/api/v1/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, name: email.slice(0, 3), password: PASSWORD }),
    });
    expect(status).toBe(201);
  }
});

/** In the page that is open, without loading it again. */
async function signIn(email: string): Promise<void> {
  await person.page.locator('input[name=email]').fill(email);
  await person.page.locator('input[name=password]').fill(PASSWORD);
  await person.page.locator('button[type=submit]').click();
  // The text of the page alone: the field has the address, too.
  await person.page.waitForFunction((text) => document.body.textContent?.includes(text), {}, email);
}

async function signOut(): Promise<void> {
  await person.page.locator('button[aria-label="Sign out"]').click();
  await person.page.waitForSelector('input[name=email]');
}

async function subject(): Promise<string | undefined> {
  const field = await person.page.waitForSelector('label:has(span) input');
  return field?.evaluate((input) => (input as HTMLInputElement).value);
}

test('in one browser, the next person sees nothing that the server told the one before', async () => {
  await person.open('/login');
  await signIn(ANA);
  await signOut();
  await person.page.evaluate((email) => {
    new MutationObserver(() => {
      if (document.body.textContent?.includes(email)) document.documentElement.dataset['seen'] = email;
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  }, ANA);
  await signIn(BEN);
  expect(await person.page.evaluate(() => document.documentElement.dataset['seen'])).toBeUndefined();
  await signOut();
});

test('who signs out is at the sign-in at once, however late the server answers', async () => {
  await signIn(ANA);
  await person.page.setRequestInterception(true);
  const waiting: HTTPRequest[] = [];
  const hold = (request: HTTPRequest) =>
    request.url().endsWith('/auth/logout') ? waiting.push(request) : void request.continue();
  person.page.on('request', hold);
  await signOut();
  const [logout] = waiting;
  expect(logout?.headers()['authorization']).toMatch(/^Bearer ./);
  await logout?.continue();
  person.page.off('request', hold);
  await person.page.setRequestInterception(false);
});

test('in one browser, a draft is shown only to the person who typed it', async () => {
  await signIn(ANA);
  await person.open('/templates/welcome');
  const saved = await subject();
  await person.page.locator('label:has(span) input').fill('What Ana typed');
  await person.page.waitForSelector('::-p-text(Not saved)');
  await signOut();
  await signIn(BEN);
  await person.open('/templates/welcome');
  expect([await subject(), await person.page.$('::-p-text(Not saved)')]).toEqual([saved, null]);
  await signOut();
  await signIn(ANA);
  await person.open('/templates/welcome');
  await person.page.waitForSelector('::-p-text(Not saved)');
  expect(await subject()).toBe('What Ana typed');
});
