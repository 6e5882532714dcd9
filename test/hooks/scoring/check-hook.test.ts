import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PLATFORM_IDS, PLATFORMS } from '../../../src/hooks/platforms.ts';
import { checkHook, type HookContext } from '../../../src/hooks/scoring/check-hook.ts';
import { cleanText } from '../../../src/hooks/text/clean-text.ts';
import { createSimilarityIndex } from '../../../src/hooks/text/similarity.ts';
import { countGraphemes } from '../../../src/hooks/text/text.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { samples } from '../../support/samples.ts';

const ENGLISH: HookContext = { platform: 'generic', language: 'en' };

test.each([
  ['1. Your oven is not the problem', 'Your oven is not the problem'],
  ['Hook 3: "Your oven is not the problem"', 'Your oven is not the problem'],
  ['- **Your oven** is hot', 'Your oven is hot'],
  ['“1) «Your oven»”', 'Your oven'],
  ['**Your oven is not the problem**', 'Your oven is not the problem'],
  ['Bread\n\tin   two\r\nlines', 'Bread in two lines'],
  ['Bread\u202e backwards\u0000 and\u200b hidden', 'Bread backwards and hidden'],
  ['Look\u{e0041}\u{e0042} here', 'Look here'],
  ['3 loaves, 1 oven', '3 loaves, 1 oven'],
  ['Read "the label" first', 'Read "the label" first'],
  ['Bread made in Node.js', 'Bread made in Node.js'],
])('%j is cleaned to %j', (raw, text) => {
  expect(cleanText(raw)).toEqual({ text, hadUrl: false });
});

test.each([
  ['See https://evil.example/x?y=1 for more', 'See for more'],
  ['www.evil.example now', 'now'],
  ['Go to evil.example/free', 'Go to'],
])('an address is taken out of %j and flagged', (raw, text) => {
  expect(checkHook(raw, ENGLISH)).toMatchObject({ text, flags: ['url'] });
});

test('a family, a flag of tags and an accent of its own survive cleaning', () => {
  const text = '👨‍👩‍👧 in 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}: café';
  expect(cleanText(text).text).toBe(text);
  expect(checkHook('👨‍👩‍👧 cafe\u0301', ENGLISH).chars).toBe(6);
});

test('a hook without a fault passes with its length and nothing else', () => {
  expect(checkHook('Your oven is not the problem.', ENGLISH)).toEqual({
    text: 'Your oven is not the problem.',
    chars: 29,
    problems: [],
    flags: [],
    nearest: undefined,
  });
});

test('what nothing is left of is empty', () => {
  expect(checkHook(' "https://evil.example" ', ENGLISH)).toMatchObject({
    text: '',
    problems: [{ code: 'empty', reason: { key: 'problem.empty' } }],
  });
});

test('over the limit, whole sentences that fit are kept', () => {
  const first = 'Your oven is not the problem.';
  const raw = `${first} ${'It is the flour and the water and the time you give it '.repeat(3)}.`;
  expect(checkHook(raw, { platform: 'youtube', language: 'en' })).toMatchObject({
    text: first,
    problems: [],
  });
});

test('over the limit in one sentence, it is refused with the limit and not cut', () => {
  const raw = 'a very long sentence '.repeat(6).trim();
  const { text, chars, problems } = checkHook(raw, { platform: 'youtube', language: 'en' });
  expect([text, chars]).toEqual([raw, 125]);
  expect(problems).toEqual([
    {
      code: 'too_long',
      reason: { key: 'problem.too_long', params: { chars: 125, limit: 100, platform: 'YouTube' } },
    },
  ]);
});

test('words the brand forbids are found as whole words, whatever their case and accents', () => {
  const check = (text: string) =>
    checkHook(text, { platform: 'generic', language: 'es', forbidden: ['fácil', '¡ya!', '🔥'] }).problems;
  expect(check('Es FACIL y rico')).toMatchObject([
    { code: 'forbidden_word', reason: { params: { word: 'fácil' } } },
  ]);
  expect(check('Hecho con 🔥 de leña')).toMatchObject([{ reason: { params: { word: '🔥' } } }]);
  expect(check('Facilidad de uso')).toEqual([]);
});

test('what is nearly an earlier hook repeats it', () => {
  const earlier = createSimilarityIndex(['Your oven is not the problem. Your flour is.']);
  const check = (text: string) => checkHook(text, { ...ENGLISH, earlier });
  expect(check('your oven is NOT the problem — your flour is!')).toMatchObject({
    problems: [
      { code: 'repeats', reason: { params: { text: 'Your oven is not the problem. Your flour is.' } } },
    ],
    nearest: { similarity: 1 },
  });
  expect(check('Nobody told me to wait overnight.').problems).toEqual([]);
});

test.each([
  ['El pan que haces no es el problema de la casa', 'en', true],
  ['The bread that you bake is not the problem', 'es-MX', true],
  ['Хлеб не поднимается', 'es', true],
  ['Your bread is fine', 'ja', true],
  ['パンが膨らまない', 'ja', false],
  ['面包发不起来', 'zh-Hant', false],
  ['Le pain que tu fais', 'fr', false],
  ['El pan no sube', 'es', false],
  ['Netflix, but slower', 'en', false],
  ['100 %', 'es', false],
])('%j asked for in %s is in another language: %s', (text, language, foreign) => {
  const codes = checkHook(text, { platform: 'generic', language }).problems.map(({ code }) => code);
  expect(codes).toEqual(foreign ? ['wrong_language'] : []);
});

test.each([
  ['Save 40% on rent', undefined, ['claim_needs_proof']],
  ['Save 40% on rent', 'how I saved 40 % on rent', []],
  ['Save 40% on rent', 'how I saved 30% on rent', ['claim_needs_proof']],
  ['Gana dinero con un blog', 'cómo gana dinero un blog', []],
  ['Earn $5,000 a month from a blog', undefined, ['claim_needs_proof']],
  ['This tea cures anxiety', undefined, ['claim_needs_proof']],
  ['Adelgaza sin pasar hambre', 'adelgaza comiendo pan', []],
  ['READ THIS BEFORE YOU SIGN', undefined, ['all_caps']],
  ['NASA reads this too', undefined, []],
  ['Bread 🍞', undefined, []],
  ['Bread 🍞🔥', undefined, ['emoji']],
  ['In this video we bake bread', undefined, ['worn_opener']],
])('%j with the payoff %j is flagged %j', (text, payoff, flags) => {
  expect(
    checkHook(text, { ...ENGLISH, language: /^(Adel|Gana)/.test(text) ? 'es' : 'en', payoff }).flags,
  ).toEqual(flags);
});

test('what the platform shows only in part is flagged', () => {
  const text = 'Your oven is not the problem, and neither is the flour';
  expect(checkHook(text, { platform: 'youtube_shorts', language: 'en' }).flags).toEqual(['cut_off']);
  expect(checkHook(text, { platform: 'youtube', language: 'en' }).flags).toEqual([]);
});

/** As many sentences as fit: a plain reference that counts again for each sentence. */
function plainlyWithin(text: string, limit: number): string {
  if (countGraphemes(text) <= limit) return text;
  const sentences = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)];
  const starts = sentences.map((_, at) =>
    sentences
      .slice(0, at + 1)
      .map(({ segment }) => segment)
      .join('')
      .trimEnd(),
  );
  const beyond = starts.findIndex((start) => countGraphemes(start) > limit);
  return starts[beyond - 1] || text;
}

const manySentences = fc
  .array(
    fc.constantFrom(
      ...['é? ', 'Hello there. ', 'What!', '👍 ', 'a', '. ', 'No way… ', 'Dr. X said. ', '\u0301', '¿Qué? '],
      ...['.\u0600', '\u0600x', '🇪', '👨‍👩‍👧. ', 'क्ष। ', '。', '\u200d', '!?) ', '\u2029'],
    ),
    { minLength: 20, maxLength: 120 },
  )
  .map((parts) => parts.join(''));

test('over the limit, the sentences kept are those that fit by a plain count', () => {
  fc.assert(
    fc.property(manySentences, (raw) => {
      const { text } = checkHook(raw, { platform: 'youtube', language: 'en' });
      expect(text).toBe(plainlyWithin(cleanText(raw).text, PLATFORMS.youtube.hard));
    }),
    { numRuns: samples(500) },
  );
});

test('thousands of short sentences are cut in one pass', () => {
  const raw = `${'é?'.repeat(2490)}1`;
  expect(cpuMs(() => checkHook(raw, { platform: 'tiktok', language: 'en' }))).toBeLessThan(200);
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc
    .array(fc.constantFrom('1. ', '"', '“', '”', '**', 'https://a.b/c', 'Hook 1: ', 'bread. ', '\n'), {
      maxLength: 40,
    })
    .map((parts) => parts.join('')),
);

test('cleaning is complete: cleaned again, a text stays the same', () => {
  fc.assert(
    fc.property(anyText, (raw) => {
      const { text } = cleanText(raw);
      expect(cleanText(text)).toEqual({ text, hadUrl: false });
    }),
  );
});

test('whatever is written, what passes is within the limit and without controls', () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom(...PLATFORM_IDS), (raw, platform) => {
      const { text, chars, problems } = checkHook(raw, { platform, language: 'fr' });
      expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
      if (problems.length === 0) expect(chars).toBeLessThanOrEqual(PLATFORMS[platform].hard);
      if (problems.length === 0) expect(chars).toBeGreaterThan(0);
    }),
  );
});
