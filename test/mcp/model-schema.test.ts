import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toJsonSchema } from '../../tools/contract/json-schema.ts';
import { modelSchema } from '../../tools/mcp/model-schema.ts';

const shown = (schema: z.ZodType, io: 'input' | 'output' = 'input') =>
  modelSchema(toJsonSchema(schema, io), io);

describe('a JSON Schema as a model is shown it', () => {
  test.each([
    ['an integer without bounds of its own', z.int(), { type: 'integer' }],
    ['an integer with bounds', z.int().min(1).max(9), { type: 'integer', minimum: 1, maximum: 9 }],
    ['a time', z.iso.datetime(), { type: 'string', format: 'date-time' }],
    ['a pattern', z.string().regex(/^a$/), { type: 'string', pattern: '^a$' }],
    [
      'a pattern that is described',
      z
        .string()
        .regex(/^\p{L}$/u)
        .meta({ description: 'A letter' }),
      { type: 'string', description: 'A letter' },
    ],
    [
      'names of a form',
      z.record(z.string().regex(/^a$/), z.int()),
      {
        type: 'object',
        additionalProperties: { type: 'integer' },
      },
    ],
    ['a choice of numbers', z.literal([3, 5]), { type: 'integer', description: 'One of: 3, 5' }],
    [
      'a choice of numbers that is described',
      z.literal([0.5, 1]).meta({ description: 'Scale' }),
      { type: 'number', description: 'Scale. One of: 0.5, 1' },
    ],
    ['a choice of texts', z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    ['no arguments', z.strictObject({}), { type: 'object', properties: {}, additionalProperties: false }],
    [
      'a part without members',
      z.strictObject({ part: z.strictObject({}) }),
      {
        type: 'object',
        properties: { part: { type: 'object', additionalProperties: false } },
        required: ['part'],
        additionalProperties: false,
      },
    ],
    [
      'values by name',
      z.record(z.string(), z.int()),
      { type: 'object', additionalProperties: { type: 'integer' } },
    ],
    ['any values by name', z.record(z.string(), z.unknown()), { type: 'object', additionalProperties: true }],
    ['any JSON by name', z.record(z.string(), z.json()), { type: 'object', additionalProperties: true }],
    ['any JSON, described', z.json().meta({ description: 'Anything' }), { description: 'Anything' }],
    [
      'a property called like a keyword',
      z.object({ pattern: z.int(), format: z.string() }),
      {
        type: 'object',
        properties: { pattern: { type: 'integer' }, format: { type: 'string' } },
        required: ['pattern', 'format'],
      },
    ],
    [
      'a default that looks like a schema',
      z.record(z.string(), z.unknown()).default({ $ref: '#/$defs/x', minimum: Number.MIN_SAFE_INTEGER }),
      {
        type: 'object',
        additionalProperties: true,
        default: { $ref: '#/$defs/x', minimum: Number.MIN_SAFE_INTEGER },
      },
    ],
  ])('%s', (_what, schema, expected) => {
    expect(shown(schema)).toEqual(expected);
  });

  test('writes a named part out where it is used, with what is said of it there', () => {
    const Size = z.object({ width: z.int() }).meta({ id: 'ModelSchemaTestSize', description: 'A size' });
    const schema = z.object({ small: Size, list: z.array(Size.meta({ description: 'One of them' })) });
    const width = { type: 'object', properties: { width: { type: 'integer' } }, required: ['width'] };
    expect(shown(schema)).toEqual({
      type: 'object',
      properties: {
        small: { ...width, description: 'A size' },
        list: { type: 'array', items: expect.objectContaining({ ...width, description: 'One of them' }) },
      },
      required: ['small', 'list'],
    });
  });

  test('leaves a part open that contains itself, also by way of another', () => {
    const schema = {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/Node', description: 'A tree' } },
      $defs: {
        Node: { type: 'object', properties: { kids: { $ref: '#/$defs/Kids' } } },
        Kids: { type: 'array', items: { $ref: '#/$defs/Node' } },
      },
    };
    expect(modelSchema(schema, 'input')).toEqual({
      type: 'object',
      properties: { tree: { description: 'A tree' } },
    });
  });

  test('tells the shape of an answer, but no limits', () => {
    const item = z.object({ count: z.int().min(0).nullable(), name: z.string().max(9) });
    expect(shown(z.object({ at: z.iso.datetime(), items: z.array(item).max(3) }), 'output')).toEqual({
      type: 'object',
      properties: {
        at: { type: 'string', format: 'date-time' },
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              count: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
              name: { type: 'string' },
            },
          },
        },
      },
      required: ['at', 'items'],
    });
  });
});
