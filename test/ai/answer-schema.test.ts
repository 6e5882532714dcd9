import { expect, test } from 'vitest';
import { z } from 'zod';
import { answerSchema } from '../../src/ai/answer-schema.ts';

test('the strict schema has every property required, nothing else allowed, and no limits', () => {
  const schema = z.object({
    subject: z.string().min(1).max(60).describe('At most 60 characters'),
    tone: z.enum(['warm', 'plain']).optional(),
    blocks: z
      .array(
        z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('text'), text: z.string() }),
          z.object({ kind: z.literal('link'), url: z.url(), size: z.number().int().default(1) }),
        ]),
      )
      .max(5),
  });
  expect(answerSchema(schema).strict).toEqual({
    type: 'object',
    properties: {
      subject: { type: 'string', description: 'At most 60 characters' },
      tone: { anyOf: [{ type: 'string', enum: ['warm', 'plain'] }, { type: 'null' }] },
      blocks: {
        type: 'array',
        items: {
          anyOf: [
            {
              type: 'object',
              properties: { kind: { type: 'string', enum: ['text'] }, text: { type: 'string' } },
              required: ['kind', 'text'],
              additionalProperties: false,
            },
            {
              type: 'object',
              properties: {
                kind: { type: 'string', enum: ['link'] },
                url: { type: 'string' },
                size: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
              },
              required: ['kind', 'url', 'size'],
              additionalProperties: false,
            },
          ],
        },
      },
    },
    required: ['subject', 'tone', 'blocks'],
    additionalProperties: false,
  });
});

test('the full schema keeps the limits, for a model that reads it', () => {
  expect(answerSchema(z.object({ subject: z.string().max(60) })).full).toEqual({
    type: 'object',
    properties: { subject: { type: 'string', maxLength: 60 } },
    required: ['subject'],
  });
});

test('a schema that refers to itself stays strict', () => {
  const Node = z.object({
    name: z.string(),
    get children() {
      return z.array(Node);
    },
  });
  expect(answerSchema(Node).strict).toEqual({
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
    required: ['name', 'children'],
    additionalProperties: false,
  });
});

test.each([
  ['a record', z.object({ data: z.record(z.string(), z.string()) })],
  ['an unknown', z.object({ data: z.unknown() })],
  ['a tuple', z.object({ pair: z.tuple([z.string(), z.number()]) })],
  [
    'a record within a list',
    z.object({ list: z.array(z.object({ data: z.record(z.string(), z.string()) })) }),
  ],
])('%s has no strict schema', (_, schema) => {
  expect(answerSchema(schema).strict).toBeUndefined();
});
