import type { HTTPRequest } from 'puppeteer-core';
import { beforeAll, expect, test } from 'vitest';
import { typeOver } from './steps.ts';
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

/** Keeps the requests of some paths from the server until they are released: those of the first path, then those of the next. */
async function hold(...paths: readonly string[]) {
  const held: HTTPRequest[] = [];
  const pathOf = (request: HTTPRequest) => new URL(request.url()).pathname;
  const onRequest = (request: HTTPRequest) =>
    paths.includes(pathOf(request)) ? held.push(request) : void request.continue();
  await person.page.setRequestInterception(true);
  person.page.on('request', onRequest);
  return {
    held,
    async release(): Promise<void> {
      for (const path of paths) {
        const those = held.filter((one) => pathOf(one) === path);
        expect(those, path).not.toEqual([]);
        // The page may have given up some of them.
        for (const one of those) await one.continue().catch(() => undefined);
        // A second for the page to do what it does with the answers.
        await new Promise((done) => setTimeout(done, 1_000));
      }
      person.page.off('request', onRequest);
      await person.page.setRequestInterception(false);
    },
  };
}

test('who signs out is at the sign-in at once, and what is typed there stays when the server answers late', async () => {
  await signIn(ANA);
  const logout = await hold('/api/v1/auth/logout');
  await signOut();
  expect(logout.held[0]?.headers()['authorization']).toMatch(/^Bearer ./);
  await person.page.locator('input[name=email]').fill(BEN);
  await logout.release();
  expect(await person.page.$eval('input[name=email]', (field) => field.value)).toBe(BEN);
});

test('who signs out before their profile is here stays signed out when it comes', async () => {
  await person.open('/login');
  // In this order, the session is still good for the profile.
  const late = await hold('/api/v1/user/profile', '/api/v1/auth/logout');
  await signIn(ANA);
  await signOut();
  await late.release();
  expect(await person.page.evaluate(() => [localStorage.getItem('token'), location.pathname])).toEqual([
    null,
    '/login',
  ]);
});

test('in one browser, a draft is shown only to the person who typed it', async () => {
  await signIn(ANA);
  await person.open('/templates/welcome');
  const saved = await subject();
  await typeOver(person.page, 'label:has(span) input', 'What Ana typed');
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
