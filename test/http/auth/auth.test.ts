import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compose } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import { type MailServer, startMailServer } from '../../peers/mail-server.ts';
import { silentLog } from '../../support/app.ts';
import { openTestDatabase } from '../../support/database.ts';
import { openServedApp, type ServedApp } from '../../support/served-app.ts';
import { type Answer, newBareKey, startTestServer, useRest } from '../../support/server.ts';

/** Tries are counted per address and network as always; the calls of this file are not to be. */
const MANY_CALLS = {
  RATE_LIMITS: '{"sign_in":{"perSecond":1000,"burst":10000},"public":{"perSecond":1000,"burst":10000}}',
};

let mail: MailServer;
let app: ServedApp;
let rest: ReturnType<typeof useRest>;

beforeAll(async () => {
  mail = await startMailServer();
  const settings = { ...MANY_CALLS, SMTP_URL: mail.url, MAIL_FROM: 'Shop <no-reply@shop.example>' };
  app = await openServedApp(settings);
  rest = useRest(app.url);
});
afterAll(async () => {
  await app.close();
  await mail.close();
});

const password = 'correct horse battery';
const post = (path: string, body: unknown, headers = {}) => rest('POST', path, { body, headers });
const bearer = (token: unknown) => ({ authorization: `Bearer ${token}` });

async function newPerson(email: string): Promise<Answer> {
  const answer = await post('/auth/register', { email, password });
  expect(answer.status).toBe(201);
  return answer;
}

/** Every header that could tell two answers apart. */
function visible({ status, headers, body }: Answer) {
  const { request_id: _, ...rest } = body;
  const names = [...headers.keys()].filter((name) => !name.startsWith('ratelimit')).sort();
  return { status, names, body: rest };
}

test('registering answers 201 with token, user and expiry, and nothing keeps it', async () => {
  const { status, headers, body } = await post('/auth/register', {
    email: 'ana@shop.example',
    name: 'Ana',
    password,
  });
  expect(status).toBe(201);
  expect(body).toEqual({
    token: expect.stringMatching(/^ses_[\w-]{43}$/),
    user: {
      id: expect.stringMatching(/^usr_/),
      name: 'Ana',
      email: 'ana@shop.example',
      avatar: null,
      plan: 'free',
      plans: { hooks: 'free', sync: 'free' },
      payment_customer_id: null,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      role: 'owner',
      account_id: expect.stringMatching(/^acc_/),
    },
    expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('set-cookie')).toMatch(
    /^stallhand_device=dev_[\w-]{43}; Max-Age=15552000; Path=\/; Expires=.*; HttpOnly; SameSite=Strict$/,
  );
  const me = await rest('GET', '/auth/me', { headers: bearer(body['token']) });
  expect([me.status, me.body]).toEqual([200, body['user']]);
  const templates = await rest('GET', '/v1/templates', { headers: bearer(body['token']) });
  expect(templates.status).toBe(200);
});

test('every path answers with and without the base', async () => {
  const email = 'base@shop.example';
  expect((await post('/api/v1/auth/register', { email, password })).status).toBe(201);
  const { status, body } = await post('/api/v1/auth/login', { email, password });
  expect(status).toBe(200);
  const headers = bearer(body['token']);
  expect((await rest('GET', '/api/v1/auth/me', { headers })).body).toEqual(body['user']);
  const fresh = await post('/api/v1/auth/refresh', {}, headers);
  expect(fresh.body).toEqual({
    token: expect.stringMatching(/^ses_/),
    user: body['user'],
    expires_at: expect.any(String),
  });
  expect(fresh.body['token']).not.toBe(body['token']);
  expect((await rest('GET', '/auth/me', { headers })).status).toBe(401);
  expect((await post('/api/v1/auth/logout', {}, bearer(fresh.body['token']))).body).toEqual({
    signed_out: true,
  });
  expect((await rest('GET', '/auth/me', { headers: bearer(fresh.body['token']) })).status).toBe(401);
});

test('signing out everywhere ends every session', async () => {
  const { body } = await newPerson('everywhere@shop.example');
  const other = await post('/auth/login', { email: 'everywhere@shop.example', password });
  expect((await post('/auth/logout', { everywhere: true }, bearer(body['token']))).status).toBe(200);
  for (const token of [body['token'], other.body['token']])
    expect((await rest('GET', '/auth/me', { headers: bearer(token) })).status).toBe(401);
});

test('the email alone asks for a code, which comes by mail and signs in', async () => {
  const email = 'code@shop.example';
  const asked = await post('/auth/login', { email });
  expect([asked.status, asked.body]).toEqual([202, { status: 'code_sent' }]);
  const entered = await post('/auth/login', { email, code: mail.lastCode(email) });
  expect([entered.status, entered.body['user']]).toEqual([
    200,
    expect.objectContaining({ email, name: 'code' }),
  ]);
  expect((await post('/auth/login', { email, code: mail.lastCode(email) })).status).toBe(401);
});

test('the mail has the code in its subject and comes in the language asked for', async () => {
  await post('/auth/login', { email: 'english@shop.example' }, { 'accept-language': 'en' });
  await post('/auth/login', { email: 'spanish@shop.example' }, { 'accept-language': 'es-MX,es;q=0.9' });
  const [english, spanish] = mail.mails.slice(-2);
  expect(english).toMatchObject({ from: 'no-reply@shop.example', to: ['english@shop.example'] });
  expect(english?.raw).toMatch(/^Subject: \d{6} is your Stallhand sign-in code\r$/m);
  expect(english?.raw).toMatch(/Content-Type: text\/plain[\s\S]*Content-Type: text\/html/);
  expect(english?.raw).toContain('It works once and expires in 10');
  // A long subject is folded.
  expect(spanish?.raw).toMatch(/^Subject: =\?UTF-8\?Q\?\d{6}_es_tu_c=C3=B3digo_de_acceso_a_Sta\?=/m);
  expect(spanish?.raw).toMatch(/digo de acceso a Stallhand es \d{6}\./);
  expect(spanish?.raw).toContain('Sirve una sola vez y caduca en 10');
});

test('known and unknown addresses are told apart by no status, header or body', async () => {
  await newPerson('known@shop.example');
  const wrong = (email: string) => post('/auth/login', { email, password: 'not the password' });
  const [known, unknown] = [await wrong('known@shop.example'), await wrong('unknown@shop.example')];
  expect(visible(known)).toEqual(visible(unknown));
  expect([known.status, known.body['code'], known.headers.get('www-authenticate')]).toEqual([
    401,
    'unauthenticated',
    expect.stringMatching(/^Bearer realm="stallhand"/),
  ]);
  for (const path of ['/auth/login', '/auth/register']) {
    const [one, other] = [
      await post(path, { email: 'known@shop.example' }),
      await post(path, { email: 'unknown@shop.example' }),
    ];
    expect(visible(one)).toEqual(visible(other));
  }
  const guess = (email: string) => post('/auth/login', { email, code: '000000' });
  expect(visible(await guess('known@shop.example'))).toEqual(visible(await guess('nobody@shop.example')));
});

test('one address in any letter case is one person', async () => {
  await newPerson('case@shop.example');
  const { status, body } = await post('/auth/login', { email: '  CASE@Shop.Example ', password });
  expect([status, body['user']]).toEqual([200, expect.objectContaining({ email: 'case@shop.example' })]);
});

const LONG = 'x'.repeat(10_000);
const BAD: readonly [string, string, unknown, number, string, RegExp][] = [
  ['no email', 'register', { password }, 422, 'validation_failed', /email/],
  ['an address that is none', 'register', { email: 'ana', password }, 422, 'validation_failed', /email/],
  [
    'an address of 10,000 characters',
    'login',
    { email: `${LONG}@shop.example`, password },
    422,
    'validation_failed',
    /email/,
  ],
  [
    'an address that hides a header',
    'login',
    { email: 'ana@shop.example\r\nBcc: eva@shop.example' },
    422,
    'validation_failed',
    /email/,
  ],
  [
    'two addresses',
    'login',
    { email: 'ana@shop.example, eva@shop.example' },
    422,
    'validation_failed',
    /email/,
  ],
  [
    'an address of letters that look like others',
    'login',
    { email: '\u212aate@shop.example' },
    422,
    'validation_failed',
    /email/,
  ],
  ['a full-width address', 'login', { email: 'ana\uff20shop.example' }, 422, 'validation_failed', /email/],
  ['an email that is a list', 'login', { email: ['ana@shop.example'] }, 422, 'validation_failed', /email/],
  ['a NUL', 'login', { email: 'ana@shop.example', password: 'a\0b' }, 422, 'validation_failed', /NUL/],
  [
    'half a character',
    'login',
    { email: 'ana@shop.example', password: '\ud800' },
    422,
    'validation_failed',
    /NUL/,
  ],
  [
    'a password of nine characters',
    'register',
    { email: 'a@shop.example', password: 'Nine9char' },
    422,
    'validation_failed',
    /10 to 200/,
  ],
  [
    'a password of nine emoji',
    'register',
    { email: 'a@shop.example', password: '\u{1f600}'.repeat(9) },
    422,
    'validation_failed',
    /10 to 200/,
  ],
  [
    'a password of 10,000 characters',
    'login',
    { email: 'a@shop.example', password: LONG },
    422,
    'validation_failed',
    /10 to 200/,
  ],
  [
    'the email as the password',
    'register',
    { email: 'an@shop.example', password: 'AN@shop.example' },
    422,
    'validation_failed',
    /email address/,
  ],
  [
    'a short password beside a code',
    'login',
    { email: 'a@shop.example', code: '123456', password: 'short' },
    422,
    'validation_failed',
    /10 to 200/,
  ],
  [
    'a name of two lines',
    'register',
    { email: 'a@shop.example', name: 'Ana\r\nBcc: x', password },
    422,
    'validation_failed',
    /one line/,
  ],
  [
    'a name of 10,000 characters',
    'register',
    { email: 'a@shop.example', name: LONG, password },
    422,
    'validation_failed',
    /name/,
  ],
  [
    'a code of five digits',
    'login',
    { email: 'a@shop.example', code: '12345' },
    422,
    'validation_failed',
    /six-digit/,
  ],
  [
    'a field nobody knows',
    'register',
    { email: 'a@shop.example', password, role: 'owner' },
    422,
    'validation_failed',
    /role/,
  ],
  ['a body that is a list', 'login', [], 422, 'validation_failed', /./],
  ['a body that is no JSON', 'login', '{', 400, 'invalid_json', /./],
  ['a body over 16 KB', 'login', { email: LONG, password: LONG }, 413, 'too_large', /16384/],
];

test.each(BAD)('%s is refused and says why', async (_what, path, body, status, code, detail) => {
  const answer = await post(`/auth/${path}`, body);
  expect([answer.status, answer.body['code']]).toEqual([status, code]);
  expect(answer.body['detail']).toMatch(detail);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(JSON.stringify(answer.body)).not.toContain(password);
});

test('no mail has gone to an address that was not asked for', () => {
  const addresses = mail.mails.flatMap(({ to }) => to);
  expect(addresses).not.toContain('eva@shop.example');
  expect(mail.mails.every(({ to }) => to.length === 1)).toBe(true);
});

test('what needs a session says so to a key, and to an anonymous caller', async () => {
  const { key, accountId } = await newBareKey(app);
  for (const path of ['/auth/logout', '/auth/refresh']) {
    expect((await post(path, {}, bearer(key))).body).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect((await post(path, {})).status).toBe(401);
  }
  expect((await rest('GET', '/auth/me')).status).toBe(401);
  const me = await rest('GET', '/auth/me', { headers: bearer(key) });
  expect(me.body).toMatchObject({ id: accountId, email: null, account_id: accountId });
});

test('a person names another account of theirs in a header; one they are not in is not found', async () => {
  const { body } = await newPerson('member@shop.example');
  const me = body['user'] as { id: string };
  const team = await app.accounts.create('team');
  await app.database
    .sql`insert into memberships (account_id, user_id, role) values (${team.id}, ${me.id}, 'member')`;
  const ask = (account: string) =>
    rest('GET', '/auth/me', { headers: { ...bearer(body['token']), 'stallhand-account': account } });
  expect((await ask(team.id)).body).toMatchObject({ id: me.id, account_id: team.id, role: 'member' });
  expect((await ask('acc_nobody')).body).toMatchObject({ status: 404, code: 'not_found' });
});

test('too many wrong passwords answer 429 and when to come again', async () => {
  const guess = () => post('/auth/login', { email: 'shut@shop.example', password: 'wrong password' });
  for (let i = 0; i < 5; i++) expect((await guess()).status).toBe(401);
  const { status, body, headers } = await guess();
  expect([status, body['code']]).toEqual([429, 'rate_limited']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
});

test('a session is proved again, listed and ended over HTTP, at both paths', async () => {
  const { body } = await newPerson('own@shop.example');
  const headers = bearer(body['token']);
  const fresh = await post('/auth/reauthenticate', { password }, headers);
  expect([fresh.status, fresh.body]).toEqual([200, { fresh_until: expect.stringMatching(/Z$/) }]);
  const asked = await post('/api/v1/auth/reauthenticate', {}, headers);
  expect([asked.status, asked.body]).toEqual([202, { status: 'code_sent' }]);
  expect((await post('/auth/reauthenticate', { password, code: '123456' }, headers)).status).toBe(422);
  const listed = await rest('GET', '/auth/sessions', { headers });
  expect(listed.body).toMatchObject({ items: [{ current: true, address: '127.0.0.1' }] });
  const changed = await rest('PUT', '/api/v1/auth/password', {
    body: { password: 'another fine day' },
    headers,
  });
  expect([changed.status, changed.body]).toEqual([200, { changed: true }]);
  const weak = await rest('PUT', '/auth/password', { body: { password: 'Password123' }, headers });
  expect([weak.status, weak.body['code']]).toEqual([422, 'validation_failed']);
  expect((await post('/auth/email', { email: 'new-own@shop.example' }, headers)).status).toBe(202);
  const entry = { email: 'new-own@shop.example', code: mail.lastCode('new-own@shop.example') };
  expect((await post('/auth/email', entry, headers)).body).toMatchObject({ email: 'new-own@shop.example' });
  const [session] = listed.body['items'] as { id: string }[];
  const ended = await rest('DELETE', `/api/v1/auth/sessions/${session?.id}`, { headers });
  expect([ended.status, ended.body]).toEqual([200, { signed_out: true }]);
  expect((await rest('GET', '/auth/sessions', { headers })).status).toBe(401);
});

test('where an identity provider signs people in, there is no password', async () => {
  const oidc = await startTestServer(app, { OIDC_ISSUER: 'https://login.example', OIDC_AUDIENCE: 'shop' });
  for (const path of ['/auth/login', '/api/v1/auth/register']) {
    const { status, body } = await useRest(oidc.url)('POST', path, {
      body: { email: 'ana@shop.example', password },
    });
    expect([status, body['code']]).toEqual([404, 'not_found']);
    expect(body['detail']).toContain('https://login.example');
  }
  await oidc.close();
});

test('without SMTP the log shows codes on a loopback address, and elsewhere there are none', async () => {
  const database = await openTestDatabase();
  let written = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  });
  const visit = { address: '192.0.2.7', locale: 'en' } as const;
  const email = 'ana@shop.example';
  const here = await compose(database, readConfig(), pino(stream));
  expect(await here.signIn.sendCode(email, visit)).toEqual({ state: 'code_sent' });
  const [, code = ''] = /"subject":"(\d{6}) /.exec(written) ?? [];
  expect(await here.signIn.byCode({ email, code }, visit)).toMatchObject({ state: 'signed_in' });
  const elsewhere = await compose(database, readConfig({ HOST: '0.0.0.0' }), silentLog);
  await expect(elsewhere.signIn.sendCode(email, visit)).rejects.toMatchObject({
    key: 'not_configured.mail',
    status: 503,
  });
  await here.close();
});

test('a mail server that refuses is our trouble, and says nothing of its password', async () => {
  mail.refuse();
  const { status, body } = await post('/auth/login', { email: 'late@shop.example' });
  expect([status, body['code']]).toEqual([502, 'upstream_failed']);
  expect(JSON.stringify(body)).not.toContain('mail-password');
});
