import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, launch, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FLAGS } from '../../src/platform/browser/launch-browser.ts';
import { resolveBrowser } from '../../src/platform/browser/resolve-browser.ts';
import { silentLog } from '../support/app.ts';
import { newPerson, newPkce, newProgram, type Person, WIDE_LIMITS } from '../support/oauth-person.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';

// The pages on which a person lets a program in, in a real browser without scripts; and a page of another site that
// shows, sends or frames them.

let app: ServedApp;
let ana: Person;
let elsewhere: Server;
let browser: Browser;
let page: Page;
/** What the page of another site holds. */
let bait = '';
/** Addresses that the program at its redirect URI was called with. */
const arrived: URL[] = [];
const origin = () => `http://localhost:${(elsewhere.address() as AddressInfo).port}`;

beforeAll(async () => {
  app = await openServedApp({ RATE_LIMITS: WIDE_LIMITS });
  ana = await newPerson(app.url, 'ana');
  elsewhere = createServer((req, res) => {
    const url = new URL(req.url ?? '', origin());
    if (url.pathname === '/callback') arrived.push(url);
    res.setHeader('content-type', 'text/html').end(url.pathname === '/bait' ? bait : '<h1>Back</h1>');
  }).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  const { executable, kind, environment } = await resolveBrowser({ log: silentLog });
  browser = await launch({
    executablePath: executable,
    headless: kind === 'shell' ? 'shell' : true,
    pipe: true,
    env: { ...process.env, LANG: 'en_US.UTF-8', ...environment },
    args: ['--no-sandbox', ...FLAGS.filter((flag) => !/prox|resolver/.test(flag))],
  });
  page = await browser.newPage();
  await page.setJavaScriptEnabled(false);
  await page.setViewport({ width: 390, height: 844, deviceScaleFactor: 2 });
});
afterAll(async () => {
  await browser?.close();
  elsewhere?.closeAllConnections();
  elsewhere?.close();
  await app?.close();
});

async function startVisit(name = 'Test assistant'): Promise<void> {
  const program = newProgram(app.url);
  const redirect_uri = `${origin()}/callback`;
  const clientId = await program.register({ client_name: name, redirect_uris: [redirect_uri] });
  await page.goto(program.authorizeUrl(clientId, newPkce().challenge, { redirect_uri }));
}

async function send(button: string): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.click(`button[value=${button}]`)]);
}

async function signIn(): Promise<void> {
  await page.type('#email', ana.email);
  await page.type('#password', ana.password);
  await send('enter');
}

/** For a look at the pages: OAUTH_PICTURES=folder. */
async function picture(name: string): Promise<void> {
  const folder = process.env['OAUTH_PICTURES'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

test('a person signs in, decides and is sent back, without any script', async () => {
  await startVisit();
  await picture('sign-in');
  await page.type('#email', ana.email);
  await page.type('#password', 'not the password');
  await send('enter');
  expect(await page.content()).toContain('Wrong email or password');
  await picture('wrong-password');
  await page.type('#password', ana.password);
  await send('enter');
  await picture('consent');
  await send('allow');
  expect(page.url()).toContain(`${origin()}/callback?code=`);
  expect(arrived.at(-1)?.searchParams.get('iss')).toBe(app.url);
});

test('a name with markup is text, and says nothing about the page', async () => {
  await startVisit('<img src=x onerror=alert(1)>"\'><script>alert(1)</script>');
  expect(await page.$$('img, script')).toEqual([]);
  expect(await page.content()).toContain('&lt;script&gt;');
});

test('a page of another site can neither frame nor send the form', async () => {
  await startVisit();
  await signIn();
  const here = page.url();
  const before = arrived.length;
  bait = `<form method="post" action="${here}"><input name="action" value="allow">
    <input name="scope" value="templates:write"><button value="allow">Win a prize</button></form>
    <iframe src="${here}"></iframe>`;
  await page.goto(`${origin()}/bait`);
  const framed = page.frames().find((frame) => frame !== page.mainFrame());
  expect(await framed?.content()).not.toContain('name="scope"');
  await send('allow');
  expect(await page.content()).not.toContain('Back');
  expect(arrived.length).toBe(before);
});

test('the code of a device is shown before anything is decided', async () => {
  const { body } = await newProgram(app.url).post('/oauth/device_authorization', {
    client_id: 'stallhand-cli',
    resource: app.url,
  });
  await page.goto(String(body['verification_uri_complete']));
  await picture('device-code');
  await Promise.all([page.waitForNavigation(), page.click('button.main')]);
  await picture('device-confirm');
  expect(await page.content()).toContain(String(body['user_code']));
  await send('yes');
  await signIn();
  await send('allow');
  await picture('device-done');
  expect(await page.content()).toContain('Your device is connected');
});
