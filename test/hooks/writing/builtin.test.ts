import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PLATFORM_IDS, PLATFORMS } from '../../../src/hooks/platforms.ts';
import { checkHook } from '../../../src/hooks/scoring/check-hook.ts';
import { evaluateHook } from '../../../src/hooks/scoring/scoring.ts';
import { FREE_STYLES, STYLE_IDS } from '../../../src/hooks/styles.ts';
import { LANGUAGES } from '../../../src/hooks/text/language.ts';
import { NEAR_DUPLICATE, similarity } from '../../../src/hooks/text/similarity.ts';
import { countGraphemes } from '../../../src/hooks/text/text.ts';
import { type BuiltinRequest, writeBuiltin } from '../../../src/hooks/writing/builtin/builtin.ts';
import { fillPattern } from '../../../src/hooks/writing/builtin/fill-pattern.ts';
import { PATTERNS } from '../../../src/hooks/writing/builtin/patterns.ts';
import { readTopic, TOPIC_CLASSES } from '../../../src/hooks/writing/builtin/topic.ts';
import { TOPICS } from '../eval/topics.ts';

const REQUEST: BuiltinRequest = {
  topic: 'morning routines',
  count: 5,
  language: 'en',
  platform: 'youtube',
  avoid: [],
};

const texts = (request: BuiltinRequest) => writeBuiltin(request).map(({ text }) => text);

test('each language has at least 300 different patterns: three or more of every style in every class', () => {
  for (const language of LANGUAGES) {
    const all = TOPIC_CLASSES.flatMap((about) =>
      STYLE_IDS.flatMap((style) => {
        const patterns = PATTERNS[language][about][style];
        expect([about, style, patterns.length >= 3]).toEqual([about, style, true]);
        return patterns.map((pattern) => `${about}: ${pattern}`);
      }),
    );
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(300);
  }
});

test('no pattern begins with a cliché, boasts or claims what needs proof', () => {
  for (const language of LANGUAGES)
    for (const about of TOPIC_CLASSES)
      for (const pattern of Object.values(PATTERNS[language][about]).flat()) {
        const topic = language === 'en' ? 'learning chess' : 'aprender ajedrez';
        const forms = readTopic(topic, language);
        const thing = { ...forms.slots, thing: topic, object: topic, of_thing: topic, to_thing: topic };
        const text = fillPattern(pattern, { ...forms, slots: thing }, language, 300);
        const { flags, components } = evaluateHook(text ?? '', { platform: 'generic', language, topic });
        expect([pattern, text === undefined, flags]).toEqual([pattern, false, []]);
        expect([pattern, components.find(({ name }) => name === 'fresh')?.points]).toEqual([pattern, 10]);
      }
});

test.each([
  ['en', 'Learning Spanish in 3 months', 'skill'],
  ['en', 'Used electric cars', 'product'],
  ['en', 'My new coffee shop in Austin', 'place'],
  ['en', 'Back pain at work', 'problem'],
  ['en', 'My grandmother', 'person'],
  ['en', 'Saving for a house', 'money'],
  ['en', 'Intermittent fasting', 'health'],
  ['en', 'Frida Kahlo', 'general'],
  ['en', 'Customer reviews', 'general'],
  ['en', 'parking fines', 'general'],
  ['en', 'Meal prep for students', 'general'],
  ['en', 'Lisbon on a budget', 'place'],
  ['en', 'Hiking in Patagonia', 'place'],
  ['en', 'starting a company', 'general'],
  ['en', 'why is bread sour?', 'general'],
  ['es', 'Fotografía de bodas', 'skill'],
  ['es', 'freidora de aire', 'product'],
  ['es', 'El Mundial de 2026', 'place'],
  ['es', 'insomnio', 'problem'],
  ['es', 'Mi abuela', 'person'],
  ['es', 'Los impuestos de los autónomos', 'money'],
  ['es', 'Proteína vegana', 'health'],
  ['es', 'agua de mar', 'general'],
  ['es', 'Reseñas de clientes', 'general'],
  ['es', 'Galicia en otoño', 'place'],
  ['es', 'Primer día de colegio', 'general'],
] as const)('in %s %j is about: %s', (language, topic, about) => {
  expect(readTopic(topic, language).about).toBe(about);
});

test.each([
  ['{name}: where would you start?', 'morning routines', 'en', 'Morning routines: where would you start?'],
  ['Read this first: {name}.', 'Morning routines!', 'en', 'Read this first: morning routines.'],
  ['Give me a minute. {name}.', 'morning routines', 'en', 'Give me a minute. Morning routines.'],
  ['{name}: guess first.', 'iPhone photos', 'en', 'iPhone photos: guess first.'],
  ['How to {do} on a bad day.', 'Learning Spanish', 'en', 'How to learn Spanish on a bad day.'],
  ['The hard part of {topic}.', 'how to bake bread', 'en', 'The hard part of baking bread.'],
  ['Before you buy {thing}, wait.', 'air fryer', 'en', 'Before you buy an air fryer, wait.'],
  ['What if {topic} {is|are} late?', 'Taxes', 'en', 'What if taxes are late?'],
  ['Lo difícil {of}.', 'Ayuno intermitente', 'es', 'Lo difícil del ayuno intermitente.'],
  ['Lo difícil {of}.', 'cómo aprender inglés', 'es', 'Lo difícil de aprender inglés.'],
  [
    'Mira {thing}: {lo|la|los|las} quieres.',
    'velas artesanales',
    'es',
    'Mira las velas artesanales: las quieres.',
  ],
  [
    'Antes de comprar {object}, espera.',
    'Pendientes de plata',
    'es',
    'Antes de comprar pendientes de plata, espera.',
  ],
  [
    'Antes de comprar {object}, espera.',
    'freidora de aire',
    'es',
    'Antes de comprar una freidora de aire, espera.',
  ],
  ['Mira: {name}.', 'Reseñas de clientes', 'es', 'Mira: reseñas de clientes.'],
  ['Look: {name}.', 'Ceramic mugs', 'en', 'Look: ceramic mugs.'],
  ['Look: {name}.', 'Black Friday', 'en', 'Look: Black Friday.'],
  ['¿Volverías {to_thing}?', 'El Mundial de 2026', 'es', '¿Volverías al Mundial de 2026?'],
  [
    '{name}: the part guides leave out.',
    'why is the sky blue?',
    'en',
    'Why is the sky blue? The part guides leave out.',
  ],
  ['{name}: ¿qué quitarías primero?', '¿por qué llueve?', 'es', '¿Por qué llueve? ¿Qué quitarías primero?'],
  ['{name}, con calma.', '¿por qué llueve?', 'es', '¿Por qué llueve? Con calma.'],
  ['{name}: why now?', '  “2) $& and $1”  ', 'en', '$& and $1: why now?'],
  ['{name}: why now?', 'https://evil.example/x', 'en', 'This one: why now?'],
  ['{name}: why now?', 'خبز العجين المخمر', 'en', 'خبز العجين المخمر: why now?'],
  [
    'Try this: {name}.',
    'how to teach a dog to come back when it is distracted at the park',
    'en',
    'Try this: how to teach a dog to come back when…',
  ],
  [
    'Try this: {name}.',
    'Sourdough at home, even in a very small kitchen without an oven',
    'en',
    'Try this: sourdough at home.',
  ],
] as const)('%j takes %j in %s: %j', (pattern, topic, language, text) => {
  expect(fillPattern(pattern, readTopic(topic, language), language, 100)).toBe(text);
});

test('a pattern is skipped when the topic lacks its form', () => {
  expect(fillPattern('How to {do}.', readTopic('Frida Kahlo', 'en'), 'en', 100)).toBeUndefined();
  expect(fillPattern('Before {topic}.', readTopic('why is it blue?', 'en'), 'en', 100)).toBeUndefined();
});

test('the same request gives the same hooks, with style, reason and pattern', () => {
  const hooks = writeBuiltin(REQUEST);
  expect(writeBuiltin(REQUEST)).toEqual(hooks);
  expect(new Set(hooks.map(({ style }) => style)).size).toBe(5);
  for (const { style, pattern, why } of hooks) {
    expect(pattern).toMatch(new RegExp(`^(?:skill|general)-${style}-\\d$`));
    expect(why).not.toBe('');
  }
});

test.each(LANGUAGES)('in %s, thirty topics three times in a row always give ten', (language) => {
  const history: string[] = [];
  for (const topic of TOPICS[language])
    for (const time of [1, 2, 3]) {
      const hooks = texts({ topic, count: 10, language, platform: 'generic', avoid: history.slice(-500) });
      expect([topic, time, hooks.length]).toEqual([topic, time, 10]);
      history.push(...hooks);
    }
  expect(new Set(history).size).toBe(30 * 3 * 10);
});

test.each(LANGUAGES)('in %s, the styles of the free plan give ten three times too', (language) => {
  for (const topic of TOPICS[language]) {
    const avoid: string[] = [];
    const request = { topic, count: 10, language, platform: 'generic', styles: FREE_STYLES, avoid } as const;
    for (let time = 0; time < 3; time++) avoid.push(...texts(request));
    expect([topic, new Set(avoid).size]).toEqual([topic, 30]);
  }
});

test('what the account has had on a topic does not come again, until the patterns are used up', () => {
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
  expect(hooks.map(({ style }) => style).sort()).toEqual(['list', 'list', 'list', 'list', 'mistake']);
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
