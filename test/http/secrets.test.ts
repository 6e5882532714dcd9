import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compose } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { BREAD, hooksAnswer } from '../hooks/hooks-answer.ts';
import { type MailServer, startMailServer } from '../peers/mail-server.ts';
import { type ModelServer, startModelServer } from '../peers/model-server.ts';
import { type OidcIssuer, startOidcIssuer } from '../peers/oidc-issuer.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { givePlan } from '../support/plans.ts';
import { type Answer, newKey, startTestServer, useRest } from '../support/server.ts';

let database: TestDatabase;
let mail: MailServer;
let models: ModelServer;
let issuer: OidcIssuer;

beforeAll(async () => {
  database = await openTestDatabase();
  mail = await startMailServer();
  models = await startModelServer();
  issuer = await startOidcIssuer();
});
afterAll(async () => {
  await Promise.all([mail.close(), models.close(), issuer.close()]);
  await database.close();
});

const ENCRYPTION_KEY = 'the-secret-of-this-server-kept-by-its-operator';
const SERVER_KEY = 'sk-server-key-of-the-operator';
const STRIPE_KEY = 'sk_test_key_of_the_shop';
const WEBHOOK_SECRET = 'whsec_of_the_shop';
const email = 'ana@shop.example';

/** Every secret used, by its description; and, in `refusals`, every error response. */
const secrets = new Map<string, string>();
const refusals: Answer[] = [];
let written = '';

const log = pino(
  { level: 'debug' },
  new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  }),
);

function secret(name: string, value: unknown): string {
  expect(value, name).toEqual(expect.any(String));
  secrets.set(name, String(value));
  return String(value);
}

/** The whole product over the one database, and a client of it that remembers what it was refused. */
async function openProduct(env: Record<string, string>) {
  // The database is closed at the end, for both.
  const shared = { ...database, close: async () => {} };
  const app = await compose(shared, readConfig({ ENCRYPTION_KEY, ...env }), log);
  const server = await startTestServer(app, { ENCRYPTION_KEY, ...env }, { log });
  return {
    app,
    close: () => server.close(),
    as:
      (token?: string) =>
      async (method: string, path: string, body?: unknown, headers = {}) => {
        const answer = await useRest(server.url, token)(method, path, {
          headers,
          ...(body !== undefined && { body }),
        });
        if (answer.status >= 400) refusals.push(answer);
        return answer;
      },
  };
}

type Product = Awaited<ReturnType<typeof openProduct>>;
type Ask = ReturnType<Product['as']>;

test('no secret is found in a log line, an error answer or a table, whatever is done with it', async () => {
  secret('encryption key', ENCRYPTION_KEY);
  secret('AI key of the server', SERVER_KEY);
  secret('Stripe key', STRIPE_KEY);
  secret('webhook secret', WEBHOOK_SECRET);
  secret('password of the mail server', 'mail-password');
  const here = await openProduct({
    SMTP_URL: mail.url,
    MAIL_FROM: 'Shop <no-reply@shop.example>',
    OPENAI_API_KEY: SERVER_KEY,
    OPENAI_BASE_URL: `${models.url}/v1`,
    AI_OWN_KEYS_TO_BASE_URL: 'true',
    STRIPE_SECRET_KEY: STRIPE_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_BASE_URL: 'http://127.0.0.1:9',
    RATE_LIMITS: '{"sign_in":{"perSecond":1000,"burst":1000}}',
  });
  const token = await signInEveryWay(here.as());
  await useKeys(here, token);
  await bringOwnKey(here.as(token));
  await sendNonsense(here.as());
  await here.close();
  const there = await openProduct({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: issuer.audience });
  await presentTokens(there.as);
  await there.close();

  expect(written).toContain('generate_hooks');
  expect(refusals.length).toBeGreaterThan(15);
  const places = {
    log: written,
    answers: JSON.stringify(refusals.map(({ body, headers }) => [body, [...headers]])),
    ...(await tables()),
  };
  expect(places).toMatchObject({ 'public.users': expect.stringContaining(email) });
  expect(Object.keys(places).length).toBeGreaterThan(20);
  const found = [...secrets].flatMap(([name, value]) =>
    Object.entries(places).flatMap(([place, text]) => (holds(text, value) ? [`${name} in ${place}`] : [])),
  );
  expect(found).toEqual([]);
  await here.app.close();
  await there.app.close();
});

/** Registering, a wrong password, a code with a new password, refreshing; the session at the end. */
async function signInEveryWay(ask: Ask): Promise<string> {
  const password = secret('first password', 'first horse battery');
  const first = await ask('POST', '/auth/register', { email, name: 'Ana', password });
  secret('first session', first.body['token']);
  await ask('POST', '/auth/login', { email, password: secret('wrong password', 'wrong horse battery') });
  await ask('POST', '/auth/register', { email, password: secret('short one', 'shorty') });
  await ask('POST', '/auth/login', { email });
  const code = secret('code', mail.lastCode(email));
  const wrong = secret('wrong code', code === '918273' ? '918274' : '918273');
  await ask('POST', '/auth/login', { email, code: wrong });
  const chosen = secret('second password', 'second horse battery');
  const second = await ask('POST', '/auth/login', { email, code, password: chosen });
  const session = secret('second session', second.body['token']);
  await ask('POST', '/auth/login', { email, code });
  const refresh = await ask('POST', '/auth/refresh', {}, { authorization: `Bearer ${session}` });
  await ask('GET', '/auth/me', undefined, { authorization: `Bearer ${session}` });
  return secret('third session', refresh.body['token']);
}

async function useKeys({ app, as }: Product, session: string): Promise<void> {
  const { body: me } = await as(session)('GET', '/auth/me');
  await givePlan(app, String(me['account_id']), 'enterprise');
  const operators = secret('key of the operator', (await newKey(app)).key);
  const repeated = { 'idempotency-key': 'once' };
  const made = await as(session)('POST', '/api/v1/api-keys', { name: 'shop' }, repeated);
  const key = secret('key of a person', made.body['key']);
  await as(key)('POST', '/v1/render', { template: 'welcome', data: { name: 'Ana' } });
  await as(key)('POST', '/v1/render', '{');
  await as(key)('GET', '/v1/templates/nobody');
  await as(`${key}x`)('GET', '/v1/templates');
  await as()('GET', '/v1/templates', undefined, { authorization: `Basic ${operators}` });
  const rotated = await as(session)(
    'POST',
    `/api/v1/api-keys/${made.body['id']}/rotate`,
    {},
    {
      'idempotency-key': 'twice',
    },
  );
  secret('rotated key', rotated.body['key']);
  await as(key)('GET', '/v1/templates');
}

/** A caller's own key at the AI provider: used, refused there, and sent along with faults. */
async function bringOwnKey(ask: Ask): Promise<void> {
  const api_key = secret('own AI key', 'sk-own-key-of-ana-5f3a');
  const asked = { topic: 'sourdough', count: 3, language: 'en', provider: 'provider_a', api_key };
  const [one, two, three] = BREAD;
  models.script(hooksAnswer(one, two, three));
  const good = await ask('POST', '/api/v1/generate', asked, { 'idempotency-key': 'hooks' });
  expect(good.status).toBe(200);
  models.script({ fails: 401, message: `Incorrect API key provided: ${api_key}` });
  expect((await ask('POST', '/api/v1/generate', asked)).body).toMatchObject({
    code: 'provider_key_rejected',
  });
  await ask('POST', '/api/v1/generate', { ...asked, count: 4 });
  await ask('POST', '/api/v1/generate', { ...asked, provider: api_key });
}

/** Secrets in places where none is expected, by those who made a mistake. */
async function sendNonsense(ask: Ask): Promise<void> {
  const password = secret('password in a broken body', 'broken horse');
  await ask('POST', '/auth/login', `{"email":"${email}","password":"${password}"`);
  await ask('POST', '/auth/login', `{"email":"${email}","password":"${password}",}`);
  await ask('GET', `/v1/files/file_1?token=${secret('token of a link', 'tok-of-a-link-91b2c3d4')}`);
  const signature = secret(
    'signature',
    'v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  );
  await ask('POST', '/webhooks/stripe', { id: 'evt_1' }, { 'stripe-signature': `t=1,${signature}` });
}

async function presentTokens(as: Product['as']): Promise<void> {
  const claims = { sub: 'user_1', email: 'eva@shop.example', email_verified: true };
  const good = secret('token', await issuer.sign(claims));
  expect((await as(good)('GET', '/auth/me')).status).toBe(200);
  const past = Math.floor(Date.now() / 1000) - 60;
  await as(secret('expired token', await issuer.sign({ ...claims, exp: past })))('GET', '/auth/me');
  await as(secret('foreign token', await issuer.sign({ ...claims, aud: 'other' })))('GET', '/auth/me');
  await as(good)('POST', '/auth/login', { email, password: secrets.get('second password') });
}

/** Every table there is, as text with all of its columns. */
async function tables(): Promise<Record<string, string>> {
  const { sql } = database;
  const rows = await sql<{ schema: string; name: string }[]>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`;
  const texts: Record<string, string> = {};
  for (const { schema, name } of rows) {
    const [row] = await sql`select string_agg(t::text, ' ') as text from ${sql(schema)}.${sql(name)} t`;
    texts[`${schema}.${name}`] = String(row?.['text'] ?? '');
  }
  return texts;
}

/** As it is or as other bytes are written; six digits only where they are not part of something longer. */
function holds(text: string, value: string): boolean {
  if (/^\d{6}$/.test(value)) return new RegExp(`(?<![\\w.-])${value}(?![\\w-])`).test(text);
  const bytes = Buffer.from(value);
  // The beginning of a key is its name, its end is shown.
  const telling = value.startsWith('sh_live_') ? value.slice(16, -8) : value;
  return [telling, bytes.toString('hex'), bytes.toString('base64')].some((form) => text.includes(form));
}
