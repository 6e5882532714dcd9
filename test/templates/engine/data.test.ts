import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/templates/engine/engine.ts';
import { type OnMissing, prepareData } from '../../../src/templates/engine/render/data.ts';
import type { JsonObject } from '../../../src/templates/engine/variable.ts';
import { html, prepared } from './prepared.ts';

function prepare(
  template: string,
  data: JsonObject,
  onMissing: OnMissing = 'fallback',
  schema?: Source['schema'],
) {
  const { warnings, ...rest } = prepareData(prepared({ html: template, schema }).variables, data, onMissing);
  return warnings.length === 0 ? rest : { ...rest, warnings };
}

const nothing = { missing: [], unused: [], defaulted: [], mismatches: [] };

describe('data is compared with what the template reads', () => {
  it.each<[string, JsonObject, object]>([
    ['{{name}}', { name: 'Ana' }, nothing],
    ['{{name}} {{city}}', { name: 'Ana' }, { missing: ['city'] }],
    ['{{name}}', { name: null }, { missing: ['name'] }],
    ['{{name}}', { name: '' }, nothing],
    ['{{n}} {{b}}', { n: 0, b: false }, nothing],
    ['{{user.name}} {{user.age}}', {}, { missing: ['user.name', 'user.age'] }],
    ['{{user.name}} {{user.age}}', { user: { name: 'Ana' } }, { missing: ['user.age'] }],
    ['{{#if user}}{{user.name}}{{/if}}', {}, nothing],
    ['{{#if user}}{{user.name}}{{/if}}', { user: {} }, { missing: ['user.name'] }],
    ['{{#each items}}{{price}}{{/each}}', {}, { missing: ['items'] }],
    ['{{#each items}}{{price}}{{/each}}', { items: [] }, nothing],
    ['{{#each items}}{{price}}{{/each}}', { items: [{ price: 1 }, {}, {}] }, { missing: ['items[].price'] }],
    ['{{#each items}}{{price}}{{else}}-{{/each}}', {}, nothing],
    ['{{#each map}}{{x}}{{/each}}', { map: { a: { x: 1 }, b: {} } }, { missing: ['map[].x'] }],
    ['{{name}}', { name: 'a', extra: 1, more: { a: 1, b: 2 } }, { unused: ['extra', 'more'] }],
    ['{{user.name}}', { user: { name: 'a', age: 1 } }, { unused: ['user.age'] }],
    [
      '{{#each items}}{{a}}{{/each}}',
      {
        items: [
          { a: 1, 'b c': 2 },
          { a: 1, 'b c': 3 },
        ],
      },
      { unused: ['items[].[b c]'] },
    ],
    ['{{join tags}}{{user}}', { tags: ['a', { b: 1 }], user: 'Ana' }, nothing],
    ['{{lookup map key}}', { map: { a: { b: 1 } }, key: 'a' }, nothing],
    ['{{#each this}}{{@key}}{{/each}}{{this}}', { a: 1, b: { c: 2 } }, nothing],
    ['{{t "a"}}', { translations: { en: { a: 'b' } } }, nothing],
    ['{{#if a}}{{/if}}{{default b "x"}}', {}, { defaulted: ['b'] }],
    ['{{default b "x"}}', { b: '' }, { defaulted: ['b'] }],
    ['{{default b "x"}}', { b: 'y' }, nothing],
    ['{{default b "x"}}{{b}}', {}, { missing: ['b'] }],
  ])('%s with %j', (template, data, found) => {
    expect(prepare(template, data)).toEqual({ ...nothing, ...found, data });
  });

  it.each<[string, JsonObject, string, string, string]>([
    ['{{#each items}}{{x}}{{/each}}', { items: 'a' }, 'items', 'array', 'string'],
    ['{{user.name}}', { user: ['a'] }, 'user', 'object', 'array'],
    ['{{user.name}}', { user: 1 }, 'user', 'object', 'number'],
    ['Hello {{user}}', { user: { name: 'Ana' } }, 'user', 'string', 'object'],
    ['{{#each items}}{{x}}{{/each}}', { items: [{ x: {} }] }, 'items[].x', 'string', 'object'],
    ['{{currency price "EUR"}}', { price: {} }, 'price', 'number', 'object'],
  ])('%s with %j has a value of the wrong type', (template, data, variable, expected, found) => {
    expect(prepare(template, data)).toEqual({
      ...nothing,
      data,
      mismatches: [{ name: variable, expected, got: found }],
      warnings: [{ key: 'wrong_type', params: { variable, expected, found } }],
    });
  });

  it('a section takes a list, an object or a boolean', () => {
    const template = '{{#a}}{{x}}{{/a}}';
    for (const a of [true, false, [{ x: 1 }], { x: 1 }])
      expect(prepare(template, { a })).toEqual({ ...nothing, data: { a } });
  });
});

describe('defaults of the schema stand in for what is lacking', () => {
  const schema = {
    properties: {
      name: { default: 'you' },
      user: { properties: { city: { default: 'Paris' }, age: {} } },
      items: { type: 'array', items: { type: 'object', properties: { sign: { default: '€' } } } },
      plan: { properties: { title: { default: 'Free' } } },
    },
  };
  const template =
    '{{name}} {{user.city}} {{user.age}} {{#each items}}{{sign}}{{/each}}{{#if plan}}{{plan.title}}{{/if}}';

  it('in a copy, which shares what did not change', () => {
    const data = Object.freeze({
      name: null,
      items: Object.freeze([Object.freeze({ sign: '$' }), Object.freeze({})]),
      user: Object.freeze({ age: 3 }),
    });
    const prepared = prepare(template, data as unknown as JsonObject, 'error', schema);
    expect(prepared).toEqual({
      data: { name: 'you', items: [{ sign: '$' }, { sign: '€' }], user: { age: 3, city: 'Paris' } },
      missing: [],
      unused: [],
      defaulted: ['name', 'user.city', 'items[].sign'],
      mismatches: [],
    });
    expect(prepared.data['items']).not.toBe(data.items);
    expect((prepared.data['items'] as JsonObject[])[0]).toBe(data.items[0]);
  });

  it('also where the object around them is lacking, unless the template asks for that object', () => {
    expect(prepare(template, { items: [] }, 'fallback', schema)).toEqual({
      data: { name: 'you', items: [], user: { city: 'Paris' } },
      missing: ['user.age'],
      unused: [],
      defaulted: ['name', 'user.city'],
      mismatches: [],
    });
  });

  it('and an object the schema does not require is not asked for its fields', () => {
    const optional = {
      required: [],
      properties: {
        address: { required: ['street'], properties: { street: {}, country: { default: 'ES' } } },
      },
    };
    expect(prepare('{{address.street}} {{address.country}}', {}, 'error', optional)).toEqual({
      ...nothing,
      data: {},
    });
    expect(prepare('{{address.street}}', { address: {} }, 'error', optional)).toMatchObject({
      missing: ['address.street'],
      defaulted: ['address.country'],
    });
  });
});

describe('what a schema declares is compared by type', () => {
  const schema = {
    properties: {
      text: { type: 'string' },
      price: { type: 'number' },
      vip: { type: 'boolean' },
      items: { type: 'array', items: { type: 'object', properties: { amount: { type: 'integer' } } } },
      address: { type: 'object', properties: {} },
      html: { format: 'html' },
      anything: {},
    },
  };
  const template =
    '{{text}}{{price}}{{vip}}{{#each items}}{{amount}}{{/each}}{{address.x}}{{html}}{{anything}}';
  const fitting: JsonObject = {
    text: 'a',
    price: 9.5,
    vip: false,
    items: [{ amount: 1 }],
    address: { x: 1 },
    html: '<p>',
    anything: 'a',
  };

  it.each<[JsonObject, string[]]>([
    [{}, []],
    [{ text: 5, price: '9.50', items: [] }, []],
    [{ price: 'abc' }, ['price: string, not number']],
    [{ price: '' }, ['price: string, not number']],
    [{ price: true }, ['price: boolean, not number']],
    [{ text: { y: 1 } }, ['text: object, not string']],
    [{ text: [] }, ['text: array, not string']],
    [{ text: true }, ['text: boolean, not string']],
    [{ vip: 'false' }, ['vip: string, not boolean']],
    [{ items: { a: 1 } }, ['items: object, not array']],
    [{ items: [{ amount: 'two' }, { amount: {} }] }, ['items[].amount: object, not number']],
    [{ address: 'Main St 1' }, ['address: string, not object']],
    [{ html: {} }, ['html: object, not html']],
  ])('%j differs as %j', (change, expected) => {
    const { mismatches } = prepare(template, { ...fitting, ...change }, 'fallback', schema);
    expect(mismatches.map(({ name, expected, got }) => `${name}: ${got}, not ${expected}`)).toEqual(expected);
  });
});

describe('keep leaves the name where the value is lacking', () => {
  it.each<[string, JsonObject, string]>([
    ['{{name}}, {{user.name}}', {}, '{{name}}, {{user.name}}'],
    [
      '{{#each items}}{{price}} {{../sign}};{{/each}}',
      { items: [{}, { price: 1 }] },
      '{{price}} {{sign}};1 {{sign}};',
    ],
    ['<a href="{{url}}">', {}, '<a href="{{url}}">'],
    [
      '{{upper name}} {{currency total "EUR"}} {{formatDate at}} {{truncate text 3}}',
      {},
      '{{name}} {{total}} {{at}} {{text}}',
    ],
    ['{{#each items}}x{{/each}}{{#if flag}}y{{/if}}', {}, ''],
  ])('%s with %j', (template, data, expected) => {
    expect(html(template, prepare(template, data, 'keep').data)).toBe(expected);
  });
});

it('fields with names of the prototype are data like any other', () => {
  const data: JsonObject = JSON.parse(
    '{"__proto__": {"a": 1}, "constructor": 2, "toString": 3, "x": {"__proto__": 4}}',
  );
  const template =
    '{{[__proto__].a}}{{[__proto__].b}}{{constructor}}{{toString}}{{x.[__proto__]}}{{hasOwnProperty}}';
  const schema = { properties: JSON.parse('{"__proto__": {"properties": {"b": {"default": 5}}}}') };
  const found = prepare(template, data, 'fallback', schema);
  expect(found).toMatchObject({ missing: ['hasOwnProperty'], unused: [], defaulted: ['__proto__.b'] });
  expect(JSON.stringify(found.data)).toBe(
    '{"__proto__":{"a":1,"b":5},"constructor":2,"toString":3,"x":{"__proto__":4}}',
  );
  expect(html(template, found.data)).toBe('15234');
});

it('looks at a hundred thousand values and says so when there are more', () => {
  const items = Array.from({ length: 60_000 }, () => ({ a: 1 }));
  const { warnings } = prepareData(
    prepared('{{#each items}}{{a}}{{/each}}').variables,
    { items },
    'fallback',
  );
  expect(warnings).toEqual([{ key: 'data_partly_checked', params: { limit: 100_000 } }]);
});

it('lists at most a hundred unused fields', () => {
  const data = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, index]));
  expect(prepareData([], data, 'fallback').unused).toHaveLength(100);
});

it('never changes the data it is given, nor loses any of it', () => {
  const template = '{{a}} {{b.c}} {{#each d}}{{e}}{{#each f}}{{this}}{{/each}}{{/each}}';
  const schema = {
    properties: {
      a: { default: [1] },
      b: { properties: { c: { default: 'x' } } },
      d: { items: { properties: { e: { default: 0 } } } },
    },
  };
  const { variables } = prepared({ html: template, schema });
  const { object } = fc.letrec<{ object: JsonObject; value: JsonObject[string] }>((tie) => ({
    object: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', '__proto__'), tie('value'), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, 1, 'x', true),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
  }));
  fc.assert(
    fc.property(object, fc.constantFrom<OnMissing>('fallback', 'keep', 'error'), (data, onMissing) => {
      const before = JSON.stringify(data);
      const filled = prepareData(variables, data, onMissing).data;
      expect(JSON.stringify(data)).toBe(before);
      expect(holds(filled, data)).toBe(true);
    }),
  );
});

/** Whether every value of one is in the other, at the same place; null may have been replaced. */
function holds(filled: unknown, data: unknown): boolean {
  if (data === null) return true;
  if (typeof data !== 'object' || typeof filled !== 'object' || filled === null) return filled === data;
  return Object.entries(data).every(
    ([key, value]) =>
      Object.hasOwn(filled, key) && holds(Object.getOwnPropertyDescriptor(filled, key)?.value, value),
  );
}
