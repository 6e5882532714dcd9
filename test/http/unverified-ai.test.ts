import { afterAll, beforeAll, expect, test } from 'vitest';
import { BREAD, hooksAnswer } from '../hooks/hooks-answer.ts';
import { type ModelApp, openModelApp } from '../support/model-app.ts';
import { givePlan } from '../support/plans.ts';
import { startTestServer, type TestServer, useRest } from '../support/server.ts';

let model: ModelApp;
let server: TestServer;

beforeAll(async () => {
  model = await openModelApp();
  server = await startTestServer(model.app);
});
afterAll(async () => {
  await server.close();
  await model.close();
});

const [one, two, three] = BREAD;
const hooks = { topic: 'sourdough', count: 3, language: 'en' };

async function newPerson(email: string) {
  const body = { email, password: 'correct horse battery' };
  const { body: answer } = await useRest(server.url)('POST', '/auth/register', { body });
  return useRest(server.url, String(answer['token']));
}

const verify = (email: string) =>
  model.app.database.sql`update users set email_verified = true where email = ${email}`;

test('an address that was only typed in does not open the server’s key, on any route; its own key and patterns work', async () => {
  const rest = await newPerson('typed@shop.example');
  const routes = [
    ['/api/v1/generate', hooks],
    ['/v1/generate', { prompt: 'Welcome.' }],
    ['/v1/templates/welcome/edit', { instruction: 'Greet.' }],
  ] as const;
  for (const [path, body] of routes) {
    expect(await rest('POST', path, { body, headers: { 'accept-language': 'es' } })).toMatchObject({
      status: 403,
      body: { code: 'forbidden', detail: expect.stringMatching(/^Verifica tu correo .*POST \/auth\/login/) },
    });
  }
  expect(model.server.requests).toHaveLength(0);
  const builtin = await rest('POST', '/api/v1/generate', { body: { ...hooks, provider: 'builtin' } });
  expect(builtin.status).toBe(200);
  model.server.script(hooksAnswer(one, two, three));
  const own = await rest('POST', '/api/v1/generate', {
    body: { ...hooks, provider: 'provider_a', api_key: 'sk-own' },
  });
  expect(own.status).toBe(200);
});

test('once the address is verified the server’s key works', async () => {
  const rest = await newPerson('ana@shop.example');
  await verify('ana@shop.example');
  model.server.script(hooksAnswer(one, two, three));
  expect((await rest('POST', '/api/v1/generate', { body: hooks })).status).toBe(200);
});

test('a key counts as the owners who made it do; a key of the operator works', async () => {
  const rest = await newPerson('keys@shop.example');
  const me = await rest('GET', '/auth/me');
  const accountId = String(me.body['account_id']);
  await givePlan(model.app, accountId, 'enterprise');
  const requireServerKey = async (via: { byPlan?: true }) =>
    model.app.hooks.generator.generate(
      { accountId, actor: 'key', scopes: ['hooks:write'], via: 'api_key', ...via },
      { topic: 'bread', count: 3, avoidHistory: false },
      { signal: new AbortController().signal, reads: 'en' },
    );
  await expect(requireServerKey({ byPlan: true })).rejects.toMatchObject({ key: 'forbidden.unverified_ai' });
  model.server.script(hooksAnswer(one, two, three), hooksAnswer(one, two, three));
  expect((await requireServerKey({})).hooks).toHaveLength(3);
  await verify('keys@shop.example');
  expect((await requireServerKey({ byPlan: true })).hooks).toHaveLength(3);
});

test('an anonymous caller needs no address', async () => {
  model.server.script(hooksAnswer(one, two, three));
  expect((await useRest(server.url)('POST', '/api/v1/generate', { body: hooks })).status).toBe(200);
});
