import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../../peers/mail-server.ts';
import { openServedApp, type ServedApp } from '../../support/served-app.ts';
import { type Answer, useRest } from '../../support/server.ts';

const password = 'correct horse battery';
const NOTHING = {
  templates: 0,
  videos: 0,
  video_templates: 0,
  generations: 0,
  brand_voices: 0,
  stores: 0,
  sheets: 0,
  webhooks: 0,
  subscriptions: 0,
};

let mail: MailServer;
let app: ServedApp;
let address: string;
let counter = 0;

beforeAll(async () => {
  mail = await startMailServer();
  app = await openServedApp({
    SMTP_URL: mail.url,
    MAIL_FROM: 'Shop <no-reply@shop.example>',
    SYNC_DEMO: 'true',
    ENCRYPTION_KEY: 'the-secret-of-this-server-kept-by-its-operator',
    RATE_LIMITS: '{"sign_in":{"perSecond":1000,"burst":10000},"public":{"perSecond":1000,"burst":10000}}',
  });
  await app.sync.start();
});
afterAll(async () => {
  await app.close();
  await mail.close();
});
beforeEach(() => {
  address = `ana${counter++}@shop.example`;
});

type Rest = ReturnType<typeof useRest>;

const post = (path: string, body: unknown) => useRest(app.url)('POST', path, { body });
const as = ({ body }: Answer): Rest => useRest(app.url, String(body['token']));
const accountOf = ({ body }: Answer) => (body['user'] as { account_id: string }).account_id;

/** Someone registers an address that is not theirs. */
const squat = () => post('/auth/register', { email: address, name: 'Mallory', password });

/** The owner of the address shows that it is theirs. */
async function signInByCode(): Promise<Answer> {
  await post('/auth/login', { email: address });
  return post('/auth/login', { email: address, code: mail.lastCode(address) });
}

/** What a stranger leaves: a template, and a store and a sheet that sync every hour. */
async function fill(rest: Rest): Promise<{ store: string; config: string }> {
  await rest('POST', '/v1/templates', { body: { name: 'phishing', html: '<p>Pay me</p>' } });
  const store = await rest('POST', '/sync/store', {
    body: { domain: 'demo.myshopify.com', store_access_token: 'x' },
  });
  const sheet = await rest('POST', '/sync/sheet', {
    body: { spreadsheet_id: 'demo', name: 'x', access_token: 'x' },
  });
  const config = await rest('POST', '/sync/config', {
    body: { store_id: store.body['id'], sheet_id: sheet.body['id'], direction: 'two_way' },
  });
  return { store: String(store.body['id']), config: String(config.body['id']) };
}

const runSync = async (rest: Rest, config_id: string) => {
  const { status, body } = await rest('POST', '/sync/run', { body: { config_id } });
  return [status, body['code'] ?? body['status']];
};

test('who verifies an address that someone else had filled is asked what to keep; until then nothing connected is used', async () => {
  const stranger = await squat();
  const { config } = await fill(as(stranger));
  const owner = await signInByCode();
  expect([owner.status, owner.body['takeover']]).toEqual([
    200,
    {
      account: { id: accountOf(stranger), name: 'Mallory' },
      has: { ...NOTHING, templates: 1, stores: 1, sheets: 1 },
    },
  ]);
  expect((await as(stranger)('GET', '/v1/templates')).status).toBe(401);
  const rest = as(owner);
  expect((await rest('GET', '/v1/templates')).status).toBe(200);
  expect((await rest('POST', '/sync/run', { body: { config_id: config } })).body).toMatchObject({
    status: 403,
    code: 'forbidden',
    detail: expect.stringContaining('POST /auth/takeover'),
  });
  const { sql } = app.database;
  await sql`update sync_configs set every_minutes = 60, next_at = now() - interval '1 hour' where id = ${config}`;
  await app.sync.work();
  expect(await sql`select id from sync_runs where config_id = ${config}`).toEqual([]);
  // Asked again at the next sign-in, until there is an answer.
  expect((await signInByCode()).body['takeover']).toBeDefined();
});

test('keep: everything works on', async () => {
  const { config } = await fill(as(await squat()));
  const owner = await signInByCode();
  const rest = as(owner);
  expect((await rest('POST', '/auth/takeover', { body: { keep: true } })).body).toEqual({
    kept: true,
    account_id: accountOf(owner),
  });
  expect(await runSync(rest, config)).toEqual([200, 'succeeded']);
  expect((await signInByCode()).body['takeover']).toBeUndefined();
  expect((await rest('POST', '/auth/takeover', { body: { keep: false } })).body).toMatchObject({
    status: 409,
    code: 'conflict',
  });
});

test('do not keep: the account is gone, and the session goes on in an empty one under the person’s own name', async () => {
  const stranger = await squat();
  await fill(as(stranger));
  const owner = await signInByCode();
  const rest = as(owner);
  const { status, body } = await rest('POST', '/api/v1/auth/takeover', { body: { keep: false } });
  expect([status, body]).toEqual([200, { kept: false, account_id: expect.stringMatching(/^acc_/) }]);
  expect(body['account_id']).not.toBe(accountOf(stranger));
  await expect(app.accounts.get(accountOf(stranger))).rejects.toMatchObject({ code: 'not_found' });
  const me = async () => (await rest('GET', '/auth/me')).body;
  await expect.poll(me).toMatchObject({
    account_id: body['account_id'],
    name: address.split('@')[0],
    role: 'owner',
  });
  const names = JSON.stringify((await rest('GET', '/v1/templates')).body);
  expect(names).toContain('welcome');
  expect(names).not.toContain('phishing');
});

test('deleting takes a fresh session, and no key', async () => {
  await fill(as(await squat()));
  const owner = await signInByCode();
  await app.database.sql`
    update sessions set authenticated_at = now() - interval '11 minutes' where account_id = ${accountOf(owner)}`;
  app.sessions.invalidate();
  expect((await as(owner)('POST', '/auth/takeover', { body: { keep: false } })).body).toMatchObject({
    code: 'reauthentication_required',
  });
  const { key } = await app.keys.create(accountOf(owner), 'k', ['account:admin'], null);
  const byKey = await useRest(app.url, key)('POST', '/auth/takeover', { body: { keep: false } });
  expect(byKey.body).toMatchObject({ code: 'unauthenticated' });
});

test('where there is nothing to keep, no one is asked', async () => {
  await squat();
  const owner = await signInByCode();
  expect(owner.body['takeover']).toBeUndefined();
  expect(
    await app.database.sql`
    select id from active_accounts where id = ${accountOf(owner)}`,
  ).toHaveLength(1);
});
