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
        const action = language === 'en' ? 'learning chess' : 'aprender ajedrez';
        const question = language === 'en' ? 'why does it rain?' : '¿por qué llueve?';
        const comparison = 'Chess vs checkers';
        const isTitle = pattern.includes('{title}');
        const topic = isTitle ? comparison : /\{(?:bare|clause)\}/.test(pattern) ? question : action;
        const forms = readTopic(topic, language);
        const named = [...pattern.matchAll(/\{([a-z_]+)\}/g)].map(([, name = '']) => [name, topic]);
        const slots = forms.asks || isTitle ? {} : { ...Object.fromEntries(named), ...forms.slots };
        const text = fillPattern(pattern, { ...forms, slots }, language, 300);
        const { flags, components } = evaluateHook(text ?? '', { platform: 'generic', language, topic });
        expect([pattern, text === undefined, flags]).toEqual([pattern, false, []]);
        expect([pattern, components.find(({ name }) => name === 'fresh')?.points]).toEqual([pattern, 10]);
      }
});

test('no English pattern ends with the topic as a bare label', () => {
  for (const pattern of TOPIC_CLASSES.flatMap((about) => Object.values(PATTERNS.en[about]).flat()))
    expect([pattern, /[:.?!] \{(?:name|noun|title|clause)\}\.?$/.test(pattern)]).toEqual([pattern, false]);
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

test.each([
  [
    'en',
    'Rosalia',
    'Oaxaca on the Day of the Dead',
    'IKEA',
    'Etsy raises its fees',
    'meet our new barista Tom',
    '10 years in business',
  ],
  [
    'en',
    'free shipping over $50',
    'how to price ceramics',
    'is protein powder worth it',
    'clients who pay late',
    '日本',
    'x',
  ],
  [
    'es',
    'Rosalía',
    'Oaxaca en Día de Muertos',
    'IKEA',
    'Instagram',
    'mi perro tiene miedo a los petardos',
    '5 errores al correr',
  ],
  [
    'es',
    '2x1 en uñas de gel',
    'cómo cuidar las orquídeas',
    '¿merece la pena?',
    'clientes que regatean todo',
    '日本',
    'x',
  ],
] as const)(
  'in %s, names, sentences, offers, numbers and signs give ten: %s, %s, %s, %s, %s, %s',
  (language, ...topics) => {
    const counts = topics.map((topic) => writeBuiltin({ ...REQUEST, count: 10, topic, language }).length);
    expect(counts).toEqual(topics.map(() => 10));
  },
);

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

const NEWS = {
  en: ['closing early on Friday', '20% off candles', 'Back in stock: the oak lamp', 'win a gift card'],
  es: [
    'Cerramos por vacaciones',
    '20 % en velas',
    'Nueva colección de otoño',
    'Vuelve la lámpara de roble',
    'sorteo de una cesta',
    'Ya tenemos web',
    'Gracias por 1000 pedidos',
  ],
} as const;

test.each(LANGUAGES)(
  'in %s, news give ten three times, with all styles and with those of the free plan',
  (language) => {
    for (const styles of [STYLE_IDS, FREE_STYLES])
      for (const topic of NEWS[language]) {
        const avoid: string[] = [];
        const request = { topic, count: 10, language, platform: 'generic', styles, avoid } as const;
        for (let time = 0; time < 3; time++) avoid.push(...texts(request));
        expect([topic, readTopic(topic, language).about, new Set(avoid).size]).toEqual([topic, 'news', 30]);
      }
  },
);

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
