import { expect, test } from 'vitest';
import type { Variable } from '../../../src/templates/engine/engine.ts';
import { engineName, exampleData } from '../../../src/templates/generation/example-data.ts';

const read = (name: string, type: Variable['type']): Variable => ({
  name,
  type,
  required: true,
  declared: false,
});
const wrote = (name: string, example: string) =>
  ({ name, example, type: 'string', required: true, description: '' }) as const;

const variables = [
  read('name', 'string'),
  read('count', 'number'),
  read('items', 'array'),
  read('items[].price', 'number'),
  read('items[].tags', 'array'),
  read('items[].tags[]', 'string'),
  read('user', 'object'),
  read('user.email', 'string'),
];

test('examples of the right type are taken, and what they lack is filled in', () => {
  const written = [
    wrote('name', 'Ana'),
    wrote('count', 'several'),
    wrote('items', '[{"price":2},{"title":"Pot"}]'),
    wrote('items[].price', '9.5'),
    wrote('user', '{"email":null,"age":4}'),
    wrote('unread', 'x'),
  ];
  expect(exampleData(variables, written)).toEqual({
    name: 'Ana',
    count: 1,
    items: [
      { price: 2, tags: ['tags'] },
      { title: 'Pot', price: 9.5, tags: ['tags'] },
    ],
    user: { email: 'email', age: 4 },
  });
});

test.each([
  ['a list that is none', [wrote('items', '{"price":2}')]],
  ['an empty list', [wrote('items', '[]')]],
  ['a broken list', [wrote('items', '[{')]],
])('%s gives way to a sample', (_, written) => {
  expect(exampleData(variables, written)['items']).toEqual([{ price: 1, tags: ['tags'] }]);
});

test.each([
  ['items[0].price', 'items[].price'],
  ['items.0.price', 'items[].price'],
  ['items.[].price', 'items[].price'],
  [' items[].price ', 'items[].price'],
  ['user.name2', 'user.name2'],
])('%j is %j', (written, name) => {
  expect(engineName(written)).toBe(name);
});
