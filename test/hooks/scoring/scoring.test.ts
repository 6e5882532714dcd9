import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PLATFORM_IDS } from '../../../src/hooks/platforms.ts';
import type { HookContext } from '../../../src/hooks/scoring/check-hook.ts';
import { evaluateHook, scoreHooks } from '../../../src/hooks/scoring/scoring.ts';
import { createSimilarityIndex } from '../../../src/hooks/text/similarity.ts';
import { localizeHookReason } from '../../../src/language.ts';

const CONTEXT: HookContext = { platform: 'youtube_shorts', language: 'en', topic: 'sourdough bread' };

const points = (text: string, context: HookContext = CONTEXT) =>
  Object.fromEntries(
    evaluateHook(text, context).components.map((part) => [part.name, `${part.points}/${part.of}`]),
  );

test('a hook that keeps every rule has all points, with a reason for each', () => {
  const judged = evaluateHook('Why Paul never eats bread on Monday', CONTEXT);
  expect(judged).toMatchObject({ score: 100, chars: 35, seconds: 2.6, problems: [], flags: [] });
  const said = judged.components.map((part) => ({ ...part, reason: localizeHookReason(part.reason, 'en') }));
  expect(said).toEqual([
    { name: 'fit', points: 20, of: 20, reason: 'YouTube Shorts shows it in full: 35 of 40 characters.' },
    { name: 'topic', points: 15, of: 15, reason: "It names the topic early: 'bread'." },
    { name: 'specific', points: 15, of: 15, reason: 'It is specific: Paul, Monday.' },
    { name: 'tension', points: 15, of: 15, reason: 'It leaves something open: never, why.' },
    { name: 'spoken', points: 10, of: 10, reason: 'It takes 2.6 s to say aloud.' },
    { name: 'fresh', points: 15, of: 15, reason: 'It has no clichéd opening and no superlatives.' },
    { name: 'distinct', points: 10, of: 10, reason: 'It does not repeat an earlier hook.' },
  ]);
});

test('a weak hook loses points with a reason each, in the language of the reader', () => {
  const judged = evaluateHook(
    'In this video I am going to talk to you about some things that I think are quite useful for baking',
    { ...CONTEXT, language: 'en' },
  );
  expect(judged.score).toBe(10);
  expect(judged.components.map(({ reason }) => localizeHookReason(reason, 'es'))).toEqual([
    'YouTube Shorts lo corta después de 40 caracteres y tiene 98. Pon lo importante al principio o acórtalo.',
    'No nombra el tema. Incluye alguna palabra del tema entre las primeras 8.',
    'Podría tratar de cualquier cosa. Añade un número, un nombre o un momento.',
    'Lo cuenta todo. Crea intriga: una pregunta, un contraste o un dato sin revelar.',
    'Dura 7.8 s en voz alta. Procura que sean 3 s.',
    'Empieza con «in this video», un comienzo trillado. Empieza por lo importante.',
    'No repite un hook anterior.',
  ]);
});

test.each([
  ['Your bread is flat', '15/15'],
  ['Breads that rise', '15/15'],
  ['It is cold and dark and late and I am still up with my bread', '7/15'],
  ['It is late', '0/15'],
])('naming the topic: %j has %s', (text, expected) => {
  expect(points(text)['topic']).toBe(expected);
});

test.each([
  ['en', 'The ultimate bread', '5/15'],
  ['en', 'You won’t believe this bread', '0/15'],
  ['es', '¿Sabías que el pan respira?', '0/15'],
  ['es', 'El mejor pan de tu vida', '5/15'],
  ['es', 'El pan respira', '15/15'],
])('clichés in %s: %j has %s', (language, text, expected) => {
  expect(points(text, { ...CONTEXT, language })['fresh']).toBe(expected);
});

test('a superlative of the topic itself is no fault of the hook', () => {
  const context = { ...CONTEXT, language: 'es', topic: 'las mejores rutas' };
  expect(points('Las mejores rutas, sin coche', context)['fresh']).toBe('15/15');
});

test.each([
  ['Flour, water, time', '0/15'],
  ['Monday is bread day', '15/15'],
  ['Then Paul called', '10/15'],
  ['Bread at 4 a.m. with Paul', '15/15'],
])('being specific: %j has %s', (text, expected) => {
  expect(points(text)['specific']).toBe(expected);
});

test('what cannot be judged is left out: the topic when none is given, time where no one speaks, words of other languages', () => {
  const names = (context: HookContext) => Object.keys(points('Le pain ne lève pas', context));
  expect(names({ platform: 'tiktok', language: 'fr', topic: 'le pain' })).toEqual([
    'fit',
    'topic',
    'specific',
    'spoken',
    'distinct',
  ]);
  expect(names({ platform: 'email', language: 'fr' })).toEqual(['fit', 'specific', 'distinct']);
});

test('likeness to an earlier hook costs points', () => {
  const earlier = createSimilarityIndex(['Your bread is not rising because of the cold kitchen']);
  expect(
    points('Your bread is not rising: look at the cold flour', { ...CONTEXT, earlier })['distinct'],
  ).toBe('5/10');
  expect(
    points('Your bread is not rising because of the cold kitchen', { ...CONTEXT, earlier })['distinct'],
  ).toBe('0/10');
});

test('in a batch each hook is compared with those before it', () => {
  const judged = scoreHooks(['Your bread is cold', 'your bread is COLD!', 'Who fed the starter?'], CONTEXT);
  expect(judged.map(({ problems }) => problems.map(({ code }) => code))).toEqual([[], ['repeats'], []]);
});

test('nothing scores nothing', () => {
  expect(evaluateHook('  ', CONTEXT).score).toBe(0);
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.lorem({ maxCount: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
);
const anyContext = fc.record({
  platform: fc.constantFrom(...PLATFORM_IDS),
  language: fc.constantFrom('en', 'es', 'de', 'ja', 'ar', 'xx-unknown'),
  topic: fc.option(anyText, { nil: undefined }),
});

test('every score is a whole number from 0 to 100, each component within its bounds, and the same again', () => {
  fc.assert(
    fc.property(anyText, anyContext, (text, context) => {
      const judged = evaluateHook(text, context);
      expect(Number.isInteger(judged.score) && judged.score >= 0 && judged.score <= 100).toBe(true);
      for (const { points, of } of judged.components) {
        expect(Number.isInteger(points)).toBe(true);
        expect(points >= 0 && points <= of).toBe(true);
      }
      expect(evaluateHook(text, context)).toEqual(judged);
    }),
  );
});
