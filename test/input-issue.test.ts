import { expect, test } from 'vitest';
import { z } from 'zod';
import { Fault } from '../src/errors.ts';
import { type Locale, localizeFault, plainReader } from '../src/language.ts';
import { parseInput } from '../tools/contract/parse-input.ts';

const Order = z.strictObject({
  topic: z.string().min(2).max(5),
  count: z.literal([3, 5, 10]),
  limit: z.int().min(1).max(200),
  loud: z.boolean(),
  score: z.number(),
  tags: z.array(z.string()).min(1).max(1),
  place: z.strictObject({ city: z.string() }),
  email: z.email(),
  until: z.iso.datetime(),
  page: z.url(),
  code: z.string().startsWith('x'),
});

const RIGHT = {
  topic: 'tea',
  count: 3,
  limit: 20,
  loud: true,
  score: 0.5,
  tags: ['a'],
  place: { city: 'Vigo' },
  email: 'ana@example.com',
  until: '2027-01-31T12:00:00Z',
  page: 'https://example.com/',
  code: 'x',
};

function said(sent: unknown, locale: Locale) {
  try {
    return parseInput(Order, sent, { ...plainReader(locale), sourceOf: () => 'body' });
  } catch (fault) {
    return fault instanceof Fault
      ? localizeFault(fault, plainReader(locale)).detail.replace(/^[^:]+: /, '')
      : fault;
  }
}

const WORDS: readonly (readonly [string, object, string, string])[] = [
  ['nothing', { topic: undefined }, 'topic: is required', 'topic: es obligatorio'],
  ['another type', { topic: 7 }, 'topic: must be text', 'topic: debe ser un texto'],
  ['half a number', { limit: 1.5 }, 'limit: must be a whole number', 'limit: debe ser un número entero'],
  ['words for yes', { loud: 'yes' }, 'loud: must be true or false', 'loud: debe ser true o false'],
  ['words for a number', { score: 'high' }, 'score: must be a number', 'score: debe ser un número'],
  ['one for a list', { tags: 'a' }, 'tags: must be a list', 'tags: debe ser una lista'],
  [
    'a name for a place',
    { place: 'Vigo' },
    'place: must be an object: {"city": …}',
    'place: debe ser un objeto: {"city": …}',
  ],
  [
    'a choice there is not',
    { count: 4 },
    'count: must be one of: 3, 5, 10',
    'count: debe ser uno de estos valores: 3, 5, 10',
  ],
  [
    'a long text',
    { topic: 'coffee' },
    'topic: must have at most 5 characters',
    'topic: debe tener como máximo 5 caracteres',
  ],
  [
    'a short text',
    { topic: 'x' },
    'topic: must have at least 2 characters',
    'topic: debe tener al menos 2 caracteres',
  ],
  [
    'a long list',
    { tags: ['a', 'b'] },
    'tags: must have at most 1 element',
    'tags: debe tener como máximo 1 elemento',
  ],
  ['an empty list', { tags: [] }, 'tags: must not be empty', 'tags: no debe estar vacío'],
  ['a large number', { limit: 201 }, 'limit: must be at most 200', 'limit: debe ser como máximo 200'],
  ['a negative number', { limit: -1 }, 'limit: must be at least 1', 'limit: debe ser al menos 1'],
  [
    'an unknown field',
    { speed: 1 },
    'speed: is not a known field. Fields here: topic, count, limit, loud, score, tags, place, email, until, page, code',
    'speed: no es un campo conocido. Campos aquí: topic, count, limit, loud, score, tags, place, email, until, page, code',
  ],
  [
    'a mistyped field',
    { limits: 20 },
    'limits: is not a known field. Did you mean limit?',
    'limits: no es un campo conocido. ¿Querías decir limit?',
  ],
  [
    'an unknown field within',
    { place: { city: 'Vigo', zip: 1 } },
    'place: has unknown fields: zip',
    'place: tiene campos desconocidos: zip',
  ],
  [
    'no address',
    { email: 'ana' },
    'email: must be an email address, such as ana@example.com',
    'email: debe ser una dirección de correo, como ana@example.com',
  ],
  [
    'no moment',
    { until: 'tomorrow' },
    'until: must be an ISO 8601 date and time, such as 2027-01-31T12:00:00Z',
    'until: debe ser una fecha y hora ISO 8601, como 2027-01-31T12:00:00Z',
  ],
  [
    'half an address',
    { page: 'example.com' },
    'page: must be a full URL, such as https://example.com/page',
    'page: debe ser una URL completa, como https://example.com/page',
  ],
  [
    'what only the parser has words for',
    { code: 'y' },
    'code: Invalid string: must start with "x"',
    'code: Cadena inválida: debe comenzar con "x"',
  ],
];

test.each(WORDS)('%s', (_name, wrong, en, es) => {
  expect([said({ ...RIGHT, ...wrong }, 'en'), said({ ...RIGHT, ...wrong }, 'es')]).toEqual([en, es]);
});

test('what is right is let through as it is', () => {
  expect(said(RIGHT, 'es')).toEqual(RIGHT);
});
