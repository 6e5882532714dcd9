import { expect, test } from 'vitest';
import { briefTool } from '../../../tools/mcp/brief-tool.ts';

test('a tool in the usual list has no limits, and only defaults and hints that tell something', () => {
  const brief = briefTool({
    name: 'add_note',
    title: 'Add a note',
    description: 'Adds one.',
    inputSchema: {
      type: 'object',
      properties: {
        // A field may be called as a limit is.
        pattern: { type: 'string', maxLength: 9, pattern: '^x', default: 'x' },
        many: {
          type: 'array',
          maxItems: 3,
          default: [],
          items: { type: 'string', minLength: 1, enum: ['a', 'b'] },
        },
        side: { type: 'integer', minimum: 64, multipleOf: 2, default: 64 },
        loop: { type: 'boolean', default: false },
        sound: { type: 'boolean', default: true },
        volume: { type: 'number', default: 0 },
        data: { type: 'object', additionalProperties: true, default: {} },
      },
      required: ['pattern'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  });
  expect(brief).toEqual({
    name: 'add_note',
    title: 'Add a note',
    description: 'Adds one.',
    inputSchema: {
      type: 'object',
      properties: {
        pattern: { type: 'string', default: 'x' },
        many: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
        side: { type: 'integer', default: 64 },
        loop: { type: 'boolean' },
        sound: { type: 'boolean', default: true },
        volume: { type: 'number' },
        data: { type: 'object', additionalProperties: true },
      },
      required: ['pattern'],
    },
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
  });
});

test('of what only reads, that it reads is enough', () => {
  const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
  const tool = {
    name: 'see',
    title: 'See',
    description: 'Sees.',
    inputSchema: { type: 'object' },
    annotations: hints,
  } as const;
  expect(briefTool(tool).annotations).toEqual({ readOnlyHint: true, openWorldHint: false });
});
