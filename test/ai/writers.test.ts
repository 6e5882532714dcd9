import { expect, test } from 'vitest';
import { ownKeyTarget, ownKeyUrl } from '../../src/ai/providers.ts';
import { createWriters } from '../../src/ai/writers.ts';
import { readConfig } from '../../src/config.ts';
import { Fault } from '../../src/errors.ts';
import { WRITER_ADAPTERS } from '../../src/providers/writer-adapters.ts';
import { BRIEF } from '../providers/providers.ts';

/** Writers for callers with verified addresses by default, and whose spending has no ceiling. */
const writersOf = (env: Record<string, string>, requireVerified = async () => {}) =>
  createWriters({
    config: readConfig(env),
    adapters: WRITER_ADAPTERS,
    spending: { meter: () => (ask) => ask },
    requireVerified,
  });
const payer = { accountId: 'acc_1', via: 'session' } as const;

test('each provider is chosen by its own name and by the one of the wire', async () => {
  const writers = writersOf({ OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b' });
  const names = ['openai', 'provider_a', 'anthropic', 'provider_b'] as const;
  const chosen = await Promise.all(names.map((provider) => writers.choose({ payer, provider })));
  expect(chosen.map(({ provider }) => provider)).toEqual(['openai', 'openai', 'anthropic', 'anthropic']);
});

test('without a name the first that is set up is chosen', async () => {
  const chosen = async (env: Record<string, string>) => (await writersOf(env).choose({ payer })).provider;
  expect(await chosen({ ANTHROPIC_API_KEY: 'b' })).toBe('anthropic');
  expect(await chosen({ OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b' })).toBe('openai');
});

test('a server of the operator’s own is enough without a key', async () => {
  const writers = writersOf({ OPENAI_BASE_URL: 'http://localhost:11434/v1' });
  expect((await writers.choose({ payer })).provider).toBe('openai');
});

test('what is not set up names the settings', async () => {
  const settings = expect.stringMatching(/^OPENAI_API_KEY \(or OPENAI_BASE_URL\), ANTHROPIC_API_KEY/);
  await expect(writersOf({}).choose({ payer })).rejects.toMatchObject({
    key: 'not_configured.writer',
    params: { settings },
  });
  await expect(
    writersOf({ OPENAI_API_KEY: 'a' }).choose({ payer, provider: 'provider_b' }),
  ).rejects.toMatchObject({
    key: 'not_configured.provider',
    status: 503,
    params: { provider: 'Anthropic', setting: 'ANTHROPIC_API_KEY' },
  });
});

test.each(['sk-ñ€key', 'a\nb', 'two words', ''])(
  'a caller’s key that no header can carry is refused at once: %j',
  async (apiKey) => {
    await expect(writersOf({}).choose({ payer, provider: 'provider_b', apiKey })).rejects.toMatchObject({
      key: 'provider_key_rejected.key',
      status: 422,
      params: { provider: 'Anthropic' },
    });
  },
);

test('with the server’s key only the default model may be asked, and those of AI_MODELS', async () => {
  const env = { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b', OPENAI_MODEL: 'small' };
  const notAllowed = (models: string) => ({
    key: 'model_not_allowed.server_key',
    status: 422,
    params: { model: 'dear', models },
  });
  const { choose } = writersOf(env);
  await choose({ payer, model: 'small' });
  await expect(choose({ payer, model: 'dear' })).rejects.toMatchObject(notAllowed('small'));
  // The default model of one provider is not one of the other.
  await expect(choose({ payer, provider: 'provider_b', model: 'small' })).rejects.toMatchObject({
    code: 'model_not_allowed',
    data: { models: ['claude-haiku-4-5'] },
  });
  const more = writersOf({ ...env, AI_MODELS: 'middle, fast' });
  await more.choose({ payer, model: 'fast' });
  await expect(more.choose({ payer, model: 'dear' })).rejects.toMatchObject(
    notAllowed('small, middle, fast'),
  );
  await writersOf({ ...env, AI_MODELS: '*' }).choose({ payer, model: 'dear' });
  await choose({ payer, model: 'dear', apiKey: 'own' });
});

test('a writer that was chosen for one model does not ask another', async () => {
  const writer = await writersOf({ OPENAI_API_KEY: 'a' }).choose({ payer });
  const signal = new AbortController().signal;
  await expect(writer.write(BRIEF, { signal, model: 'dear' })).rejects.toMatchObject({
    code: 'model_not_allowed',
  });
});

test('without a verified address there is no writer with the server’s key, and one with an own key', async () => {
  const { choose } = writersOf({ OPENAI_API_KEY: 'a' }, () =>
    Promise.reject(new Fault('forbidden.unverified_ai')),
  );
  await expect(choose({ payer })).rejects.toMatchObject({ key: 'forbidden.unverified_ai', status: 403 });
  expect((await choose({ payer, apiKey: 'own' })).provider).toBe('openai');
});

test.each([
  [{}, 'https://api.openai.com/v1', 'gpt-5.6-luna'],
  [{ OPENAI_MODEL: 'mine' }, 'https://api.openai.com/v1', 'mine'],
  [
    { OPENAI_BASE_URL: 'http://localhost:11434/v1', OPENAI_MODEL: 'llama' },
    'https://api.openai.com/v1',
    'gpt-5.6-luna',
  ],
  [
    {
      OPENAI_BASE_URL: 'https://me:secret@gateway.example/v1/?key=secret',
      OPENAI_MODEL: 'llama',
      AI_OWN_KEYS_TO_BASE_URL: 'true',
    },
    'https://gateway.example/v1',
    'llama',
  ],
])('an own key with %j goes to %s', (env: Record<string, string>, url, model) => {
  const { aiProviders, aiOwnKeysToBaseUrl } = readConfig(env);
  expect(ownKeyUrl('openai', aiProviders.openai, aiOwnKeysToBaseUrl)).toBe(url);
  expect(ownKeyTarget('openai', aiProviders.openai, aiOwnKeysToBaseUrl).model).toBe(model);
});

test('the table of prices is checked when it is read', () => {
  expect(readConfig({ AI_PRICES: '{"m": [1, 6.5]}' }).aiPrices).toEqual({ m: [1, 6.5] });
  for (const wrong of ['{', '[]', '{"m": 1}', '{"m": [1]}', '{"m": [-1, 2]}']) {
    expect(() => readConfig({ AI_PRICES: wrong })).toThrow(/^AI_PRICES: /);
  }
});
