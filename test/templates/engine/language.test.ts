import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/templates/engine/variable.ts';
import { html, output, prepared, stock } from './prepared.ts';

type Case = [template: string, data: JsonObject, expected: string, partials?: Record<string, string>];

const order = {
  id: 7,
  user: { name: 'Ana & Co', vip: true, 'first name': 'Ana' },
  items: [
    { name: 'Mug', price: 4.5, tags: ['new', 'blue'] },
    { name: '<Cup>', price: 0, tags: [] },
  ],
  empty: [],
  none: null,
  zero: 0,
  no: false,
  yes: true,
  text: '',
  map: { a: 1, b: 2 },
  key: 'b',
};

const OPERATORS: Record<string, Case[]> = {
  paths: [
    ['{{id}} {{user.name}}', order, '7 Ana &amp; Co'],
    ['{{user/name}} {{this.id}} {{./id}}', order, 'Ana &amp; Co 7 7'],
    ['{{user.[first name]}} {{items.[1].name}} {{items.0.price}}', order, 'Ana &lt;Cup&gt; 4.5'],
    ['[{{none}}{{missing}}{{user.missing.deeper}}{{text}}]', order, '[]'],
    ['{{zero}} {{no}} {{yes}} {{items.length}}', order, '0 false true 2'],
    ['{{user}} {{map}} {{items.0.tags}}', order, '[object Object] [object Object] new,blue'],
    ['{{@root.user.name}}{{#with map}} {{@root.id}}{{/with}}', order, 'Ana &amp; Co 7'],
    ['{{"id"}} {{[user].name}} {{! a comment }}{{!-- {{id}} --}}', order, '7 Ana &amp; Co '],
    [`"'\`=&<> {{x}}`, { x: `"'\`=&<>` }, `"'\`=&<> &quot;&#x27;&#x60;&#x3D;&amp;&lt;&gt;`],
    ['{{length}} {{toString}} {{valueOf}}', { length: 3, toString: 'a', valueOf: 'b' }, '3 a b'],
  ],
  each: [
    ['{{#each items}}{{name}} {{/each}}', order, 'Mug &lt;Cup&gt; '],
    ['{{#each items}}{{@index}}{{@first}}{{@last}}{{@key}};{{/each}}', order, '0truefalse0;1falsetrue1;'],
    ['{{#each map}}{{@key}}={{this}},{{/each}}', order, 'a=1,b=2,'],
    ['{{#each empty}}x{{else}}nothing{{/each}}', order, 'nothing'],
    [
      '{{#each items}}{{#each tags}}{{../name}}:{{.}}@{{@../index}} {{/each}}{{/each}}',
      order,
      'Mug:new@0 Mug:blue@0 ',
    ],
    [
      '{{#each items as |item at|}}{{at}}{{item.name}}{{#if item.price}}+{{/if}} {{/each}}',
      order,
      '0Mug+ 1&lt;Cup&gt; ',
    ],
    ['{{#each missing}}x{{/each}}{{#each text}}x{{/each}}{{#each zero}}x{{/each}}', order, ''],
    ['{{#each items}}{{../id}}{{@root.id}}{{#each ../map}}{{../../id}}{{/each}}{{/each}}', order, '77777777'],
  ],
  if: [
    ['{{#if yes}}a{{/if}}{{#if no}}b{{/if}}', order, 'a'],
    ['{{#if zero}}a{{else}}b{{/if}} {{#if zero includeZero=true}}a{{/if}}', order, 'b a'],
    ['{{#if empty}}a{{else if none}}b{{else if user.vip}}c{{else}}d{{/if}}', order, 'c'],
    ['{{#if text}}a{{else}}b{{/if}}{{#if missing.deeper}}a{{else}}b{{/if}}', order, 'bb'],
    ['{{#if user}}{{#if user.vip}}{{user.name}}{{/if}}{{/if}}', order, 'Ana &amp; Co'],
    ['{{#each items}}{{#if @first}}first{{else}}, {{name}}{{/if}}{{/each}}', order, 'first, &lt;Cup&gt;'],
  ],
  unless: [
    ['{{#unless no}}a{{/unless}}{{#unless yes}}b{{/unless}}', order, 'a'],
    ['{{#unless empty}}a{{else}}b{{/unless}}', order, 'a'],
    ['{{#each items}}{{name}}{{#unless @last}}, {{/unless}}{{/each}}', order, 'Mug, &lt;Cup&gt;'],
    ['{{#unless zero includeZero=true}}a{{else}}b{{/unless}}', order, 'b'],
  ],
  with: [
    ['{{#with user}}{{name}} {{../id}}{{/with}}', order, 'Ana &amp; Co 7'],
    ['{{#with missing}}a{{else}}b{{id}}{{/with}}', order, 'b7'],
    [
      '{{#with user as |u|}}{{u.name}} {{#with ../map as |m|}}{{u.vip}}{{m.a}}{{/with}}{{/with}}',
      order,
      'Ana &amp; Co true1',
    ],
    ['{{#with empty}}a{{else}}b{{/with}}{{#with zero}}{{this}}{{/with}}', order, 'b0'],
  ],
  sections: [
    ['{{#user}}{{name}}{{/user}}{{#items}}{{name}}{{/items}}', order, 'Ana &amp; CoMug&lt;Cup&gt;'],
    ['{{#yes}}a{{id}}{{/yes}}{{#no}}b{{/no}}{{^no}}c{{/no}}', order, 'a7c'],
    ['{{#empty}}a{{^}}b{{/empty}}{{^items}}c{{/items}}', order, 'b'],
    ['{{#items}}{{#tags}}{{.}}-{{../name}} {{/tags}}{{/items}}', order, 'new-Mug blue-Mug '],
  ],
  lookup: [
    ['{{lookup map key}} {{lookup map "a"}}', order, '2 1'],
    ['{{#each items}}{{lookup ../map (lookup ../map "none")}}{{lookup tags 0}};{{/each}}', order, 'new;;'],
    ['[{{lookup missing key}}{{lookup map "constructor"}}{{lookup items "1"}}]', order, '[[object Object]]'],
    ['{{#with (lookup items 0)}}{{name}}{{/with}}', order, 'Mug'],
  ],
  partials: [
    ['a{{> foot}}b', order, 'a[7]b', { foot: '[{{id}}]' }],
    [
      '{{> foot user}} {{> foot user id=3}}',
      order,
      '[|Ana &amp; Co] [3|Ana &amp; Co]',
      { foot: '[{{id}}|{{name}}]' },
    ],
    [
      '{{#each items}}{{> row sign="$"}}{{/each}}',
      order,
      'Mug $4.5;&lt;Cup&gt; $0;',
      { row: '{{name}} {{sign}}{{price}};' },
    ],
    ['{{> a}}', order, '1 2 7', { a: '1 {{> b}}', b: '2 {{> my/part}}', 'my/part': '{{id}}' }],
    [
      '{{#with user}}{{> [a b]}}{{> "c"}}{{/with}}',
      order,
      '[][true]',
      { 'a b': '[{{../id}}]', c: '[{{vip}}]' },
    ],
    ['  {{> lines}}\nend', order, '  one\ntwo\nend', { lines: 'one\ntwo\n' }],
  ],
  'block partials': [
    ['{{#> card}}{{id}}{{/card}}', order, '<b>7</b>', { card: '<b>{{> @partial-block}}</b>' }],
    ['{{#> nowhere}}{{id}}{{/nowhere}}', order, '7'],
    [
      '{{#> card user}}{{name}}{{/card}}',
      order,
      '<b>Ana &amp; Co</b>',
      { card: '<b>{{> @partial-block}}</b>' },
    ],
    [
      '{{#> out}}a{{#> in}}b{{/in}}c{{/out}}',
      order,
      '(a[b]c)',
      { out: '({{> @partial-block}})', in: '[{{> @partial-block}}]' },
    ],
    [
      '{{#> twice}}{{@root.id}}{{/twice}}',
      order,
      '7-7',
      { twice: '{{> @partial-block}}-{{> @partial-block}}' },
    ],
  ],
  'inline partials': [
    ['{{#*inline "row"}}({{name}}){{/inline}}{{#each items}}{{> row}}{{/each}}', order, '(Mug)(&lt;Cup&gt;)'],
    [
      '{{#*inline "x"}}1{{/inline}}{{> x}}{{#if yes}}{{#*inline "x"}}2{{/inline}}{{> x}}{{/if}}{{> x}}',
      order,
      '121',
    ],
    [
      '{{#> page}}{{#*inline "head"}}H{{id}}{{/inline}}{{/page}}',
      order,
      '[H7|none]',
      { page: '[{{> head}}|{{#> foot}}none{{/foot}}]' },
    ],
    ['{{#*inline "a"}}{{x}}{{/inline}}{{> a x=id}}{{> a user}}', order, '7'],
  ],
  subexpressions: [
    ['{{#if (and yes (not no))}}a{{/if}}', order, 'a'],
    ['{{upper (default missing (lower "ABC"))}}', order, 'ABC'],
    ['{{#each (lookup items 0)}}{{@key}} {{/each}}', order, 'name price tags '],
    ['{{join (lookup items.[0] "tags") "+"}} {{> p x=(upper key)}}', order, 'new+blue B', { p: '{{x}}' }],
    [
      '{{#eq key "b"}}is b{{else}}is not{{/eq}} {{eq key "b"}} {{#gt id 9}}big{{else}}small{{/gt}}',
      order,
      'is b true small',
    ],
  ],
  'whitespace control': [
    ['a  {{~id~}}  b {{~#if yes~}}  c  {{~else~}} d {{~/if~}} e', order, 'a7bce'],
    [
      '<ul>\n  {{#each items}}\n  <li>{{name}}</li>\n  {{/each}}\n</ul>',
      order,
      '<ul>\n  <li>Mug</li>\n  <li>&lt;Cup&gt;</li>\n</ul>',
    ],
    ['a\n{{! alone }}\nb\n{{#if yes}}\nc\n{{else}}\nd\n{{/if}}\ne', order, 'a\nb\nc\ne'],
    ['{{#if yes}} a {{/if}}\r\n{{> p}}\r\nb', order, ' a \r\npb', { p: 'p' }],
  ],
  'raw blocks and escapes': [
    ['{{{{if yes}}}} {{id}} {{#x}} {{{{/if}}}}', order, ' {{id}} {{#x}} '],
    ['{{{{user}}}}{{name}}{{{{/user}}}}', order, '{{name}}'],
    ['\\{{id}} \\\\{{id}} {{id}}', order, '{{id}} \\7 7'],
    ['{{{{no}}}}{{name}}{{{{/no}}}}|', order, '|'],
  ],
};

// Stock Handlebars prints the content without its data to decide: 'none' for each but the last.
it.each([
  ['{{#> card}}{{id}}{{/card}}', '<b>7</b>'],
  ['{{#> card}}{{missing}}{{/card}}', '<b></b>'],
  ['{{> card}}', 'none'],
  ['{{#> card}}static{{/card}}', '<b>static</b>'],
])('{{#if @partial-block}} asks whether a partial was given content: %s', (template, expected) => {
  const card = '{{#if @partial-block}}<b>{{> @partial-block}}</b>{{else}}none{{/if}}';
  expect(html(template, { id: 7 }, { partials: { card } })).toBe(expected);
  const turned = '{{#unless @partial-block}}none{{else}}<b>{{> @partial-block}}</b>{{/unless}}';
  expect(html(template, { id: 7 }, { partials: { card: turned } })).toBe(expected);
});

describe.each(Object.entries(OPERATORS))('%s', (_operator, cases) => {
  it.each(cases)('%j', (template, data, expected, partials = {}) => {
    expect(html(template, data, { partials })).toBe(expected);
    expect(stock(template, data, partials)).toBe(expected);
  });
});

describe('where the engine means to differ', () => {
  it('reads a name without arguments as the variable, whatever helper has that name', () => {
    const data = { currency: 'EUR', t: 'T', log: 'L', join: [1, 2] };
    expect(html('{{currency}} {{t}} {{log}} {{#join}}{{.}}{{/join}} {{upper currency}}', data)).toBe(
      'EUR T L 12 EUR',
    );
  });

  it('prints neighbouring numbers side by side in a text, where Handlebars adds them up', () => {
    const program = prepared({ html: '', subject: '{{a}}{{b}}', text: '{{{a}}}{{b}}' });
    expect(output(program, { a: 1, b: 2 })).toMatchObject({ subject: '12', text: '12' });
    expect(stock('{{{a}}}{{{b}}}', { a: 1, b: 2 })).toBe('3');
  });
});
