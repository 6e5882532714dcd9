import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServedApp, type ServedApp } from '../../support/served-app.ts';
import { newKey, useRest } from '../../support/server.ts';

let app: ServedApp;
let key: string;

beforeAll(async () => {
  app = await openServedApp();
  ({ key } = await newKey(app));
});
afterAll(() => app.close());

const generate = { path: '/v1/generate', body: { prompt: 'Welcome a new customer.' } };
const edit = { path: '/v1/templates/welcome/edit', body: { instruction: 'Be warmer' } };

test.each([
  ['en', generate, {}, 'No AI provider is configured on this server.'],
  ['es', generate, {}, 'Este servidor no tiene configurado ningún proveedor de IA.'],
  ['en', generate, { provider: 'provider_b' }, 'Anthropic is not configured on this server.'],
  ['en', edit, {}, 'No AI provider is configured on this server.'],
])(
  'in %s, without a key, the setting that is missing is named',
  async (language, { path, body }, more, said) => {
    const answer = await useRest(app.url, key)('POST', path, {
      body: { ...body, ...more },
      headers: { 'accept-language': language },
    });
    expect(answer).toMatchObject({
      status: 503,
      body: { code: 'not_configured', detail: expect.stringContaining('ANTHROPIC_API_KEY') },
    });
    expect(answer.body['detail']).toContain(said);
  },
);

test.each([
  [{}, 'prompt'],
  [{ prompt: ' ' }, 'prompt'],
  [{ prompt: 'x'.repeat(4001) }, 'prompt'],
  [{ prompt: 'x', brand: { logo_url: 'http://example.com/logo.png' } }, 'brand.logo_url'],
  [{ prompt: 'x', brand: { colors: ['red'] } }, 'brand.colors.0'],
  [{ prompt: 'x', language: 'not a language' }, 'language'],
  [{ prompt: 'x', variables: [{ name: '{{x}}' }] }, 'variables.0.name'],
])('%j is refused at %s before anyone is asked', async (body, place) => {
  const answer = await useRest(app.url, key)('POST', '/v1/generate', { body });
  expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
  expect(answer.body['errors']).toMatchObject([
    { loc: ['body', ...place.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))] },
  ]);
});
