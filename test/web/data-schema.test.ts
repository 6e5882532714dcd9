import { expect, test } from 'vitest';
import { fieldsOf, withoutEmpty } from '../../web/src/pages/videos/data-schema.ts';

const kinds = (properties: object, required: readonly string[] = []) =>
  fieldsOf({ type: 'object', properties, required }).map(({ name, kind, isRequired }) => [
    name,
    kind,
    isRequired,
  ]);

test('a field of the form has the kind that its schema asks for', () => {
  const properties = {
    hook: { type: 'string', maxLength: 200 },
    badge: { type: 'string', maxLength: 24 },
    image: { type: 'string', maxLength: 2_000_000 },
    rating: { type: 'integer', minimum: 1, maximum: 5 },
    price: { type: ['number', 'string'] },
    bars: { type: 'boolean' },
    size: { enum: ['s', 'm', 'l'] },
    points: { type: 'array', maxItems: 5, items: { type: 'string' } },
    sender: { type: 'object', properties: { name: { type: 'string' } } },
  };
  expect(kinds(properties, ['hook'])).toEqual([
    ['hook', 'long', true],
    ['badge', 'text', false],
    ['image', 'file', false],
    ['rating', 'number', false],
    ['price', 'text', false],
    ['bars', 'switch', false],
    ['size', 'choice', false],
    ['points', 'list', false],
    ['sender', 'group', false],
  ]);
});

test('the title, the look and the brand are asked for elsewhere; a list of items may have titles of its own', () => {
  const schema = {
    properties: {
      title: { type: 'string' },
      style: { type: 'string' },
      locale: { type: 'string' },
      brand: { type: 'object' },
      items: { type: 'array', items: { type: 'object', properties: { title: { type: 'string' } } } },
    },
  };
  const [items, ...others] = fieldsOf(schema);
  expect(others).toEqual([]);
  expect(items).toMatchObject({ name: 'items', item: { kind: 'group', fields: [{ name: 'title' }] } });
});

test('a schema that is none has no fields', () => {
  expect([fieldsOf(undefined), fieldsOf('text'), fieldsOf({ properties: [] })]).toEqual([[], [], []]);
});

test('what is empty is not sent, at any depth; false and 0 are values', () => {
  expect(
    withoutEmpty({
      hook: '',
      points: ['first', '', 'third'],
      items: [{ title: '' }, { title: 'A teapot', text: '' }],
      bars: false,
      from: 0,
    }),
  ).toEqual({ points: ['first', 'third'], items: [{ title: 'A teapot' }], bars: false, from: 0 });
});
