import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSimilarityIndex, NEAR_DUPLICATE, similarity } from '../../../src/hooks/text/similarity.ts';

test.each([
  ['Your oven is not the problem', 'YOUR OVEN is not the problem!!', 1],
  ['¿Por qué no sube?', 'por que no sube', 1],
  ['🔥🔥', '🔥🔥', 1],
  ['bread', '🔥', 0],
])('%j and %j are alike: %f', (one, other, expected) => {
  expect(similarity(one, other)).toBe(expected);
});

test.each([
  ['5 mistakes in your sourdough starter', '5 mistakes with your sourdough starter', true],
  ['Tres errores al amasar pan en casa', 'Tres errores al amasar el pan en casa', true],
  ['Your sourdough starter is hungry', 'Nobody feeds a sourdough starter at night', false],
  ['3 cosas antes de firmar un alquiler', 'El alquiler que nadie lee antes de firmar', false],
])('%j repeats %j: %s', (one, other, repeats) => {
  expect(similarity(one, other) >= NEAR_DUPLICATE).toBe(repeats);
});

const text = fc.oneof(fc.lorem({ maxCount: 8 }), fc.string({ unit: 'grapheme', maxLength: 40 }));

test('likeness is from 0 to 1, the same both ways, and 1 with oneself', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(similarity(one, other)).toBe(similarity(other, one));
      expect(similarity(one, other)).toBeGreaterThanOrEqual(0);
      expect(similarity(one, other)).toBeLessThanOrEqual(1);
      expect(similarity(one, one)).toBe(1);
    }),
  );
});

test('the index finds what comparing with each would find', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), text, (texts, wanted) => {
      const each = Math.max(0, ...texts.map((other) => similarity(other, wanted)));
      expect(createSimilarityIndex(texts).nearest(wanted)?.similarity ?? 0).toBe(each);
    }),
  );
});

test('with the words of a pattern, texts are as alike as the rest of them', () => {
  const index = createSimilarityIndex(['Before you buy a kettle, check these two things']);
  const frame = 'Before you buy , check these two things';
  const likeness = (text: string, words?: string) => index.nearest(text, words)?.similarity ?? 0;
  const lamp = 'Before you buy a lamp, check these two things';
  expect([likeness(lamp) >= NEAR_DUPLICATE, likeness(lamp, frame) >= NEAR_DUPLICATE]).toEqual([true, false]);
  expect(likeness('Before you buy a kettle, check these two things!', frame)).toBe(1);
});

test('what is added later is found too', () => {
  const index = createSimilarityIndex();
  expect(index.nearest('Your oven')).toBeUndefined();
  index.add('Your oven');
  expect(index.nearest('your oven')).toEqual({ text: 'Your oven', similarity: 1 });
});
