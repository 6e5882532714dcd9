import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/templates/engine/variable.ts';
import { samples } from '../../support/samples.ts';
import { html, stock } from './prepared.ts';

const NAMES = ['a', 'b', 'items', 'user', 'x y'];
const name = fc.constantFrom('a', 'b', 'items', 'user', '[x y]');
const scalar = fc.oneof(
  fc.constantFrom<JsonObject[string]>(null, true, false, 0, 1, -2.5, '', 'text', '<&>"\'`=', '7', 'ünï'),
  fc.string({ maxLength: 5 }),
);
/** Objects with fields of these names, nested. */
function objects(names: readonly string[]): fc.Arbitrary<JsonObject> {
  return fc.letrec<{ object: JsonObject; value: JsonObject[string] }>((tie) => ({
    object: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 5, noNullPrototype: true }),
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      scalar,
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
  })).object;
}

const path = fc.oneof(
  name,
  fc.tuple(name, name).map(([a, b]) => `${a}.${b}`),
  fc.constantFrom(
    'this',
    '.',
    '../a',
    '../items',
    '@root.user',
    '@index',
    '@key',
    '@first',
    '@last',
    'items.length',
    'items.[0]',
  ),
);
const literal = fc.constantFrom('"a"', "'b'", '1', '0', 'true', 'null', 'undefined');
const { expression } = fc.letrec<{ expression: string; call: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small' },
    path,
    literal,
    tie('call').map((call) => `(${call})`),
  ),
  call: fc.oneof(
    fc
      .tuple(
        fc.constantFrom('eq', 'ne', 'lt', 'gt', 'and', 'or', 'default', 'lookup'),
        tie('expression'),
        tie('expression'),
      )
      .map((parts) => parts.join(' ')),
    fc
      .tuple(fc.constantFrom('upper', 'lower', 'not', 'join', 'encodeURIComponent'), tie('expression'))
      .map((parts) => parts.join(' ')),
  ),
}));
const tilde = fc.constantFrom('', '', '', '~');
const gap = fc.constantFrom('', '', ' ', '\n', '\n  ', ' text ', '<b>', '</b>\n', '\r\n', '&amp;');

const { template } = fc.letrec<{ template: string; part: string }>((tie) => ({
  template: fc
    .array(
      fc.tuple(gap, tie('part'), gap).map((parts) => parts.join('')),
      { maxLength: 4 },
    )
    .map((parts) => parts.join('')),
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(tilde, path, tilde).map(([open, inner, close]) => `{{${open}${inner}${close}}}`),
    fc
      .tuple(fc.constantFrom('upper', 'lower', 'not'), expression)
      .map(([helper, value]) => `{{${helper} ${value}}}`),
    fc.constantFrom(
      '{{! note }}',
      '{{!-- {{a}} --}}',
      '\\{{a}}',
      '{{> p}}',
      '{{> p user}}',
      '{{> q a=b}}',
      '{{#> none}}{{a}}{{/none}}',
    ),
    fc
      .tuple(
        fc.constantFrom('if', 'unless', 'each', 'with'),
        expression,
        tilde,
        tie('template'),
        tilde,
        tie('template'),
      )
      .map(
        ([block, value, open, body, close, other]) =>
          `{{#${block} ${value}${open}}}${body}{{${close}else}}${other}{{/${block}}}`,
      ),
    fc
      .tuple(fc.constantFrom('each', 'with'), path, tie('template'))
      .map(
        ([block, value, body]) => `{{#${block} ${value} as |one two|}}{{one.a}}{{two}}${body}{{/${block}}}`,
      ),
    fc.tuple(name, tie('template')).map(([section, body]) => `{{#${section}}}${body}{{/${section}}}`),
    fc.tuple(name, tie('template')).map(([section, body]) => `{{^${section}}}${body}{{/${section}}}`),
    fc
      .tuple(tie('template'), tie('template'))
      .map(([body, rest]) => `{{#*inline "r"}}${body}{{/inline}}${rest}{{> r}}`),
    tie('template').map((body) => `{{#> q}}${body}{{/q}}`),
  ),
}));

const PARTIALS = {
  p: '({{a}}{{#each items}}{{this}},{{/each}})',
  q: '[{{#> @partial-block}}none{{/@partial-block}}{{a}}]',
};

it('renders any template with any data exactly as Handlebars does', () => {
  fc.assert(
    fc.property(template, objects(NAMES), (source, data) => {
      expect(html(source, data, { partials: PARTIALS })).toBe(stock(source, data, PARTIALS));
    }),
    { numRuns: samples(300) },
  );
});

it('fails with nothing but a fault, whatever the fields are called', () => {
  const names = [
    ...NAMES,
    'toString',
    'valueOf',
    'toHTML',
    'length',
    'constructor',
    '__proto__',
    'call',
    'fn',
  ];
  fc.assert(
    fc.property(template, objects(names), (source, data) => {
      try {
        expect(html(source, data, { partials: PARTIALS })).not.toContain('native code');
      } catch (error) {
        expect(error).toMatchObject({ key: 'template_invalid.value' });
      }
    }),
    { numRuns: samples(300) },
  );
});
