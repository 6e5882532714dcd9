import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';
import { startTestServer, useRest } from '../support/server.ts';

let app: TestApp;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

async function configOf(env: Record<string, string>, headers: Record<string, string> = {}) {
  const server = await startTestServer(app, env);
  const answer = await useRest(server.url)('GET', '/api/v1/config', { headers });
  await server.close();
  return answer;
}

test('a client learns without a credential how to sign in and what there is', async () => {
  const { status, body } = await configOf({});
  expect(status).toBe(200);
  expect(body).toMatchObject({
    auth: { mode: 'password' },
    providers: expect.arrayContaining([
      {
        id: 'provider_a',
        label: 'OpenAI',
        server_key: false,
        own_key_url: 'https://api.openai.com/v1',
      },
      {
        id: 'provider_b',
        label: 'Anthropic',
        server_key: false,
        own_key_url: 'https://api.anthropic.com',
      },
      { id: 'builtin', label: 'Built-in patterns', server_key: true },
    ]),
    platforms: expect.arrayContaining([{ id: 'x', label: 'X', hard: 280, visible: 80 }]),
    styles: expect.arrayContaining([{ id: 'curiosity', label: 'Curiosity', free: true }]),
    own_key_free: true,
    billing_enabled: false,
    version: '1.2.3',
  });
});

test('the mode says who signs people in', async () => {
  expect((await configOf({ AUTH_MODE: 'open' })).body['auth']).toEqual({ mode: 'open' });
  const oidc = {
    OIDC_ISSUER: 'https://id.example.com',
    OIDC_AUDIENCE: 'stallhand',
    OIDC_PUBLISHABLE_KEY: 'pk_1',
  };
  expect((await configOf(oidc)).body['auth']).toEqual({
    mode: 'oidc',
    issuer: 'https://id.example.com',
    publishable_key: 'pk_1',
  });
});

test('labels follow the language of the client', async () => {
  const { body } = await configOf({}, { 'accept-language': 'es-MX' });
  expect(body['styles']).toContainEqual({ id: 'curiosity', label: 'Curiosidad', free: true });
  expect(body['providers']).toContainEqual({
    id: 'builtin',
    label: 'Patrones integrados',
    server_key: true,
  });
});

test('that a key is set is told, with where own keys go and what they cost; the key never', async () => {
  const { body } = await configOf({
    OPENAI_API_KEY: 'sk-secret-one',
    OPENAI_BASE_URL: 'https://me:secret@gateway.example/v1?key=secret',
    AI_OWN_KEYS_TO_BASE_URL: 'true',
    AI_MODELS: 'gpt-5.6-terra',
    HOOKS_BYOK_FREE: 'false',
    ANTHROPIC_API_KEY: 'sk-secret-two',
    STRIPE_SECRET_KEY: 'sk_test_secret',
    STRIPE_WEBHOOK_SECRET: 'whsec_secret',
  });
  expect(body).toMatchObject({
    providers: expect.arrayContaining([
      {
        id: 'provider_a',
        label: 'OpenAI',
        server_key: true,
        models: ['gpt-5.6-luna', 'gpt-5.6-terra'],
        own_key_url: 'https://gateway.example/v1',
      },
      {
        id: 'provider_b',
        label: 'Anthropic',
        server_key: true,
        models: ['claude-haiku-4-5', 'gpt-5.6-terra'],
        own_key_url: 'https://api.anthropic.com',
      },
    ]),
    own_key_free: false,
    billing_enabled: true,
  });
  expect(JSON.stringify(body)).not.toContain('secret');
});
