import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../../peers/mail-server.ts';
import { openServedApp, type ServedApp } from '../../support/served-app.ts';
import { type Answer, newBareKey, startTestServer, useRest } from '../../support/server.ts';

let mail: MailServer;
let app: ServedApp;
let rest: ReturnType<typeof useRest>;

beforeAll(async () => {
  mail = await startMailServer();
  app = await openServedApp({
    SMTP_URL: mail.url,
    MAIL_FROM: 'Shop <no-reply@shop.example>',
    // An external database has no key file beside it.
    ENCRYPTION_KEY: 'a key of thirty-two characters or more',
  });
  rest = useRest(app.url);
});
afterAll(async () => {
  await app.close();
  await mail.close();
});

const post = (path: string, body: unknown, token?: string) =>
  rest('POST', path, { body, headers: token ? { authorization: `Bearer ${token}` } : {} });
const statusAndCode = ({ status, body }: Answer) => [status, body['code']];

async function newPerson(name: string) {
  const email = `${name}@shop.example`;
  await post('/auth/login', { email });
  const { body } = await post('/auth/login', { email, code: mail.lastCode(email) });
  return { email, token: String(body['token']), user: body['user'] as { id: string } };
}

/** As eleven minutes later. */
async function grow(person: { readonly user: { readonly id: string } }): Promise<void> {
  await app.database.sql`
    update sessions set authenticated_at = now() - interval '11 minutes' where user_id = ${person.user.id}`;
  app.sessions.invalidate();
}

const STEP_UP = [
  ['POST', '/auth/totp/enable', {}],
  ['POST', '/auth/totp/confirm', { code: '123456' }],
  ['POST', '/auth/totp/disable', { code: '123456' }],
  ['POST', '/auth/passkeys/options', { for: 'register' }],
  ['DELETE', '/auth/passkeys/psk_1', undefined],
] as const;

test('a person turns the second factor on, signs in with it, and turns it off', async () => {
  const { email, token, user } = await newPerson('ana');
  const enabled = await post('/auth/totp/enable', {}, token);
  expect([enabled.status, enabled.body]).toEqual([
    200,
    { secret: expect.any(String), uri: expect.stringContaining('otpauth://totp/Stallhand:') },
  ]);
  const authenticator = new TOTP({ secret: String(enabled.body['secret']) });
  const confirmed = await post('/auth/totp/confirm', { code: authenticator.generate() }, token);
  const codes = confirmed.body['recovery_codes'] as string[];
  expect([confirmed.status, codes.length]).toEqual([200, 10]);
  const headers = { authorization: `Bearer ${token}` };
  expect((await rest('GET', '/auth/totp', { headers })).body).toEqual({
    enabled: true,
    recovery_codes_left: 10,
  });

  await post('/auth/login', { email });
  const stopped = await post('/auth/login', { email, code: mail.lastCode(email) });
  expect([stopped.status, stopped.body]).toEqual([
    401,
    {
      type: 'urn:problem:second-factor-required',
      title: 'Second factor required',
      status: 401,
      detail: expect.stringContaining('POST /auth/login'),
      message: expect.any(String),
      code: 'second_factor_required',
      errors: [],
      request_id: expect.any(String),
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      methods: ['totp', 'recovery_code'],
      expires_at: expect.stringMatching(/Z$/),
    },
  ]);
  const { challenge } = stopped.body;
  const wrong = await post('/auth/login', { challenge, recovery_code: 'wrong' });
  expect(statusAndCode(wrong)).toEqual([401, 'unauthenticated']);
  const finished = await post('/api/v1/auth/login', { challenge, recovery_code: codes[0] });
  expect([finished.status, finished.body]).toEqual([
    200,
    { token: expect.stringMatching(/^ses_/), user, expires_at: expect.stringMatching(/Z$/) },
  ]);

  const off = await post('/auth/totp/disable', { recovery_code: codes[1] }, String(finished.body['token']));
  expect([off.status, off.body]).toEqual([200, { enabled: false }]);
  await post('/auth/login', { email });
  expect((await post('/auth/login', { email, code: mail.lastCode(email) })).status).toBe(200);

  const events = await app.database.sql`
    select action from audit_events where actor = ${email} and action like 'totp.%' order by seq`;
  expect(events.map(({ action }) => action)).toEqual(['totp.enabled', 'totp.disabled']);
});

test('a challenge needs exactly one proof', async () => {
  for (const proof of [{}, { totp: '123456', recovery_code: 'x' }, { totp: '12345' }]) {
    const answer = await post('/auth/login', { challenge: 'x', ...proof });
    expect(statusAndCode(answer)).toEqual([422, 'validation_failed']);
  }
});

test.each(STEP_UP)('%s %s needs a sign-in from the last ten minutes', async (method, path, body) => {
  const person = await newPerson(`stale${STEP_UP.findIndex(([, one]) => one === path)}`);
  await grow(person);
  const headers = { authorization: `Bearer ${person.token}` };
  const answer = await rest(method, path, { headers, body });
  expect(statusAndCode(answer)).toEqual([403, 'reauthentication_required']);
});

test.each(STEP_UP)('%s %s is not for API keys or strangers', async (method, path, body) => {
  const { key } = await newBareKey(app);
  const headers = { authorization: `Bearer ${key}` };
  expect(statusAndCode(await rest(method, path, { headers, body }))).toEqual([401, 'unauthenticated']);
  expect(statusAndCode(await rest(method, path, { body }))).toEqual([401, 'unauthenticated']);
});

test('an API key works on as before where its person has a second factor', async () => {
  const { user, token } = await newPerson('keyholder');
  const headers = { authorization: `Bearer ${token}` };
  const { body: me } = await rest('GET', '/auth/me', { headers });
  const { key } = await app.keys.create(String(me['account_id']), 'k', ['templates:read'], null);
  await app.database.sql`
    insert into totp_secrets (user_id, sealed_secret, confirmed_at) values (${user.id}, 'sealed', now())`;
  expect((await useRest(app.url, key)('GET', '/v1/templates')).status).toBe(200);
});

test('what is no passkey gets the same answer as an unknown one', async () => {
  const clientDataJSON = Buffer.from('{"challenge":"x"}').toString('base64url');
  const response = { clientDataJSON, authenticatorData: 'AA', signature: 'AA', userHandle: null };
  const credential = { id: 'AA', rawId: 'AA', type: 'public-key', response };
  const unknown = await post('/auth/passkeys/login', { response: credential });
  expect(statusAndCode(unknown)).toEqual([401, 'unauthenticated']);
  const { body: options } = await post('/auth/passkeys/options', { for: 'login' });
  expect(options).toEqual({
    rpId: 'localhost',
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    timeout: 300_000,
    userVerification: 'required',
  });
  const known = Buffer.from(JSON.stringify({ challenge: options['challenge'] })).toString('base64url');
  const answered = { ...credential, response: { ...response, clientDataJSON: known } };
  expect((await post('/auth/passkeys/login', { response: answered })).body['detail']).toBe(
    unknown.body['detail'],
  );
  const { token } = await newPerson('no-passkey');
  const registration = { ...credential, response: { clientDataJSON: known, attestationObject: 'AA' } };
  const refused = await post('/auth/passkeys/register', { response: registration }, token);
  expect(statusAndCode(refused)).toEqual([422, 'validation_failed']);
});

test('passkeys belong to the site of PUBLIC_URL; a server on the network without one has none', async () => {
  const open = (env: Record<string, string>) => startTestServer(app, env);
  const servers = [
    await open({ PUBLIC_URL: 'https://app.shop.example' }),
    await open({ HOST: '0.0.0.0' }),
    await open({ OIDC_ISSUER: 'https://id.example.com', OIDC_AUDIENCE: 'shop' }),
  ];
  const answers = await Promise.all(
    servers.map(({ url }) => useRest(url)('POST', '/auth/passkeys/options', { body: { for: 'login' } })),
  );
  await Promise.all(servers.map((server) => server.close()));
  expect(answers.map(({ status, body }) => [status, body['rpId'] ?? body['code']])).toEqual([
    [200, 'app.shop.example'],
    [503, 'not_configured'],
    [404, 'not_found'],
  ]);
});
