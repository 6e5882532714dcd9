import { expect, test } from 'vitest';
import { maskExpressions } from '../../../src/templates/finish/mjml/mask-expressions.ts';

test.each([
  ['{{a}} {{{b}}} {{~c~}}', ['{{a}}', '{{{b}}}', '{{~c~}}']],
  ['{{! it\'s }} {{!-- "}} --}} x', ["{{! it's }}", '{{!-- "}} --}}']],
  [`{{default a "}}"}} {{#if (eq a '<"')}}`, ['{{default a "}}"}}', `{{#if (eq a '<"')}}`]],
  [String.raw`{{a "\"}}"}}`, [String.raw`{{a "\"}}"}}`]],
  ["{{[it's }}]}} {{b}}", ["{{[it's }}]}}", '{{b}}']],
  ['a {{ b', []],
])('the mustaches of %s', (source, mustaches) => {
  const { marks, text, unmask } = maskExpressions(source);
  expect(marks.map(({ mustache }) => mustache)).toEqual(mustaches);
  expect(text).not.toContain('{{default');
  expect(unmask(text)).toBe(source);
});

test('a word that the source holds already is not taken for a mustache', () => {
  const source = 'mustache0x {{a}} mustacheq0x';
  const { text, unmask } = maskExpressions(source);
  expect(text).toBe('mustache0x mustacheqq0x mustacheq0x');
  expect(unmask(text)).toBe(source);
});

test('lines and columns are those of the source, whatever a mustache takes', () => {
  const { text, marks, sourceLine, placesIn } = maskExpressions('a\n {{b\n\n}}{{c}}\n{{d}}');
  expect(marks.map(({ line, col }) => [line, col])).toEqual([
    [2, 2],
    [4, 3],
    [5, 1],
  ]);
  expect([1, 2, 3].map(sourceLine)).toEqual([1, 2, 5]);
  const [first = '', , last = ''] = marks.map(({ word }) => word);
  expect(text).toContain(first);
  expect(placesIn(`${last}\n${first} ${last}`)).toEqual([
    { from: { line: 5, col: 1 }, to: { line: 1, col: 1 } },
    { from: { line: 2, col: 2 }, to: { line: 2, col: 1 } },
    { from: { line: 5, col: 1 }, to: { line: 4, col: 4 } },
  ]);
});
