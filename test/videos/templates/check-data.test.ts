import { describe, expect, test } from 'vitest';
import { Fault } from '../../../src/errors.ts';
import { type Locale, localizeFault, plainReader } from '../../../src/language.ts';
import { createDataCheck } from '../../../src/videos/templates/check-data.ts';
import type { JsonObject } from '../../../src/videos/templates/data-schema.ts';

const SCHEMA: JsonObject = {
  type: 'object',
  required: ['items'],
  additionalProperties: false,
  properties: {
    items: {
      type: 'array',
      minItems: 1,
      maxItems: 2,
      items: { type: 'object', required: ['text'], properties: { text: { type: 'string', minLength: 2 } } },
    },
    rating: { type: 'integer', minimum: 1, maximum: 5 },
    size: { enum: ['small', 'large'] },
    price: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 100, multipleOf: 0.5 },
    photo: { type: ['string', 'null'], format: 'uri' },
    loud: { type: 'boolean', default: true },
    either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
  },
};

function check(
  data: JsonObject,
  { schema = SCHEMA, defaults = {} as JsonObject, locale = 'en' as Locale } = {},
) {
  try {
    return createDataCheck(schema)('card', defaults, data);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { detail, errors } = localizeFault(error, plainReader(locale));
    return { status: error.status, detail, errors };
  }
}

test('data that fits comes with the defaults of the schema and of the template', () => {
  expect(check({ items: [{ text: 'one', more: 1 }], photo: null }, { defaults: { size: 'small' } })).toEqual({
    items: [{ text: 'one', more: 1 }],
    photo: null,
    size: 'small',
    loud: true,
  });
});

test('a title is always taken, and checked where the schema speaks of it', () => {
  expect(check({ title: 'Hi', items: [{ text: 'one' }] })).toMatchObject({ title: 'Hi' });
  const schema = { properties: { title: { type: 'string', maxLength: 3 } } };
  expect(check({ title: 'Long' }, { schema })).toMatchObject({
    errors: [{ loc: ['body', 'data', 'title'] }],
  });
});

test.each<[string, JsonObject, (string | number)[], string, string, string]>([
  ['what is required', {}, ['items'], 'invalid_type', 'is required', 'es obligatorio'],
  ['another type', { items: 'a' }, ['items'], 'invalid_type', 'must be a list', 'debe ser una lista'],
  ['too few', { items: [] }, ['items'], 'too_small', 'must not be empty', 'no debe estar vacío'],
  [
    'a field of an element',
    { items: [{ text: 'ok' }, { text: 5 }] },
    ['items', 1, 'text'],
    'invalid_type',
    'must be text',
    'debe ser un texto',
  ],
  [
    'a short text',
    { items: [{ text: 'a' }] },
    ['items', 0, 'text'],
    'too_small',
    'must have at least 2 characters',
    'debe tener al menos 2 caracteres',
  ],
  [
    'half a number',
    { rating: 1.5 },
    ['rating'],
    'invalid_type',
    'must be a whole number',
    'debe ser un número entero',
  ],
  ['a number too large', { rating: 6 }, ['rating'], 'too_big', 'must be at most 5', 'debe ser como máximo 5'],
  [
    'a choice there is not',
    { size: 'huge' },
    ['size'],
    'invalid_value',
    'must be one of: small, large',
    'debe ser uno de estos valores: small, large',
  ],
  [
    'no more than the least',
    { price: 0 },
    ['price'],
    'too_small',
    'must be greater than 0',
    'debe ser mayor que 0',
  ],
  [
    'no less than the most',
    { price: 100 },
    ['price'],
    'too_big',
    'must be less than 100',
    'debe ser menor que 100',
  ],
  [
    'a number between the steps',
    { price: 1.2 },
    ['price'],
    'not_multiple_of',
    'must be a multiple of 0.5',
    'debe ser múltiplo de 0.5',
  ],
  ['neither text nor null', { photo: 1 }, ['photo'], 'invalid_type', 'must be text', 'debe ser un texto'],
  ['neither of two types', { either: true }, ['either'], 'invalid_union', 'is not valid', 'no es válido'],
  [
    'a field nobody knows',
    { colour: 'red' },
    [],
    'unrecognized_keys',
    'is not a known field',
    'no es un campo conocido',
  ],
])('%s is told with its place, in both languages', (_what, data, path, type, english, spanish) => {
  const items = [{ text: 'one' }];
  const given = path[0] === 'items' ? data : { items, ...data };
  const fields = path.join('.') || 'data';
  expect(check(given)).toEqual({
    status: 422,
    detail: `The data does not fit the template 'card': check ${fields}. get_video_template shows the data it accepts.`,
    errors: [{ loc: ['body', 'data', ...path], msg: english, type }],
  });
  expect(check(given, { locale: 'es' })).toMatchObject({
    detail: `Los datos no encajan en la plantilla «card»: revisa ${fields}. get_video_template muestra los datos que admite.`,
    errors: [{ msg: spanish }],
  });
});

test('data without end is refused before it is looked at', () => {
  expect(check({ items: [{ text: 'a'.repeat(1024 * 1024 + 1) }] })).toEqual({
    status: 422,
    detail: 'The data exceeds 1048576 characters. Shorten its texts and send images as HTTPS URLs.',
    errors: [{ loc: ['body', 'data'], msg: expect.any(String), type: 'validation_failed.video_data_size' }],
  });
});

describe('a schema', () => {
  test.each<[string, JsonObject, string, string]>([
    ['a pattern', { properties: { a: { type: 'string', pattern: '(a+)+$' } } }, 'pattern', 'properties.a'],
    ['a reference', { properties: { a: { items: { $ref: '#' } } } }, '$ref', 'properties.a.items'],
    ['a condition', { anyOf: [{ if: {} }] }, 'if', 'anyOf.0'],
  ])('may hold no %s', (_what, schema, keyword, where) => {
    expect(check({}, { schema })).toMatchObject({
      status: 422,
      detail: expect.stringContaining(`In the schema, '${keyword}' at ${where} is not supported`),
      errors: [
        { loc: ['body', 'schema', ...where.split('.').map((part) => (part === '0' ? 0 : part)), keyword] },
      ],
    });
  });

  test('has to be one', () => {
    expect(check({}, { schema: { properties: { a: { type: 'text' } } } })).toMatchObject({
      status: 422,
      detail: 'The schema is not valid JSON Schema: Unsupported type: text. Fix it.',
      errors: [{ loc: ['body', 'schema'] }],
    });
  });

  test('with names every object has is only a schema with those names', () => {
    const schema = {
      properties: JSON.parse('{"__proto__": {"type": "string"}, "toString": {"type": "string"}}'),
    };
    expect(check({ toString: 'a' }, { schema })).toEqual({ toString: 'a' });
  });
});

test('data is not checked when it has more values than can be tried with every choice of the schema', () => {
  const anyOf = Array.from({ length: 249 }, (_, nth) => ({ const: nth }));
  const schema: JsonObject = { properties: { list: { type: 'array', items: { anyOf } } } };
  expect(check({ list: Array(198).fill(248) }, { schema })).toEqual({ list: Array(198).fill(248) });
  expect(check({ list: Array(199).fill(248) }, { schema })).toEqual({
    status: 422,
    detail:
      "The data has more than 200 values, too many to check against this template. Send fewer, or reduce the alternatives in the template's schema.",
    errors: [expect.objectContaining({ loc: ['body', 'data'] })],
  });
});

test('a schema that is too large is not read', () => {
  const properties = Object.fromEntries(Array.from({ length: 1_000 }, (_, nth) => [`k${nth}`, {}]));
  expect(check({}, { schema: { properties } })).toMatchObject({
    status: 422,
    detail: 'The schema exceeds 32768 characters, 1000 values or 50 levels. Describe fewer fields.',
  });
});
