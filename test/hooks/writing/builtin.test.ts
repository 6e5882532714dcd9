import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PLATFORM_IDS, PLATFORMS } from '../../../src/hooks/platforms.ts';
import { checkHook } from '../../../src/hooks/scoring/check-hook.ts';
import { evaluateHook } from '../../../src/hooks/scoring/scoring.ts';
import { STYLE_IDS } from '../../../src/hooks/styles.ts';
import { LANGUAGES } from '../../../src/hooks/text/language.ts';
import { NEAR_DUPLICATE, similarity } from '../../../src/hooks/text/similarity.ts';
import { countGraphemes } from '../../../src/hooks/text/text.ts';
import { type BuiltinRequest, writeBuiltin } from '../../../src/hooks/writing/builtin/builtin.ts';
import { fillPattern, readTopic } from '../../../src/hooks/writing/builtin/fill-pattern.ts';
import { ENGLISH_PATTERNS } from '../../../src/hooks/writing/builtin/patterns-en.ts';
import { SPANISH_PATTERNS } from '../../../src/hooks/writing/builtin/patterns-es.ts';

const REQUEST: BuiltinRequest = {
  topic: 'morning routines',
  count: 5,
  language: 'en',
  platform: 'youtube',
  avoid: [],
};

const texts = (request: BuiltinRequest) => writeBuiltin(request).map(({ text }) => text);

test('every style has at least five patterns in each language, each with the topic once', () => {
  for (const patterns of [ENGLISH_PATTERNS, SPANISH_PATTERNS])
    for (const style of STYLE_IDS) {
      expect(patterns[style].length).toBeGreaterThanOrEqual(5);
      for (const pattern of patterns[style]) expect(pattern.split('{topic}')).toHaveLength(2);
    }
});

test('no pattern begins with a cliché, boasts or claims what needs proof', () => {
  for (const [language, patterns] of [
    ['en', ENGLISH_PATTERNS],
    ['es', SPANISH_PATTERNS],
  ] as const)
    for (const pattern of Object.values(patterns).flat()) {
      const context = { platform: 'generic', language, topic: 'pan' } as const;
      const { flags, components } = evaluateHook(
        fillPattern(pattern, readTopic('pan'), language, 300),
        context,
      );
      expect([pattern, flags]).toEqual([pattern, []]);
      expect([pattern, components.find(({ name }) => name === 'fresh')?.points]).toEqual([pattern, 15]);
    }
});

test.each([
  ['{topic}: where would you start?', 'morning routines', 'en', 'Morning routines: where would you start?'],
  [
    'Less of it, but better: {topic}.',
    'Morning routines!',
    'en',
    'Less of it, but better: Morning routines.',
  ],
  ['Give me 60 seconds. {topic}.', 'morning routines', 'en', 'Give me 60 seconds. Morning routines.'],
  ['{topic}: guess first.', 'iPhone photos', 'en', 'iPhone photos: guess first.'],
  [
    '{topic}: the part guides leave out.',
    'why is the sky blue?',
    'en',
    'Why is the sky blue? The part guides leave out.',
  ],
  ['{topic}: ¿qué quitarías primero?', '¿por qué llueve?', 'es', '¿Por qué llueve? ¿Qué quitarías primero?'],
  ['{topic}, con calma.', '¿por qué llueve?', 'es', '¿Por qué llueve? Con calma.'],
  ['Dame 60 segundos. {topic}.', 'ahorrar dinero', 'es', 'Dame 60 segundos. Ahorrar dinero.'],
  ['{topic}: why now?', '  “2) $& and $1”  ', 'en', '$& and $1: why now?'],
  ['{topic}: why now?', 'https://evil.example/x', 'en', 'This one: why now?'],
  ['{topic}: why now?', 'خبز العجين المخمر', 'en', 'خبز العجين المخمر: why now?'],
  [
    'Try this: {topic}.',
    'how to teach a dog to come back when it is distracted at the park',
    'en',
    'Try this: how to teach a dog to come back when…',
  ],
  [
    'Try this: {topic}.',
    'Sourdough at home, even in a very small kitchen without an oven',
    'en',
    'Try this: Sourdough at home.',
  ],
] as const)('%j takes %j in %s: %j', (pattern, topic, language, text) => {
  expect(fillPattern(pattern, readTopic(topic), language, 100)).toBe(text);
});

test('the same request gives the same hooks, with style, reason and pattern', () => {
  const hooks = writeBuiltin(REQUEST);
  expect(writeBuiltin(REQUEST)).toEqual(hooks);
  expect(new Set(hooks.map(({ style }) => style)).size).toBe(5);
  for (const { style, pattern, why } of hooks) {
    expect(pattern).toMatch(new RegExp(`^${style}-\\d$`));
    expect(why).not.toBe('');
  }
});

test('what the account has had does not come again, until the patterns are used up', () => {
  const seen: string[] = [];
  for (;;) {
    const more = texts({ ...REQUEST, count: 10, avoid: seen });
    for (const text of more)
      expect(seen.every((other) => similarity(other, text) < NEAR_DUPLICATE)).toBe(true);
    seen.push(...more);
    if (more.length < 10) break;
  }
  expect(seen.length).toBeGreaterThanOrEqual(60);
});

test('styles asked for are the only ones, and forbidden words stay out', () => {
  const hooks = writeBuiltin({ ...REQUEST, styles: ['mistake', 'list'], forbidden: ['mistake'] });
  expect(hooks.map(({ style }) => style).sort()).toEqual(['list', 'list', 'list', 'mistake', 'mistake']);
  expect(hooks.filter(({ text }) => /mistake/i.test(text))).toEqual([]);
});

test('hooks that the platform shows whole come first', () => {
  for (const text of texts({ ...REQUEST, count: 3, styles: ['question'] }))
    expect(countGraphemes(text)).toBeLessThanOrEqual(PLATFORMS.youtube.visible);
});

const anyTopic = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 500 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 500 }),
  fc.lorem({ maxCount: 60 }),
  fc
    .array(fc.constantFrom('👨‍👩‍👧', '🇪🇸', 'خبز', 'לחם', 'パン', 'a', ' ', '?', '…', '{topic}', '$&'), {
      minLength: 1,
      maxLength: 100,
    })
    .map((parts) => parts.join('')),
  fc.constant('a'.repeat(500)),
);

test('whatever the topic, the hooks fit the platform, can be delivered, and no two are alike', () => {
  fc.assert(
    fc.property(
      anyTopic,
      fc.constantFrom(...PLATFORM_IDS),
      fc.constantFrom(...LANGUAGES),
      fc.constantFrom(3, 5, 10),
      (topic, platform, language, count) => {
        const hooks = texts({ topic, platform, language, count, avoid: [] });
        expect(hooks).toHaveLength(count);
        for (const [at, text] of hooks.entries()) {
          expect(countGraphemes(text)).toBeLessThanOrEqual(PLATFORMS[platform].hard);
          expect(checkHook(text, { platform, language }).problems).toEqual([]);
          for (const other of hooks.slice(0, at))
            expect(similarity(text, other)).toBeLessThan(NEAR_DUPLICATE);
        }
      },
    ),
  );
});
