import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brokenBound, hasNonText } from '../../src/platform/json-size.ts';

const bounds = { levels: 3, chars: 30 };

test.each([
  ['a small value', { a: ['b', 1, null] }, undefined],
  ['strings that are long together', ['x'.repeat(15), 'x'.repeat(16)], 'chars'],
  ['names that are long together', { ['n'.repeat(31)]: 1 }, 'chars'],
  ['three levels', [[[1]]], undefined],
  ['four levels', [[[[1]]]], 'levels'],
])('%s', (_case, value, broken) => {
  expect(brokenBound(value, bounds)).toBe(broken);
});

test('a million levels are told as such, in no time and without a stack', () => {
  const deep: unknown = JSON.parse('['.repeat(1_000_000) + ']'.repeat(1_000_000));
  expect(brokenBound(deep, { levels: 100, chars: 1e6 })).toBe('levels');
});

test('what keeps within its own measured size breaks no bound', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      expect(brokenBound(value, { levels: 6, chars: JSON.stringify(value).length * 8 })).toBeUndefined();
    }),
  );
});

test.each([
  ['text', { a: ['b', { 'ñ 🙂': 1 }] }, false],
  ['a NUL', { a: ['b\0'] }, true],
  ['half a character', [{ a: '\ud800' }], true],
  ['a name that is none', { deep: [{ 'x\0': 1 }] }, true],
  ['a bare string that is none', '\udfff', true],
])('what is no text is found: %s', (_case, value, found) => {
  expect(hasNonText(value)).toBe(found);
});
