import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ModelApp, openModelApp } from '../support/model-app.ts';
import { newBareKey, startTestServer, type TestServer, useRest } from '../support/server.ts';
import { BREAD, hooksAnswer } from './hooks-answer.ts';

// Statements of POST /api/v1/generate with a key. With the default rate limits each request has one more.

/** Of a key's first request: authentication (2), its rate limit, the account's state and plan, and which styles worked for it. */
const FIRST_REQUEST = 6;

let hooks: ModelApp;
let server: TestServer;
let key: string;

beforeAll(async () => {
  hooks = await openModelApp();
  server = await startTestServer(hooks.app);
});
beforeEach(async () => {
  ({ key } = await newBareKey(hooks.app));
});
afterAll(async () => {
  await server.close();
  await hooks.close();
});

async function statementsOf(body: Record<string, unknown>, headers: Record<string, string> = {}) {
  hooks.app.queriesSince();
  const options = { body: { topic: 'sourdough', count: 3, language: 'en', ...body }, headers };
  const { status } = await useRest(server.url, key)('POST', '/api/v1/generate', options);
  expect(status).toBe(200);
  return hooks.app.queriesSince();
}

test('patterns take two: the recent hooks, and the stored generation with the balance', async () => {
  expect(await statementsOf({ provider: 'builtin' })).toBe(FIRST_REQUEST + 2);
  expect(await statementsOf({ provider: 'builtin' })).toBe(2);
});

test('a model takes three: one to reserve, one to store and settle, one for the recent hooks', async () => {
  hooks.server.script(hooksAnswer(...BREAD.slice(0, 3)), hooksAnswer(...BREAD.slice(0, 3)));
  expect(await statementsOf({ provider: 'provider_a' })).toBe(FIRST_REQUEST + 3);
  expect(await statementsOf({ provider: 'provider_a', avoid_history: false })).toBe(2);
});

test('an idempotency key adds three: the claim, the earlier generation and the response; a repeat takes two', async () => {
  await statementsOf({ provider: 'builtin' });
  hooks.server.script(hooksAnswer(...BREAD.slice(0, 3)));
  const once = { 'idempotency-key': 'once' };
  expect(await statementsOf({ provider: 'provider_a' }, once)).toBe(6);
  expect(await statementsOf({ provider: 'provider_a' }, once)).toBe(2);
});
