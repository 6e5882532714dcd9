import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ModelApp, openModelApp } from '../../support/model-app.ts';
import { newBareKey, startTestServer, type TestServer, useRest } from '../../support/server.ts';
import { BREAD, hooksAnswer } from '../hooks-answer.ts';

const OWN = 'sk-own-secret-of-the-caller-8f2d1c';
const lines: string[] = [];
const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });

let hooks: ModelApp;
let server: TestServer;
let account: { accountId: string; key: string };

beforeAll(async () => {
  hooks = await openModelApp({ ANTHROPIC_API_KEY: '' });
  server = await startTestServer(hooks.app, {}, { log });
});
beforeEach(async () => {
  account = await newBareKey(hooks.app);
});
afterAll(async () => {
  await server.close();
  await hooks.close();
});

const [one, two, three] = BREAD;
const generate = (more: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  useRest(server.url, account.key)('POST', '/api/v1/generate', {
    body: { topic: 'sourdough', count: 3, language: 'en', ...more },
    headers,
  });

test('a key of one’s own is the one the provider sees, and costs no units', async () => {
  hooks.server.script(hooksAnswer(one, two, three));
  const answer = await generate({ provider: 'provider_a', api_key: OWN });
  expect(answer).toMatchObject({ status: 200, body: { count: 3, quota: { hooks_used: 0 } } });
  expect(hooks.server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${OWN}`);
});

test('without a key of either, the answer says so in the caller’s language', async () => {
  const spanish = await generate({ provider: 'provider_b' }, { 'accept-language': 'es' });
  expect(spanish).toMatchObject({
    status: 422,
    body: { code: 'api_key_required', message: expect.stringMatching(/^API key requerida/) },
  });
  expect(await generate({ provider: 'anthropic', api_key: '' })).toMatchObject({
    status: 422,
    body: { code: 'api_key_required', detail: expect.stringContaining('ANTHROPIC_API_KEY') },
  });
  hooks.server.script(hooksAnswer(one, two, three));
  expect((await generate({ provider: 'provider_b', api_key: OWN })).status).toBe(200);
});

test.each([
  [
    'refuses it',
    { fails: 401, message: `Incorrect API key provided: ${OWN}`, code: OWN },
    'rejected the api_key',
  ],
  ['wants money', { fails: 402, message: `No credit for ${OWN}` }, 'has no credit'],
])('when the provider %s, the caller has to correct it', async (_what, failure, said) => {
  hooks.server.script(failure);
  const answer = await generate({ provider: 'provider_a', api_key: OWN });
  expect(answer).toMatchObject({ status: 422, body: { code: 'provider_key_rejected' } });
  expect(answer.body['detail']).toContain(said);
  expect(JSON.stringify(answer.body)).not.toContain(OWN);
  expect((await hooks.app.quota.usage(account.accountId)).hooks_used).toBe(0);
});

test.each(['sk-ñ€key', 'a\nb'])(
  'a key that no provider has given out is refused without a question: %j',
  async (api_key) => {
    const asked = hooks.server.requests.length;
    const answer = await generate({ provider: 'provider_a', api_key });
    expect(answer).toMatchObject({ status: 422, body: { code: 'provider_key_rejected' } });
    expect(hooks.server.requests.length).toBe(asked);
    expect((await hooks.app.quota.usage(account.accountId)).hooks_used).toBe(0);
  },
);

test('failures under a key of one’s own do not keep others from the provider', async () => {
  const down = { fails: 500, headers: { 'retry-after-ms': '1' } };
  for (let tries = 0; tries < 3; tries++) {
    hooks.server.script(down, down);
    expect((await generate({ provider: 'provider_a', api_key: OWN })).status).toBe(502);
  }
  hooks.server.script(hooksAnswer(one, two, three));
  expect((await generate({ provider: 'provider_a' })).status).toBe(200);
});

test('it is kept nowhere: not in the log, not in any table, also under an idempotency key', async () => {
  hooks.server.script(hooksAnswer(one, two, three), { fails: 401, message: OWN });
  const once = { 'idempotency-key': 'once' };
  expect((await generate({ provider: 'provider_a', api_key: OWN }, once)).status).toBe(200);
  expect((await generate({ provider: 'provider_a', api_key: OWN })).status).toBe(422);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join('\n')).not.toContain(OWN);
  const { sql } = hooks.app.database;
  const tables = await sql`select tablename from pg_tables where schemaname = 'public'`;
  expect(tables.length).toBeGreaterThan(20);
  for (const { tablename } of tables) {
    const rows = await sql`select to_jsonb(one)::text as row from ${sql(tablename)} as one`;
    expect(rows.filter(({ row }) => row.includes(OWN))).toEqual([]);
  }
});

test('the operator may count hooks written with it as any', async () => {
  const counted = await openModelApp({ HOOKS_BYOK_FREE: 'false' });
  const other = await startTestServer(counted.app);
  const { key, accountId } = await newBareKey(counted.app);
  counted.server.script(hooksAnswer(one, two, three), hooksAnswer(one, two, three));
  for (const more of [{ api_key: OWN }, { avoid_history: false }]) {
    const body = { topic: 'sourdough', count: 3, language: 'en', provider: 'provider_a', ...more };
    expect((await useRest(other.url, key)('POST', '/api/v1/generate', { body })).status).toBe(200);
  }
  expect((await counted.app.quota.usage(accountId)).hooks_used).toBe(6);
  await other.close();
  await counted.close();
});
