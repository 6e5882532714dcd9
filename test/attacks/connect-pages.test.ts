import { type Browser, launch, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FLAGS } from '../../src/platform/browser/launch-browser.ts';
import { resolveBrowser } from '../../src/platform/browser/resolve-browser.ts';
import { type GoogleConsentPeer, startGoogleConsentPeer } from '../peers/google-consent.ts';
import { type ShopifyConsentPeer, startShopifyConsentPeer } from '../peers/shopify-consent.ts';
import { silentLog } from '../support/app.ts';
import { newPerson, type Person, WIDE_LIMITS } from '../support/oauth-person.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { useRest } from '../support/server.ts';

// Connecting at Google and Shopify in a real browser, without scripts: a link, a sign-in, the provider's page, and back.

const SHOP = 'tide-and-clay.myshopify.com';
const SCOPES = ['write_products', 'write_inventory', 'read_locations'];
const redirectUris: string[] = [];
let google: GoogleConsentPeer;
let shopify: ShopifyConsentPeer;
let app: ServedApp;
let browser: Browser;
let page: Page;
let ana: Person & { readonly token: string };
let people = 0;
/** How far the clock of the providers is ahead. */
let ahead = 0;

beforeAll(async () => {
  const client = {
    clientId: 'client-1',
    clientSecret: 'secret-1',
    redirectUris,
    now: () => Date.now() + ahead,
  };
  google = await startGoogleConsentPeer(client);
  shopify = await startShopifyConsentPeer({ ...client, domain: SHOP, shop: { name: 'Tide' } });
  app = await openServedApp({
    RATE_LIMITS: WIDE_LIMITS,
    ENCRYPTION_KEY: 'the-secret-of-this-server-kept-by-its-operator',
    GOOGLE_BASE_URL: google.url,
    GOOGLE_CLIENT_ID: 'client-1',
    GOOGLE_CLIENT_SECRET: 'secret-1',
    SHOPIFY_BASE_URL: shopify.url,
    SHOPIFY_CLIENT_ID: 'client-1',
    SHOPIFY_CLIENT_SECRET: 'secret-1',
  });
  redirectUris.push(`${app.url}/connect/google/callback`, `${app.url}/connect/shopify/callback`);
  google.emulator.book('stock-book', {
    title: 'Stock list',
    tabs: [{ title: 'Stock', rows: [['SKU', 'Stock']] }],
  });
  google.files.set('Stock list', 'stock-book');
  const { executable, kind, environment } = await resolveBrowser({ log: silentLog });
  browser = await launch({
    executablePath: executable,
    headless: kind === 'shell' ? 'shell' : true,
    pipe: true,
    env: { ...process.env, LANG: 'en_US.UTF-8', ...environment },
    args: ['--no-sandbox', ...FLAGS.filter((flag) => !/prox|resolver/.test(flag))],
  });
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await google?.close();
  await shopify?.close();
});
beforeEach(async () => {
  people += 1;
  ahead = 0;
  ana = await newPerson(app.url, `ana-${people}`);
  google.state.user = `ana-${people}@gmail.test`;
  google.state.unticked = [];
  shopify.state.scopes = SCOPES;
  const context = await browser.createBrowserContext();
  page = await context.newPage();
  await page.setJavaScriptEnabled(false);
});

const rest = () => useRest(app.url, ana.token);

async function linkTo(provider: 'google' | 'shopify'): Promise<string> {
  const body = provider === 'shopify' ? { shop: SHOP } : {};
  return String((await rest()('POST', `/sync/connect/${provider}`, { body })).body['url']);
}

/** Opens a link and signs in; the browser goes on to the provider on its own. */
async function begin(provider: 'google' | 'shopify', { email, password }: Person = ana): Promise<void> {
  await page.goto(await linkTo(provider));
  await picture(`${provider}-link`);
  await page.type('#email', email);
  await page.type('#password', password);
  await page.click('button[value=enter]');
  await page.waitForSelector('button[value=allow]');
}

async function decide(answer: 'allow' | 'deny'): Promise<string> {
  const radio = await page.$('input[name=file]');
  if (answer === 'allow' && radio) await radio.click();
  await Promise.all([page.waitForNavigation(), page.click(`button[value=${answer}]`)]);
  await picture(answer);
  return page.$eval('main', (main) => main.textContent ?? '');
}

/** The person agrees, and the browser is about to bring the provider's answer. */
async function answerOnItsWay(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (!request.url().includes('/callback?')) return void request.continue();
    resolve(request.url());
    void request.abort();
  });
  const radio = await page.$('input[name=file]');
  await radio?.click();
  await page.click('button[value=allow]').catch(() => {});
  const answer = await promise;
  page.removeAllListeners('request');
  await page.setRequestInterception(false);
  return answer;
}

async function textAt(address: string, by: Page = page): Promise<string> {
  await by.goto(address);
  return by.$eval('main', (main) => main.textContent ?? '');
}

/** At the provider, as one who has seen the answer and knows the secret of the app would. */
async function useCode(provider: 'google' | 'shopify', answer: string): Promise<void> {
  const fields = {
    client_id: 'client-1',
    client_secret: 'secret-1',
    code: new URL(answer).searchParams.get('code') ?? '',
    grant_type: 'authorization_code',
  };
  const url = provider === 'google' ? `${google.url}/token` : `${shopify.url}/admin/oauth/access_token`;
  await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
}

/** A code is good for a minute. */
async function expireCode(): Promise<void> {
  ahead = 61_000;
}

const connected = async (list: 'stores' | 'sheets') =>
  (await rest()('GET', `/sync/${list}`)).body as unknown as Record<string, unknown>[];

/** For a look at the pages: CONNECT_PICTURES=folder. */
async function picture(name: string): Promise<void> {
  const folder = process.env['CONNECT_PICTURES'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

describe.each([
  ['google', 'sheets', 'The sheet Stock list is connected'],
  ['shopify', 'stores', 'The store Tide is connected'],
] as const)('%s', (provider, list, done) => {
  test('a person signs in, agrees, and is told what is connected', async () => {
    await begin(provider);
    expect(await decide('allow')).toContain(done);
    expect(await connected(list)).toMatchObject([
      { status: 'connected', renewable: true, consent: { by: ana.email } },
    ]);
  });

  test('a person who refuses is told that nothing was connected', async () => {
    await begin(provider);
    expect(await decide('deny')).toContain('nothing was connected');
    expect(await connected(list)).toEqual([]);
  });

  test('going back and agreeing once more, with the code that was used, connects nothing twice', async () => {
    await begin(provider);
    await decide('allow');
    const answer = page.url();
    await page.goto(answer);
    expect(await page.$eval('main', (main) => main.textContent)).toContain('Nothing was connected');
    expect(await connected(list)).toHaveLength(1);
  });

  test('a forged state, another browser and another provider use an answer for nothing; its own browser does', async () => {
    await begin(provider);
    const answer = await answerOnItsWay();
    const victim = await (await browser.createBrowserContext()).newPage();
    const forged = new URL(answer);
    forged.searchParams.set('state', 'A'.repeat(43));
    const other = provider === 'google' ? 'shopify' : 'google';
    expect(await textAt(answer, victim)).toContain('Nothing was connected');
    expect(await textAt(forged.href)).toContain('Nothing was connected');
    expect(await textAt(answer.replace(provider, other))).toContain('Nothing was connected');
    expect(await connected(list)).toEqual([]);
    expect(await textAt(answer)).toContain(done);
  });

  test('a code that someone else has used, or that has expired, connects nothing', async () => {
    for (const spoil of [useCode, expireCode]) {
      await begin(provider);
      const answer = await answerOnItsWay();
      await spoil(provider, answer);
      expect(await textAt(answer)).toMatch(
        /did not complete the connection \((invalid_grant|invalid_request)\)/,
      );
      expect(await connected(list)).toEqual([]);
    }
  });

  test('an answer after the time of its link, and a link after its time, connect nothing', async () => {
    await begin(provider);
    const answer = await answerOnItsWay();
    const link = await linkTo(provider);
    await app.database.sql`update sync_consents set expires_at = now()`;
    expect(await textAt(answer)).toContain('Nothing was connected');
    expect((await page.goto(link))?.status()).toBe(404);
    expect(await connected(list)).toEqual([]);
  });

  test('a link does not open for another person', async () => {
    const mallory = await newPerson(app.url, `mallory-${people}-${provider}`);
    await page.goto(await linkTo(provider));
    await page.type('#email', mallory.email);
    await page.type('#password', mallory.password);
    await Promise.all([page.waitForNavigation(), page.click('button[value=enter]')]);
    expect(await page.$eval('[role=alert]', (alert) => alert.textContent)).toContain(
      'Only the person who requested this link',
    );
  });

  test('scopes that were not granted are named', async () => {
    google.state.unticked = ['https://www.googleapis.com/auth/drive.file'];
    shopify.state.scopes = ['write_products'];
    await begin(provider);
    const told = await decide('allow');
    expect(told).toMatch(/auth\/drive\.file|write_inventory, read_locations/);
    expect(await connected(list)).toEqual([]);
  });

  test('access that expires is renewed; access that was taken back has to be given again', async () => {
    await begin(provider);
    await decide('allow');
    const [one] = await connected(list);
    const check = () => rest()('POST', `/sync/${list.slice(0, -1)}/${one?.['id']}/test`);
    google.expireAccess();
    shopify.expireAccess();
    expect((await check()).status).toBe(200);
    google.removeAccess(google.state.user);
    shopify.uninstall();
    expect((await check()).body['code']).toMatch(/^(sheet|store)_unauthorized$/);
    expect(await connected(list)).toMatchObject([{ status: 'reconnect_required' }]);
  });
});
