import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../../peers/mail-server.ts';
import { type OidcIssuer, startOidcIssuer } from '../../peers/oidc-issuer.ts';
import { openServedApp, type ServedApp } from '../../support/served-app.ts';
import { startTestServer, useRest } from '../../support/server.ts';
import { type Browser, newBrowser } from './cookie-browser.ts';

let issuer: OidcIssuer;
let other: OidcIssuer;
let mail: MailServer;
let app: ServedApp;
let rest: ReturnType<typeof useRest>;

beforeAll(async () => {
  issuer = await startOidcIssuer();
  other = await startOidcIssuer();
  mail = await startMailServer();
  const client = { client_id: 'stallhand', client_secret: 'a client secret' };
  const providers = {
    acme: { label: 'Acme', issuer: issuer.url, ...client },
    other: { issuer: other.url, ...client },
    github: { issuer: issuer.url, ...client },
  };
  app = await openServedApp({
    SIGN_IN_PROVIDERS: JSON.stringify(providers),
    SMTP_URL: mail.url,
    MAIL_FROM: 'Shop <no-reply@shop.example>',
  });
  rest = useRest(app.url);
});
afterAll(async () => {
  await app.close();
  await Promise.all([issuer.close(), other.close(), mail.close()]);
});
beforeEach(() => {
  for (const one of [issuer, other]) Object.assign(one, { mood: 'well', forged: {}, userinfo: {} });
});

const locationOf = (response: Response) => response.headers.get('location') ?? '';
/** What the fragment of /login says. */
const fragmentOf = (response: Response) => {
  const [page, fragment = ''] = locationOf(response).split('#');
  expect(page).toBe('/login');
  return Object.fromEntries(new URLSearchParams(fragment));
};

/** To the issuer's page and as far as its answer: the address it sends the browser back to. */
async function visit(browser: Browser, start: string): Promise<URL> {
  return answerOf(browser, locationOf(await browser.open(start)));
}

async function answerOf(browser: Browser, atIssuer: string): Promise<URL> {
  return new URL(locationOf(await browser.open(atIssuer)));
}

async function signIn(browser: Browser, provider = 'acme', query = '') {
  return browser.open((await visit(browser, `/auth/${provider}/start${query}`)).href);
}

const person = (name: string, more = {}) => ({
  sub: `sub-${name}`,
  name,
  email: `${name}@shop.example`,
  email_verified: true,
  ...more,
});

async function newUser(name: string) {
  const email = `${name}@shop.example`;
  await rest('POST', '/auth/login', { body: { email } });
  const { body } = await rest('POST', '/auth/login', { body: { email, code: mail.lastCode(email) } });
  const { id } = body['user'] as { id: string };
  return { token: String(body['token']), id, email };
}

const usersAt = (email: string) => app.database.sql`select id from users where email = ${email}`;
const failed = { error: 'sign_in_failed' };

test('the sign-in page learns names and labels, and no secret', async () => {
  const { status, body } = await rest('GET', '/auth/providers');
  expect([status, body]).toEqual([
    200,
    {
      items: [
        { id: 'acme', label: 'Acme' },
        { id: 'other', label: 'other' },
        { id: 'github', label: 'GitHub' },
      ],
    },
  ]);
});

describe('a sign-in at the issuer', () => {
  test('starts with state, nonce and PKCE, and a cookie for the way back that no script reads', async () => {
    const response = await newBrowser(app.url).open('/auth/acme/start?return_to=/templates');
    const to = new URL(locationOf(response));
    expect([response.status, to.origin + to.pathname]).toEqual([303, `${issuer.url}/authorize`]);
    expect(Object.fromEntries(to.searchParams)).toEqual({
      client_id: 'stallhand',
      response_type: 'code',
      redirect_uri: `${app.url}/auth/acme/callback`,
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^stallhand_visit=[\w-]{43}; Max-Age=600; Path=\/auth\/acme\/callback; .*HttpOnly; SameSite=Lax$/,
      ),
    ]);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('ends with a session for a user and account of their own, the same each time', async () => {
    issuer.person = person('ana');
    const browser = newBrowser(app.url);
    const { code, return_to } = fragmentOf(await signIn(browser, 'acme', '?return_to=/templates?q=a'));
    expect(return_to).toBe('/templates?q=a');
    const { status, body } = await browser.post('/auth/exchange', { code });
    expect([status, body]).toEqual([
      200,
      {
        token: expect.stringMatching(/^ses_/),
        user: expect.objectContaining({ name: 'ana', email: 'ana@shop.example', role: 'owner' }),
        expires_at: expect.any(String),
      },
    ]);
    expect([...browser.jar.keys()]).toEqual(['stallhand_device']);
    const again = newBrowser(app.url);
    const second = await again.post('/auth/exchange', { code: fragmentOf(await signIn(again))['code'] });
    expect(second.body['user']).toEqual(body['user']);
  });

  test('works with an issuer that tells the address only to those who ask for userinfo', async () => {
    issuer.person = { sub: 'sub-short' };
    issuer.userinfo = { email: 'short@shop.example', email_verified: true, name: 'Short' };
    const browser = newBrowser(app.url);
    const { code } = fragmentOf(await signIn(browser));
    const { body } = await browser.post('/auth/exchange', { code });
    expect(body['user']).toMatchObject({ name: 'Short', email: 'short@shop.example' });
  });

  test('works with GitHub, which speaks OAuth without OpenID Connect', async () => {
    issuer.person = { sub: '583231', name: 'Mona', email: 'mona@shop.example', email_verified: true };
    const browser = newBrowser(app.url);
    const { code } = fragmentOf(await signIn(browser, 'github'));
    const { body } = await browser.post('/auth/exchange', { code });
    expect(body['user']).toMatchObject({ name: 'Mona', email: 'mona@shop.example' });
  });

  test('believes no address that the issuer has not verified', async () => {
    issuer.person = person('unverified', { email_verified: false });
    const browser = newBrowser(app.url);
    const { body } = await browser.post('/auth/exchange', {
      code: fragmentOf(await signIn(browser))['code'],
    });
    expect(body['user']).toMatchObject({ name: 'unverified', email: null });
  });

  test('asks for the second factor where it is on', async () => {
    issuer.person = person('factor');
    const browser = newBrowser(app.url);
    const first = await browser.post('/auth/exchange', { code: fragmentOf(await signIn(browser))['code'] });
    const { id } = first.body['user'] as { id: string };
    await app.database.sql`
      insert into totp_secrets (user_id, sealed_secret, confirmed_at) values (${id}, 'sealed', now())`;
    const { status, body } = await browser.post('/auth/exchange', {
      code: fragmentOf(await signIn(browser))['code'],
    });
    expect([status, body['code']]).toEqual([401, 'second_factor_required']);
  });
});

test('over https the cookie is one that no other host of the domain can set', async () => {
  const client = { client_id: 'stallhand', client_secret: 'a client secret', issuer: issuer.url };
  const server = await startTestServer(app, {
    PUBLIC_URL: 'https://app.shop.example/stall',
    SIGN_IN_PROVIDERS: JSON.stringify({ acme: client }),
  });
  const response = await fetch(`${server.url}/auth/acme/start`, { redirect: 'manual' });
  await server.close();
  expect(new URL(locationOf(response)).searchParams.get('redirect_uri')).toBe(
    'https://app.shop.example/stall/auth/acme/callback',
  );
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^__Host-stallhand_visit=[\w-]{43}; Max-Age=600; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/,
    ),
  ]);
});

describe('a sign-in that somebody tampered with', () => {
  test.each(['state', 'code'])('is refused: another %s', async (field) => {
    issuer.person = person('tampered');
    const browser = newBrowser(app.url);
    const back = await visit(browser, '/auth/acme/start');
    back.searchParams.set(field, 'A'.repeat(43));
    expect(fragmentOf(await browser.open(back.href))).toEqual(failed);
    expect(await usersAt('tampered@shop.example')).toEqual([]);
  });

  test.each([
    ['another nonce', { nonce: 'another' }],
    ['no nonce', { nonce: undefined }],
    ['another audience', { aud: 'another client' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['a token that has ended', { exp: 1 }],
  ])('is refused: %s in the ID token', async (_what, forged) => {
    Object.assign(issuer, { person: person('forged'), forged });
    expect(fragmentOf(await signIn(newBrowser(app.url)))).toEqual(failed);
    expect(await usersAt('forged@shop.example')).toEqual([]);
  });

  test('is refused: the code of another visit, since PKCE binds a code to its visit', async () => {
    issuer.person = person('injected');
    const stolen = await visit(newBrowser(app.url), '/auth/acme/start');
    const browser = newBrowser(app.url);
    const back = await visit(browser, '/auth/acme/start');
    back.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    expect(fragmentOf(await browser.open(back.href))).toEqual(failed);
  });

  test('is refused: an answer that arrives twice', async () => {
    issuer.person = person('twice');
    const browser = newBrowser(app.url);
    const back = await visit(browser, '/auth/acme/start');
    const jar = new Map(browser.jar);
    expect(fragmentOf(await browser.open(back.href))).toHaveProperty('code');
    for (const [name, value] of jar) browser.jar.set(name, value);
    expect(fragmentOf(await browser.open(back.href))).toEqual(failed);
  });

  test('is refused: a visit to one issuer that comes back from another', async () => {
    Object.assign(issuer, { person: person('mixed') });
    Object.assign(other, { person: person('mixed') });
    const browser = newBrowser(app.url);
    const back = await visit(browser, '/auth/acme/start');
    const elsewhere = await fetch(new URL(back.href.replace('/acme/', '/other/')), {
      redirect: 'manual',
      headers: { cookie: [...browser.jar].map((pair) => pair.join('=')).join('; ') },
    });
    expect(fragmentOf(elsewhere)).toEqual(failed);
  });

  test('is refused: a link to the answer of the attacker’s own visit, in the browser of somebody else', async () => {
    issuer.person = person('attacker');
    const back = await visit(newBrowser(app.url), '/auth/acme/start');
    const victim = newBrowser(app.url);
    expect(fragmentOf(await victim.open(back.href))).toEqual(failed);
    // Nor after a visit of the victim's own.
    await victim.open('/auth/acme/start');
    expect(fragmentOf(await victim.open(back.href))).toEqual(failed);
  });

  test('is refused: a link to /login with the attacker’s code, and the code used twice', async () => {
    issuer.person = person('attacker');
    const attacker = newBrowser(app.url);
    const response = await signIn(attacker);
    expect(response.headers.getSetCookie().at(-1)).toMatch(
      /^stallhand_exchange=[\w-]{43}; Max-Age=30; Path=\/; .*HttpOnly; SameSite=Strict$/,
    );
    const { code } = fragmentOf(response);
    const victim = newBrowser(app.url);
    expect((await victim.post('/auth/exchange', { code })).status).toBe(401);
    expect((await attacker.post('/auth/exchange', { code })).status).toBe(401);
    const { code: another } = fragmentOf(await signIn(attacker));
    const jar = new Map(attacker.jar);
    expect((await attacker.post('/auth/exchange', { code: another })).status).toBe(200);
    for (const [name, value] of jar) attacker.jar.set(name, value);
    const replayed = await attacker.post('/auth/exchange', { code: another });
    expect([replayed.status, replayed.body['code']]).toEqual([401, 'unauthenticated']);
  });

  test('is refused: a cookie that is there twice', async () => {
    issuer.person = person('double');
    const browser = newBrowser(app.url);
    const back = await visit(browser, '/auth/acme/start');
    const [pair] = [...browser.jar].map(([name, value]) => `${name}=${value}`);
    const response = await fetch(back, {
      redirect: 'manual',
      headers: { cookie: `stallhand_visit=planted; ${pair}` },
    });
    expect(fragmentOf(response)).toEqual(failed);
  });

  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    '/.//evil.example/',
    '/a/..//evil.example/',
    'javascript:alert(1)',
    'templates',
  ])('is refused: a return to %j', async (path) => {
    const { status, body } = await rest('GET', `/auth/acme/start?return_to=${encodeURIComponent(path)}`);
    expect([status, body['code']]).toEqual([422, 'validation_failed']);
  });

  test('is told apart from one that the person canceled, and from an issuer that is down', async () => {
    issuer.person = undefined;
    expect(fragmentOf(await signIn(newBrowser(app.url)))).toEqual({ error: 'access_denied' });
    issuer.person = person('late');
    const browser = newBrowser(app.url);
    const back = await visit(browser, '/auth/acme/start');
    issuer.mood = 'down';
    expect(fragmentOf(await browser.open(back.href))).toEqual({ error: 'provider_unavailable' });
  });

  test('is refused: a token signed with a key that the issuer does not publish', async () => {
    other.person = person('unsigned');
    expect(fragmentOf(await signIn(newBrowser(app.url), 'other'))).toHaveProperty('code');
    other.person = person('forger');
    await other.rotateInSecret();
    expect(fragmentOf(await signIn(newBrowser(app.url), 'other'))).toEqual(failed);
    expect(await usersAt('forger@shop.example')).toEqual([]);
  });

  test('an issuer that is not configured is not found', async () => {
    for (const path of ['/auth/evil/start', '/auth/evil/callback?code=1&state=2']) {
      const { status, body } = await rest('GET', path);
      expect([status, body['code']]).toEqual([404, 'not_found']);
    }
  });
});

describe('an address that a user has already', () => {
  test('never signs a person in as that user; after signing in, the person may link the issuer', async () => {
    const user = await newUser('linker');
    issuer.person = person('linker');
    const stranger = newBrowser(app.url);
    expect(fragmentOf(await signIn(stranger))).toEqual({ error: 'account_exists' });
    expect(await usersAt(user.email)).toHaveLength(1);

    const browser = newBrowser(app.url);
    const started = await browser.post('/auth/acme/link', { return_to: '/account' }, user.token);
    expect(started.status).toBe(200);
    const back = await answerOf(browser, String(started.body['url']));
    expect(fragmentOf(await browser.open(back.href))).toEqual({ linked: 'acme', return_to: '/account' });

    const { body } = await browser.post('/auth/exchange', {
      code: fragmentOf(await signIn(browser))['code'],
    });
    expect(body['user']).toMatchObject({ id: user.id, email: user.email });
    const events = await app.database.sql`
      select action, target from audit_events where actor = ${user.email} order by seq`;
    expect(events).toEqual([{ action: 'identity.linked', target: 'acme' }]);

    const headers = { authorization: `Bearer ${user.token}` };
    expect((await rest('DELETE', '/auth/acme/link', { headers })).body).toEqual({ unlinked: true });
    expect(fragmentOf(await signIn(newBrowser(app.url)))).toEqual({ error: 'account_exists' });
    expect((await rest('DELETE', '/auth/acme/link', { headers })).status).toBe(404);
  });

  test('is not linked by a person whose own address is unverified, without a fresh session, or by a key', async () => {
    const { body } = await rest('POST', '/auth/register', {
      body: { email: 'squatter@shop.example', password: 'correct horse battery' },
    });
    const squatter = await newBrowser(app.url).post('/auth/acme/link', {}, String(body['token']));
    expect([squatter.status, squatter.body['code']]).toEqual([403, 'forbidden']);

    const user = await newUser('stale');
    await app.database.sql`
      update sessions set authenticated_at = now() - interval '11 minutes' where user_id = ${user.id}`;
    app.sessions.invalidate();
    const stale = await newBrowser(app.url).post('/auth/acme/link', {}, user.token);
    expect([stale.status, stale.body['code']]).toEqual([403, 'reauthentication_required']);
    expect((await newBrowser(app.url).post('/auth/acme/link', {})).status).toBe(401);
  });

  test('is not linked with an address the issuer has not verified, nor with somebody else’s identity', async () => {
    const user = await newUser('careful');
    const link = async () => {
      const browser = newBrowser(app.url);
      const { body } = await browser.post('/auth/acme/link', {}, user.token);
      return fragmentOf(await browser.open((await answerOf(browser, String(body['url']))).href));
    };
    issuer.person = person('careful', { email_verified: false });
    expect(await link()).toEqual({ error: 'email_unverified' });
    issuer.person = person('taken');
    await signIn(newBrowser(app.url));
    expect(await link()).toEqual({ error: 'identity_taken' });
  });
});

test('a sign-in that fails ends at /login, also after one for a program that was given up', async () => {
  const browser = newBrowser(app.url);
  await browser.open('/auth/acme/start?return_to=/oauth/sign-in/abc');
  issuer.person = undefined;
  const page = await visit(browser, '/auth/acme/start?return_to=/oauth/sign-in/abc');
  expect(locationOf(await browser.open(page.href))).toMatch(/^\/oauth\/sign-in\/abc\?error=/);
  await browser.open('/auth/acme/start?return_to=/oauth/sign-in/abc');
  const denied = await visit(browser, '/auth/acme/start');
  expect(fragmentOf(await browser.open(denied.href))).toEqual({ error: 'access_denied' });
});
