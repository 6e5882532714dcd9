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

test('a hook that keeps the rules has nearly all points, with a reason for each', () => {
  const judged = evaluateHook('Why I never eat bread on Monday', CONTEXT);
  expect(judged).toMatchObject({ score: 95, chars: 31, seconds: 2.6, problems: [], flags: [] });
  const said = judged.components.map((part) => ({ ...part, reason: localizeHookReason(part.reason, 'en') }));
  expect(said).toEqual([
    { name: 'fit', points: 10, of: 10, reason: 'YouTube Shorts shows it in full: 31 of 40 characters.' },
    { name: 'topic', points: 5, of: 5, reason: "It names the topic early: 'bread'." },
    { name: 'sentence', points: 20, of: 20, reason: 'It reads as a sentence.' },
    {
      ...{ name: 'specific', points: 10, of: 15 },
      reason: 'It has one specific detail: Monday. Add a number, a name or a time.',
    },
    { name: 'tension', points: 20, of: 20, reason: 'It leaves something open: never, why.' },
    { name: 'voice', points: 10, of: 10, reason: "It speaks to the reader or in the first person: 'i'." },
    { name: 'spoken', points: 5, of: 5, reason: 'It takes 2.6 s to say aloud.' },
    { name: 'fresh', points: 10, of: 10, reason: 'It has no clichéd opening and no superlatives.' },
    { name: 'distinct', points: 5, of: 5, reason: 'It does not repeat an earlier hook.' },
  ]);
});

test('a weak hook loses points with a reason each, in the language of the reader', () => {
  const judged = evaluateHook(
    'In this video some quite useful things and many other useful things about baking and other topics',
    { ...CONTEXT, language: 'en' },
  );
  expect(judged.components.map(({ points, of }) => `${points}/${of}`)).toEqual([
    ...['0/10', '0/5', '8/20', '0/15', '7/20', '0/10', '0/5', '0/10', '5/5'],
  ]);
  expect(judged.score).toBe(20);
  expect(judged.components.map(({ reason }) => localizeHookReason(reason, 'es'))).toEqual([
    'YouTube Shorts lo corta después de 40 caracteres y tiene 97. Pon lo importante al principio o acórtalo.',
    'No nombra el tema. Incluye alguna palabra del tema entre las primeras 8.',
    'No tiene verbo, como un título. Di qué hace alguien o qué pasa.',
    'Podría tratar de cualquier cosa. Añade un número, un nombre o un momento.',
    'Crea intriga: this. Añade un contraste o calla un dato para darle más fuerza.',
    'No se dirige a nadie. Háblale al lector o cuenta qué hiciste tú.',
    'Dura 6.3 s en voz alta. Procura que sean 3 s.',
    'Empieza con «in this video», un comienzo trillado. Empieza por lo importante.',
    'No repite un hook anterior.',
  ]);
});

test.each([
  ['Your bread is flat', '5/5'],
  ['Breads that rise', '5/5'],
  ['It is cold and dark and late and I am still up with my bread', '3/5'],
  ['It is late', '0/5'],
])('naming the topic: %j has %s', (text, expected) => {
  expect(points(text)['topic']).toBe(expected);
});

test.each([
  ['en', 'The ultimate bread', '3/10'],
  ['en', 'You won’t believe this bread', '0/10'],
  ['es', '¿Sabías que el pan respira?', '0/10'],
  ['es', 'El mejor pan de tu vida', '3/10'],
  ['es', 'El pan respira', '10/10'],
])('clichés in %s: %j has %s', (language, text, expected) => {
  expect(points(text, { ...CONTEXT, language })['fresh']).toBe(expected);
});

test('a superlative of the topic itself is no fault of the hook', () => {
  const context = { ...CONTEXT, language: 'es', topic: 'las mejores rutas' };
  expect(points('Las mejores rutas, sin coche', context)['fresh']).toBe('10/10');
});

test.each([
  ['Flour, water, time', '0/15'],
  ['Monday is bread day', '15/15'],
  ['Then Paul called', '10/15'],
  ['Bread at 4 a.m. with Paul', '8/15'],
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
  ).toBe('3/5');
  expect(
    points('Your bread is not rising because of the cold kitchen', { ...CONTEXT, earlier })['distinct'],
  ).toBe('0/5');
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
