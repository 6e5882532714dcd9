import { expect, test } from 'vitest';
import { createWriters } from '../../src/ai/writers.ts';
import { readConfig } from '../../src/config.ts';
import { WRITER_ADAPTERS } from '../../src/providers/writer-adapters.ts';

const writersOf = (env: Record<string, string>) =>
  createWriters({ config: readConfig(env), adapters: WRITER_ADAPTERS });

test('each provider is chosen by its own name and by the one of the wire', () => {
  const writers = writersOf({ OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b' });
  const names = ['openai', 'provider_a', 'anthropic', 'provider_b'] as const;
  expect(names.map((name) => writers.choose(name).provider)).toEqual([
    'openai',
    'openai',
    'anthropic',
    'anthropic',
  ]);
});

test('without a name the first that is set up is chosen', () => {
  expect(writersOf({ ANTHROPIC_API_KEY: 'b' }).choose().provider).toBe('anthropic');
  expect(writersOf({ OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b' }).choose().provider).toBe('openai');
});

test('a server of the operator’s own is enough without a key', () => {
  expect(writersOf({ OPENAI_BASE_URL: 'http://localhost:11434/v1' }).choose().provider).toBe('openai');
});

test('what is not set up names the settings', () => {
  const settings = expect.stringMatching(/^OPENAI_API_KEY \(or OPENAI_BASE_URL\), ANTHROPIC_API_KEY/);
  expect(() => writersOf({}).choose()).toThrow(
    expect.objectContaining({ key: 'not_configured.writer', params: { settings } }),
  );
  expect(() => writersOf({ OPENAI_API_KEY: 'a' }).choose('provider_b')).toThrow(
    expect.objectContaining({
      key: 'not_configured.provider',
      status: 503,
      params: { provider: 'Anthropic', setting: 'ANTHROPIC_API_KEY' },
    }),
  );
});

test.each(['sk-ñ€key', 'a\nb', 'two words', ''])(
  'a caller’s key that no header can carry is refused at once: %j',
  (apiKey) => {
    expect(() => writersOf({}).choose('provider_b', { apiKey })).toThrow(
      expect.objectContaining({
        key: 'provider_key_rejected.key',
        status: 422,
        params: { provider: 'Anthropic' },
      }),
    );
  },
);

test('the table of prices is checked when it is read', () => {
  expect(readConfig({ AI_PRICES: '{"m": [1, 6.5]}' }).aiPrices).toEqual({ m: [1, 6.5] });
  for (const wrong of ['{', '[]', '{"m": 1}', '{"m": [1]}', '{"m": [-1, 2]}']) {
    expect(() => readConfig({ AI_PRICES: wrong })).toThrow(/^AI_PRICES: /);
  }
});
