import { expect, test } from 'vitest';
import { evaluateHook } from '../../../src/hooks/scoring/scoring.ts';
import { lowestFifth, readTrios, scorePairs, shareRight } from './score-eval.ts';

test('of 240 pairs, at least 88 % of the strong hooks beat a bland title or nonsense, and no nonsense reaches the 20th percentile', () => {
  const pairs = scorePairs(readTrios('pairs'));
  expect(pairs).toHaveLength(240);
  expect(shareRight(pairs)).toBeGreaterThanOrEqual(0.88);
  const nonsense = pairs.filter(({ kind }) => kind === 'nonsense');
  expect(Math.max(...nonsense.map(({ points: [, weak] }) => weak))).toBeLessThan(lowestFifth(pairs));
});

test('of 100 pairs held out of tuning, at least 88 % are right, and none of 50 nonsense texts reaches the 20th percentile', () => {
  const pairs = scorePairs(readTrios('held-out'));
  expect(pairs).toHaveLength(100);
  expect(shareRight(pairs)).toBeGreaterThanOrEqual(0.88);
  const bar = lowestFifth(pairs);
  expect(pairs.filter(({ kind, points: [, weak] }) => kind === 'nonsense' && weak >= bar)).toEqual([]);
});

test.each([
  ['Photography: lorem ipsum dolor sit amet 3 seconds, why?', 'photography', 'sentence.placeholder'],
  ['Interview: interview interview interview 1 2 3, which part?', 'interview', 'sentence.repeats'],
  ['Bread: but never nobody truth wrong 8?', 'bread', 'sentence.loose'],
  ['Bread of the why is oven before the', 'bread', 'sentence.broken'],
])('%j is no sentence, so its details, tension and voice earn nothing', (text, topic, key) => {
  const { score, components } = evaluateHook(text, { platform: 'generic', language: 'en', topic });
  expect(score).toBeLessThan(40);
  expect(components.find(({ name }) => name === 'sentence')?.reason.key).toBe(key);
  const unearned = components.filter(({ name }) => ['specific', 'tension', 'voice'].includes(name));
  expect(unearned.map(({ points, reason }) => [points, reason.key])).toEqual([
    [0, 'sentence.first'],
    [0, 'sentence.first'],
    [0, 'sentence.first'],
  ]);
});

test.each([
  ['en', 'Used cars without Monday nobody truth 3?', 'used cars'],
  ['en', 'You taxes because Friday hidden 3 who', 'taxes'],
  ['en', 'I soap they candle 7 but why', 'soap'],
  ['en', 'My knees everyone spoon why 6?', 'knees'],
  ['es', 'Se ajedrez nunca jueves mal 5?', 'ajedrez'],
  ['es', 'Impuestos no cuchara verdad 12 hasta?', 'impuestos'],
] as const)('in %s %j has a number that numbers nothing', (language, text, topic) => {
  const { score, components } = evaluateHook(text, { platform: 'generic', language, topic });
  expect(components.find(({ name }) => name === 'sentence')?.reason.key).toBe('sentence.loose');
  expect(score).toBeLessThan(40);
});

test.each([
  ['en', 'I bought 12 and kept 2.', 'soap'],
  ['en', 'She quit at 40. Nobody clapped.', 'work'],
  ['en', 'Read page 3 before you sign.', 'rent'],
  ['es', 'Empecé a los 50 y nadie lo creyó.', 'maratón'],
] as const)('in %s %j is a sentence', (language, text, topic) => {
  const { components } = evaluateHook(text, { platform: 'generic', language, topic });
  expect(components.find(({ name }) => name === 'sentence')?.reason.key).toBe('sentence.sentence');
});

test.each([
  ['You paid for the 2026 World Cup', 'the 2026 World Cup', 'specific'],
  ['You ask: why is the sky blue?', 'Why is the sky blue?', 'tension'],
  ['You know why the sky is blue', 'why the sky is blue', 'tension'],
])('digits, names and marks of the topic earn nothing: %j about %j has no %s', (text, topic, name) => {
  const { components } = evaluateHook(text, { platform: 'generic', language: 'en', topic });
  expect(components.find((part) => part.name === name)?.points).toBe(0);
});
