import { expect, test } from 'vitest';
import { extendSchema, forgetVariables } from '../../../src/templates/generation/extend-schema.ts';

const variable = (
  name: string,
  type: 'string' | 'number' | 'array' | 'object' = 'string',
  required = true,
) => ({
  name,
  type,
  required,
});

test('variables are declared at their places, lists and objects before what they hold', () => {
  const variables = [
    variable('items[].price', 'number'),
    variable('items', 'array'),
    variable('user.name'),
    { ...variable('note', 'string', false), description: 'Said at the end' },
  ];
  expect(extendSchema(undefined, variables)).toEqual({
    type: 'object',
    required: ['items', 'user'],
    properties: {
      items: {
        type: 'array',
        items: { type: 'object', required: ['price'], properties: { price: { type: 'number' } } },
      },
      note: { type: 'string', description: 'Said at the end' },
      user: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    },
  });
});

test('a schema there is keeps what it says, and gets no list of required it had not', () => {
  const schema = { type: 'object', properties: { name: { type: 'string', default: 'you' } } };
  expect(extendSchema(schema, [variable('name', 'number'), variable('total', 'number')])).toEqual({
    type: 'object',
    properties: { name: { type: 'string', default: 'you' }, total: { type: 'number' } },
  });
  expect(extendSchema(schema, [])).toBe(schema);
});

test('names that mean something to JavaScript are only names', () => {
  const schema = extendSchema(undefined, [variable('__proto__.polluted'), variable('constructor')]);
  expect(JSON.stringify(schema)).toContain('"__proto__":{"type":"object"');
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('a variable that is no longer read leaves the schema, one that only a layout reads stays', () => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, total: { type: 'number' }, shop: { type: 'string' } },
    required: ['name', 'total'],
  };
  expect(forgetVariables(schema, '{{name}} {{formatNumber total}}', 'total {{name}}')).toEqual({
    type: 'object',
    properties: { name: { type: 'string' }, shop: { type: 'string' } },
    required: ['name'],
  });
});
