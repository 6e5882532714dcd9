import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type CDPSession, launch, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { resolveBrowser } from '../../src/platform/browser/resolve-browser.ts';
import { machineEnvironment } from '../../src/platform/machine-environment.ts';
import { type MailServer, startMailServer } from '../peers/mail-server.ts';
import { silentLog } from '../support/app.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { type Answer, useRest } from '../support/server.ts';

// A real Chromium whose virtual authenticator holds the passkeys: the browser alone decides which page may use which.

let mail: MailServer;
let app: ServedApp;
let rest: ReturnType<typeof useRest>;
let browser: Browser;
let page: Page;
let device: CDPSession;
let authenticatorId: string;
/** A page of another server on this machine. Passkeys of localhost know no ports. */
let neighbor: { readonly port: number; close(): void };

beforeAll(async () => {
  mail = await startMailServer();
  app = await openServedApp({ SMTP_URL: mail.url, MAIL_FROM: 'Shop <no-reply@shop.example>' });
  rest = useRest(app.url);
  const { executable, kind, environment } = await resolveBrowser({
    executablePath: process.env['PUPPETEER_EXECUTABLE_PATH'],
    log: silentLog,
  });
  browser = await launch({
    executablePath: executable,
    headless: kind === 'shell' ? 'shell' : true,
    pipe: true,
    env: { ...machineEnvironment(), ...environment },
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
  const server = createServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>another page</title>');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  neighbor = { port, close: () => server.close().closeAllConnections() };
});
afterAll(async () => {
  await browser.close();
  neighbor.close();
  await app.close();
  await mail.close();
});

/** Where a person opens the server: browsers accept no passkeys for an address of digits. */
const home = () => app.url.replace('127.0.0.1', 'localhost');

beforeEach(async () => {
  const context = await browser.createBrowserContext();
  page = await context.newPage();
  device = await page.createCDPSession();
  await device.send('WebAuthn.enable');
  ({ authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  }));
  await page.goto(`${home()}/health`);
  return () => context.close();
});

type Json = Record<string, unknown>;

/** What a page of the web client does to add or use a passkey. The answer is the credential, or the error's name. */
async function inPage(kind: 'create' | 'get', publicKey: unknown): Promise<Json> {
  const parse = kind === 'create' ? 'parseCreationOptionsFromJSON' : 'parseRequestOptionsFromJSON';
  const answer = await page.evaluate(`
    (async () => {
      try {
        const publicKey = PublicKeyCredential.${parse}(${JSON.stringify(publicKey)});
        return (await navigator.credentials.${kind}({ publicKey })).toJSON();
      } catch (error) {
        return { error: error.name };
      }
    })()`);
  return answer as Json;
}

const post = (path: string, body: unknown, token?: unknown) =>
  rest('POST', path, { body, headers: token ? { authorization: `Bearer ${token}` } : {} });

async function newPerson(name: string) {
  const password = 'correct horse battery';
  const { body } = await post('/auth/register', { email: `${name}@shop.example`, name, password });
  return String(body['token']);
}

async function addPasskey(token: string, name = 'Laptop'): Promise<Answer> {
  const { body: options } = await post('/auth/passkeys/options', { for: 'register' }, token);
  const response = await inPage('create', options);
  return post('/auth/passkeys/register', { response, name }, token);
}

/** What the device signs for the page that is open. */
async function sign(change: Json = {}): Promise<Json> {
  const { body } = await post('/auth/passkeys/options', { for: 'login' });
  return inPage('get', { ...body, ...change });
}

const login = (response: Json) => post('/auth/passkeys/login', { response });
const statusAndCode = ({ status, body }: Answer) => [status, body['code']];

test('a person adds a passkey and signs in with it, without a name or password, and that session is fresh', async () => {
  const token = await newPerson('ana');
  const added = await addPasskey(token);
  expect([added.status, added.body]).toEqual([
    201,
    {
      id: expect.stringMatching(/^psk_/),
      name: 'Laptop',
      created_at: expect.any(String),
      last_used_at: null,
    },
  ]);

  const { status, body } = await login(await sign());

  expect([status, body]).toEqual([
    200,
    {
      token: expect.stringMatching(/^ses_/),
      user: expect.objectContaining({ email: 'ana@shop.example' }),
      expires_at: expect.any(String),
    },
  ]);
  const headers = { authorization: `Bearer ${body['token']}` };
  const listed = await rest('GET', '/auth/passkeys', { headers });
  expect(listed.body).toEqual({ items: [{ ...added.body, last_used_at: expect.any(String) }] });
  // Only a fresh session may start to add another one.
  const more = await post('/auth/passkeys/options', { for: 'register' }, body['token']);
  expect([more.status, more.body['excludeCredentials']]).toEqual([
    200,
    [expect.objectContaining({ type: 'public-key' })],
  ]);
});

test('a passkey counts as both factors: no code of the authenticator app is asked for', async () => {
  const token = await newPerson('eva');
  await addPasskey(token);
  const { body } = await rest('GET', '/auth/me', { headers: { authorization: `Bearer ${token}` } });
  await app.database.sql`
    insert into totp_secrets (user_id, sealed_secret, confirmed_at) values (${String(body['id'])}, 'sealed', now())`;
  const password = await post('/auth/login', {
    email: 'eva@shop.example',
    password: 'correct horse battery',
  });
  expect(statusAndCode(password)).toEqual([401, 'second_factor_required']);
  expect((await login(await sign())).status).toBe(200);
});

test('a page of another origin cannot use it: the browser refuses to sign for our name', async () => {
  await addPasskey(await newPerson('bea'));
  await page.goto(`http://127.0.0.1:${neighbor.port}/`);
  expect(await sign()).toEqual({ error: 'SecurityError' });
  await page.goto(`http://evil.localhost:${neighbor.port}/`);
  expect(await sign()).toEqual({ error: expect.stringMatching(/SecurityError|NotAllowedError/) });
});

test('a page of another port of localhost gets a signature, which the server refuses, whatever host it is sent to', async () => {
  await addPasskey(await newPerson('caro'));
  await page.goto(`http://localhost:${neighbor.port}/`);
  const signed = await sign();
  expect(signed).toMatchObject({ type: 'public-key' });
  expect(statusAndCode(await login(signed))).toEqual([401, 'unauthenticated']);
  const again = await sign();
  const host = `localhost:${neighbor.port}`;
  const sent = await rest('POST', '/auth/passkeys/login', { body: { response: again }, headers: { host } });
  expect(statusAndCode(sent)).toEqual([401, 'unauthenticated']);
});

test('a replayed signature is refused, also when a hundred copies arrive at the same time', async () => {
  await addPasskey(await newPerson('dora'));
  const signed = await sign();
  expect((await login(signed)).status).toBe(200);
  expect(statusAndCode(await login(signed))).toEqual([401, 'unauthenticated']);

  const another = await sign();
  const answers = await Promise.all(Array.from({ length: 100 }, () => login(another)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('a signature for an old challenge is refused, also with the text of a new one put in its place', async () => {
  await addPasskey(await newPerson('ella'));
  const { body: fresh } = await post('/auth/passkeys/options', { for: 'login' });
  const signed = (await sign()) as { response: Json };
  const told = { type: 'webauthn.get', challenge: fresh['challenge'], origin: home(), crossOrigin: false };
  const clientDataJSON = Buffer.from(JSON.stringify(told)).toString('base64url');
  const forged = { ...signed, response: { ...signed.response, clientDataJSON } };
  expect(statusAndCode(await login(forged))).toEqual([401, 'unauthenticated']);
});

test('a device that did not verify the person is refused', async () => {
  await addPasskey(await newPerson('fina'));
  await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  expect(await sign()).toEqual({ error: 'NotAllowedError' });
  const signed = await sign({ userVerification: 'discouraged' });
  expect(statusAndCode(await login(signed))).toEqual([401, 'unauthenticated']);
});

test('a copied authenticator is refused: its counter is behind', async () => {
  await addPasskey(await newPerson('gala'));
  const { credentials } = await device.send('WebAuthn.getCredentials', { authenticatorId });
  const [copy] = credentials;
  if (!copy) throw new Error('the authenticator has no passkey');
  for (const _ of Array(3)) expect((await login(await sign())).status).toBe(200);
  await device.send('WebAuthn.removeCredential', { authenticatorId, credentialId: copy.credentialId });
  await device.send('WebAuthn.addCredential', { authenticatorId, credential: copy });
  expect(statusAndCode(await login(await sign()))).toEqual([401, 'unauthenticated']);
});

test('a deleted passkey no longer signs in', async () => {
  const token = await newPerson('hilda');
  const { body } = await addPasskey(token);
  const headers = { authorization: `Bearer ${token}` };
  const other = { authorization: `Bearer ${await newPerson('stranger')}` };
  const path = `/auth/passkeys/${body['id']}`;
  expect((await rest('DELETE', path, { headers: other })).status).toBe(404);
  expect((await login(await sign())).status).toBe(200);
  expect((await rest('DELETE', path, { headers })).body).toEqual({ deleted: true });
  expect(statusAndCode(await login(await sign()))).toEqual([401, 'unauthenticated']);
});

test('a passkey that a stranger added to an unverified address is gone when its owner comes', async () => {
  const email = 'ines@shop.example';
  await addPasskey(await newPerson('ines'));
  await post('/auth/login', { email });
  expect((await post('/auth/login', { email, code: mail.lastCode(email) })).status).toBe(200);
  expect(statusAndCode(await login(await sign()))).toEqual([401, 'unauthenticated']);
});
