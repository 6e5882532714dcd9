import { expect, test } from 'vitest';
import { briefTool } from '../../tools/brief-tool.ts';

const ANSWER = { type: 'object', properties: { ok: { type: 'boolean' } } };

test('a tool in the usual list has no schema of its answer, no limits of texts, and only hints that tell something', () => {
  const brief = briefTool({
    name: 'add_note',
    title: 'Add a note',
    description: 'Adds one.',
    inputSchema: {
      type: 'object',
      properties: {
        // A field may be called as a limit is.
        pattern: { type: 'string', maxLength: 9, pattern: '^x', default: 'x' },
        many: { type: 'array', maxItems: 3, items: { type: 'string', minLength: 1, enum: ['a', 'b'] } },
      },
      required: ['pattern'],
    },
    outputSchema: ANSWER,
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
        many: { type: 'array', maxItems: 3, items: { type: 'string', enum: ['a', 'b'] } },
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
