import { expect, test } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { toJsonSchema } from '../../../tools/contract/json-schema.ts';
import { productRegistry } from '../../../tools/index.ts';

test('schemas of zod 4 and zod 3 both convert to what they say', () => {
  const expected = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  expect(toJsonSchema(z.object({ name: z.string() }), 'input')).toEqual(expected);
  expect(toJsonSchema(z3.object({ name: z3.string() }), 'input')).toMatchObject(expected);
});

test('a schema that converts to nothing is refused', () => {
  expect(() => toJsonSchema(z.any(), 'input')).toThrow('empty JSON Schema');
});

test.each(productRegistry().tools.map((tool) => [tool.name, tool] as const))(
  '%s has an input and an output that say something, and its examples fit',
  (_name, tool) => {
    expect(toJsonSchema(tool.input, 'input')).toMatchObject({ type: 'object', additionalProperties: false });
    expect(toJsonSchema(tool.output, 'output')).toMatchObject({ type: 'object' });
    for (const { input } of tool.examples)
      expect(tool.input.safeParse(input)).toMatchObject({ success: true });
  },
);
