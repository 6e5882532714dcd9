import { describe, expect, it } from 'vitest';
import type { Program, Source, Variable } from '../../../src/templates/engine/engine.ts';
import { variablesOf } from '../../../src/templates/engine/language/variables.ts';
import { prepared, problemsOf } from './prepared.ts';

/** `name type`, with `?` after what is not required and `!` after what the schema declares. */
function told(variables: readonly Variable[]): string[] {
  return variables.map(
    ({ name, type, required, declared }) => `${name}${required ? '' : '?'}${declared ? '!' : ''} ${type}`,
  );
}

function read(html: string, schema?: Source['schema']): string[] {
  return told(prepared({ html, schema }).variables);
}

describe('the variables of a template are read from its paths', () => {
  it.each([
    [
      '{{name}} {{user.first_name}} {{user.[last name]}}',
      ['name string', 'user object', 'user.first_name string', 'user.[last name] string'],
    ],
    ['{{this.a}} {{./b}} {{@root.c}} {{a}}', ['a string', 'b string', 'c string']],
    ['{{"d e"}} {{currency}} {{@index}}', ['[d e] string', 'currency string']],
    [
      '{{#each items}}{{name}}{{../sign}}{{price.amount}}{{@index}}{{/each}}',
      [
        'items array',
        'items[].name string',
        'sign string',
        'items[].price object',
        'items[].price.amount string',
      ],
    ],
    ['{{#each tags}}{{this}}{{/each}}{{join other}}', ['tags array', 'tags[] string', 'other array']],
    [
      '{{#each a as |b i|}}{{b.c}}{{i}}{{#each b.d as |e|}}{{e}}{{b.f}}{{/each}}{{/each}}',
      ['a array', 'a[].c string', 'a[].d array', 'a[].d[] string', 'a[].f string'],
    ],
    [
      '{{#with user}}{{name}}{{#with ../shop as |s|}}{{s.name}}{{../name}}{{/with}}{{/with}}',
      ['user object', 'user.name string', 'shop object', 'shop.name string'],
    ],
    ['{{items.0.name}} {{items.[1].name}} {{items.length}}', ['items array', 'items[].name string']],
    ['{{#each map}}{{@key}}{{this}}{{/each}}', ['map array', 'map[] string']],
    ['{{lookup names key}} {{names.a}}', ['names any', 'key string', 'names.a string']],
    ['{{#with (lookup a b)}}{{hidden}}{{../c}}{{/with}}', ['a any', 'b string', 'c string']],
    [
      '{{currency total code}} {{formatNumber n}} {{upper s}} {{formatDate d}} {{pluralize k "x"}}',
      ['total number', 'code string', 'n number', 's string', 'd string', 'k number'],
    ],
    ['{{t "hello" name=user.name}}', ['translations? any', 'user object', 'user.name string']],
    ['{{this}}', ['this? any']],
    ['{{! {{a}} }}{{!-- {{b}} --}}\\{{c}}{{{{raw}}}}{{d}}{{{{/raw}}}}', ['raw? boolean']],
  ])('%s', (html, expected) => {
    expect(read(html)).toEqual(expected);
  });
});

describe('what a template asks for first, or has a fallback for, is optional', () => {
  it.each([
    ['{{#if a}}{{a}}{{/if}}', ['a? string']],
    ['{{#if a}}x{{/if}}', ['a? boolean']],
    ['{{#if a}}{{b}}{{/if}}', ['a? boolean', 'b string']],
    ['{{#if a}}{{a}}{{/if}}{{a}}', ['a string']],
    ['{{#if a}}{{else}}{{a}}{{/if}}', ['a? string']],
    ['{{#unless a}}none{{else}}{{a}}{{/unless}}', ['a? string']],
    ['{{#if (and a (not b))}}{{a}}{{b}}{{/if}}', ['a? string', 'b? string']],
    ['{{#if (eq plan "pro")}}{{/if}}{{#if (gt n 3)}}{{/if}}', ['plan? string', 'n? number']],
    ['{{#eq plan "pro"}}{{plan}}{{/eq}}', ['plan? string']],
    ['{{#if user}}{{user.name}}{{/if}}', ['user? object', 'user.name string']],
    ['{{#if user.name}}{{user.name}}{{/if}}', ['user? object', 'user.name? string']],
    ['{{#if items.length}}{{#each items}}{{x}}{{/each}}{{/if}}', ['items? array', 'items[].x string']],
    ['{{#each items}}{{x}}{{else}}none{{/each}}', ['items? array', 'items[].x string']],
    ['{{#with user}}{{name}}{{else}}none{{/with}}', ['user? object', 'user.name string']],
    [
      '{{#items}}{{x}}{{/items}}{{#flag}}yes{{/flag}}{{^gone}}no{{/gone}}',
      ['items? array', 'items[].x string', 'flag? boolean', 'gone? boolean'],
    ],
    [
      '{{default a "x"}} {{upper (default b "y")}} {{default n 1}} {{default c d}}',
      ['a? string', 'b? string', 'n? number', 'd string', 'c? string'],
    ],
  ])('%s', (html, expected) => {
    expect(read(html)).toEqual(expected);
  });
});

describe('inline partials are read where they are used', () => {
  it.each([
    ['{{#*inline "r"}}{{x}}{{/inline}}{{#each items}}{{> r}}{{/each}}', ['items array', 'items[].x string']],
    ['{{#*inline "r"}}{{x}}{{y}}{{/inline}}{{> r user y=z}}', ['user object', 'z string', 'user.x string']],
    ['{{#*inline "r"}}{{x}}{{> r y}}{{/inline}}{{> r a}}', ['a object', 'a.x string', 'a.y object']],
    ['{{#> page}}{{#*inline "nav"}}{{x}}{{/inline}}{{y}}{{/page}}', ['y string', 'x string']],
    ['{{#> card user}}{{name}}{{/card}}', ['user object', 'user.name string']],
  ])('%s', (html, expected) => {
    expect(read(html).slice(0, expected.length)).toEqual(expected);
  });
});

describe('a schema declares', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Who gets it', default: 'you' },
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: { price: { type: 'integer' }, note: { type: ['string', 'null'] } },
        },
      },
      tags: { type: 'array', items: { type: 'string' } },
      body: { type: 'string', format: 'html' },
      anything: true,
    },
  };

  it('types, defaults and descriptions, and joins them with what is read', () => {
    expect(
      prepared({ html: '{{name}}{{#each items}}{{price}}{{/each}}{{other}}', schema }).variables,
    ).toEqual([
      {
        name: 'name',
        type: 'string',
        required: false,
        declared: true,
        default: 'you',
        description: 'Who gets it',
      },
      { name: 'items', type: 'array', required: true, declared: true },
      { name: 'items[].price', type: 'number', required: true, declared: true },
      { name: 'other', type: 'string', required: true, declared: false },
      { name: 'items[].note', type: 'string', required: false, declared: true },
      { name: 'tags', type: 'array', required: false, declared: true },
      { name: 'tags[]', type: 'string', required: false, declared: true },
      { name: 'body', type: 'html', required: false, declared: true },
      { name: 'anything', type: 'any', required: false, declared: true },
    ]);
  });

  it('what is required, whatever the template says, where it has a list of it', () => {
    const listed = { properties: { a: {}, b: {}, c: { default: 1 } }, required: ['b', 'c'] };
    expect(read('{{a}}{{#if b}}{{/if}}{{d}}', listed)).toEqual([
      'a?! string',
      'b! boolean',
      'd string',
      'c! any',
    ]);
  });

  it('an object whose fields all have defaults as one that need not be sent', () => {
    const nested = { properties: { user: { properties: { name: { default: 'you' } } } } };
    expect(read('{{user.name}}', nested)).toEqual(['user?! object', 'user.name?! string']);
  });

  it.each([
    [{ type: 'array' }, ['template_invalid.schema_root schema']],
    [[], ['template_invalid.schema_root schema']],
    [{ properties: [] }, ['template_invalid.schema_field schema.properties']],
    [{ required: 'a' }, ['template_invalid.schema_field schema.required']],
    [
      { properties: { a: 1, b: { properties: 2 } } },
      [
        'template_invalid.schema_field schema.properties.a',
        'template_invalid.schema_field schema.properties.b.properties',
      ],
    ],
    [
      { properties: Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`p${index}`, {}])) },
      ['template_too_complex.schema schema.properties.p500'],
    ],
    [{ properties: { a: { description: 'x'.repeat(65_536) } } }, ['template_too_complex.size schema']],
    [
      nest(9),
      [
        'template_too_complex.schema schema.properties.a.properties.a.properties.a.properties.a.properties.a.properties.a.properties.a.properties.a.properties.a',
      ],
    ],
  ])('and is refused when it is %j', (wrong, problems) => {
    expect(problemsOf({ html: '', schema: wrong as Source['schema'] })).toEqual(problems);
  });
});

function nest(levels: number): object {
  return levels === 0 ? {} : { properties: { a: nest(levels - 1) } };
}

describe('a composition', () => {
  const partial = (html: string, schema?: Source['schema']) => prepared({ kind: 'partial', html, schema });
  const whole = (html: string, partials: Record<string, Program>, layout?: Program) =>
    told(variablesOf({ program: prepared(html), partials: new Map(Object.entries(partials)), layout }));

  it('reads what its partials read, said from the root of the data', () => {
    const row = partial('{{name}} {{@root.shop}} {{sign}} {{this}} {{#each parts}}{{x}}{{/each}}');
    expect(whole('{{#each items}}{{> row sign=../currency}}{{/each}}', { row })).toEqual([
      'items array',
      'currency string',
      'items[].name string',
      'shop string',
      'items[]? any',
      'items[].parts array',
      'items[].parts[].x string',
    ]);
  });

  it('reads its layout from the same root', () => {
    const layout = prepared({ kind: 'layout', html: '{{title}}{{> @partial-block}}{{> foot}}' });
    expect(whole('{{name}}', { foot: partial('{{year}}') }, layout)).toEqual([
      'name string',
      'title string',
      'year string',
    ]);
  });

  it('drops what a call gives as a fixed value or only the data decides', () => {
    const p = partial('{{a}}{{b.c}}{{d}}');
    expect(whole('{{> p a="x" b=y}}{{#with (lookup z k)}}{{> p}}{{/with}}', { p })).toEqual([
      'y object',
      'z any',
      'k string',
      'y.c string',
      'd string',
    ]);
  });

  it('asks for nothing that was asked for before the partial', () => {
    expect(
      whole('{{#if promo}}{{> p}}{{> p promo=promo}}{{/if}}', { p: partial('{{promo}}{{code}}') }),
    ).toEqual(['promo? string', 'code string']);
  });

  it('takes types and defaults from the schemas of its parts', () => {
    const p = partial('{{sign}}', { properties: { sign: { type: 'string', default: '€' } } });
    expect(whole('{{#each items}}{{> p}}{{sign}}{{/each}}', { p })).toEqual([
      'items array',
      'items[].sign! string',
    ]);
  });

  it('ends where partials use themselves', () => {
    const tree = partial('{{name}}{{#each children}}{{> tree}}{{/each}}');
    expect(whole('{{> tree}}', { tree })).toEqual(['name string', 'children array']);
  });

  it('stays bounded where partials fan out', () => {
    const parts = Array.from(
      { length: 16 },
      (_, level) =>
        [
          `p${level}`,
          partial(`{{x}}${['a', 'b', 'c'].map((field) => `{{> p${level + 1} ${field}}}`).join('')}`),
        ] as const,
    );
    expect(whole('{{> p0}}', Object.fromEntries(parts)).length).toBeLessThan(4_100);
  });

  it('names the partials it cannot do without, and those it has a block for', () => {
    const program = prepared('{{> a}}{{#> b}}x{{/b}}{{#*inline "c"}}{{/inline}}{{> c}}{{#> a}}{{/a}}');
    expect(program).toMatchObject({ partials: ['a'], optionalPartials: ['b'] });
  });
});

it('too many variables, or too many ways to read them, are refused', () => {
  const many = Array.from({ length: 2_001 }, (_, index) => `{{v${index}}}`).join('');
  const fan = Array.from(
    { length: 30 },
    (_, index) => `{{#*inline "p${index}"}}{{> p${index + 1} a}}{{> p${index + 1} b}}{{/inline}}`,
  ).join('');
  expect(problemsOf(many)).toEqual(['template_too_complex.variables html 1:1']);
  expect(problemsOf(`${fan}{{> p0}}`)).toEqual(['template_too_complex.variables html 1:1']);
});
