import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../../peers/mail-server.ts';
import { type OidcIssuer, startOidcIssuer } from '../../peers/oidc-issuer.ts';
import { newBrowser, newPkce, newProgram, WIDE_LIMITS } from '../../support/oauth-person.ts';
import { openServedApp, type ServedApp } from '../../support/served-app.ts';
import { useRest } from '../../support/server.ts';

let mail: MailServer;
let issuer: OidcIssuer;
let app: ServedApp;

beforeAll(async () => {
  mail = await startMailServer();
  issuer = await startOidcIssuer();
  const acme = {
    label: 'Acme',
    issuer: issuer.url,
    client_id: 'stallhand',
    client_secret: 'a client secret',
  };
  app = await openServedApp({
    SMTP_URL: mail.url,
    MAIL_FROM: 'Shop <no-reply@shop.example>',
    ENCRYPTION_KEY: 'a key of thirty-two characters or more',
    SIGN_IN_PROVIDERS: JSON.stringify({ acme }),
    RATE_LIMITS: WIDE_LIMITS,
  });
});
afterAll(async () => {
  await app.close();
  await Promise.all([mail.close(), issuer.close()]);
});

/** A program asks, in a browser that also opens the pages of the issuer. */
async function askFor() {
  const browser = newBrowser(app.url, [issuer.url]);
  const program = newProgram(app.url);
  const page = await browser.open(program.authorizeUrl(await program.register(), newPkce().challenge));
  return { browser, page };
}

const isConsent = (text: string) => text.includes('name="scope"');

/** A person who has signed in once by a code. */
async function newPerson(email: string) {
  const rest = useRest(app.url);
  await rest('POST', '/auth/login', { body: { email } });
  const { body } = await rest('POST', '/auth/login', { body: { email, code: mail.lastCode(email) } });
  return useRest(app.url, String(body['token']));
}

test('by a code in an email, and a wrong one is said', async () => {
  const { browser, page } = await askFor();
  const email = 'cleo@shop.example';
  const asked = await browser.submit(page, 'action=enter', { email, password: '' });
  expect(asked.text).toContain('Check your email');
  const wrong = await browser.submit(asked, 'action=code', { code: '000000' });
  expect([wrong.status, wrong.text.includes('The code is wrong')]).toEqual([401, true]);
  const consent = await browser.submit(wrong, 'action=code', { code: mail.lastCode(email) });
  expect([isConsent(consent.text), consent.text.includes(email)]).toEqual([true, true]);
});

test('with a second factor, which no page skips', async () => {
  const email = 'dora@shop.example';
  const dora = await newPerson(email);
  const { body } = await dora('POST', '/auth/totp/enable', { body: {} });
  const authenticator = new TOTP({ secret: String(body['secret']) });
  const { body: confirmed } = await dora('POST', '/auth/totp/confirm', {
    body: { code: authenticator.generate() },
  });
  const [recovery = ''] = confirmed['recovery_codes'] as string[];
  const { browser, page } = await askFor();
  const asked = await browser.submit(page, 'action=enter', { email, password: '' });
  const factor = await browser.submit(asked, 'action=code', { code: mail.lastCode(email) });
  expect([isConsent(factor.text), factor.text.includes('Second factor')]).toEqual([false, true]);
  const wrong = await browser.submit(factor, 'action=factor', { totp: '000000' });
  expect([wrong.status, isConsent(wrong.text)]).toEqual([401, false]);
  const consent = await browser.submit(wrong, 'action=factor', { totp: recovery });
  expect(isConsent(consent.text)).toBe(true);
});

test('with another service, and back to the same page', async () => {
  issuer.person = { sub: 'eve', name: 'Eve', email: 'eve@shop.example', email_verified: true };
  const { browser, page } = await askFor();
  const [, start = ''] = /href="([^"]*start[^"]*)"/.exec(page.text) ?? [];
  const consent = await browser.open(start.replace(/&#38;/g, '&'));
  expect([isConsent(consent.text), consent.url.pathname]).toEqual([true, page.url.pathname]);
  expect(consent.text).toContain('eve@shop.example');
});

test('a person who declines there is told, and can go on', async () => {
  issuer.person = undefined;
  const { browser, page } = await askFor();
  const [, start = ''] = /href="([^"]*start[^"]*)"/.exec(page.text) ?? [];
  const after = await browser.open(start.replace(/&#38;/g, '&'));
  expect([after.url.pathname, after.text.includes('The sign-in there failed')]).toEqual([
    page.url.pathname,
    true,
  ]);
});

test('a sign-in for a program leaves no session of the person behind', async () => {
  const email = 'fay@shop.example';
  const fay = await newPerson(email);
  const { browser, page } = await askFor();
  const asked = await browser.submit(page, 'action=enter', { email, password: '' });
  await browser.submit(asked, 'action=code', { code: mail.lastCode(email) });
  const { body } = await fay('GET', '/auth/sessions');
  expect((body['items'] as unknown[]).length).toBe(1);
});
