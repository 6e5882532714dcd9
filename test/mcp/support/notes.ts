import { z } from 'zod';
import { Fault } from '../../../src/errors.ts';
import { defineTool, type Tool } from '../../../tools/contract/define.ts';

const Note = z.object({
  id: z.string(),
  html: z.string(),
  count: z.int(),
  at: z.iso.datetime(),
  data: z.record(z.string(), z.json()),
});

/** How a test and a call that is running wait for each other. */
export type Watch = {
  started: PromiseWithResolvers<void>;
  aborted: PromiseWithResolvers<void>;
  /** The client has heard of the end of the count. */
  heard: PromiseWithResolvers<void>;
};

export function createWatch(): Watch {
  return {
    started: Promise.withResolvers(),
    aborted: Promise.withResolvers(),
    heard: Promise.withResolvers(),
  };
}

/** A small product: notes with one tool of each effect. Nothing is stored. */
export function noteTools(watch?: Watch): readonly Tool[] {
  return [
    defineTool({
      name: 'create_note',
      title: 'Create a note',
      description: 'Stores a note and answers with it.',
      toolset: 'templates',
      effect: 'create',
      scope: 'templates:write',
      rest: { route: 'POST /v1/notes' },
      mcp: { core: true },
      input: z.strictObject({
        html: z.string().max(1_000_000).meta({ description: 'The note as HTML' }),
        count: z.int().min(1).default(1),
        data: z.record(z.string(), z.json()).default({}),
      }),
      output: Note,
      run: async (input) => ({ id: 'note_1', at: '2026-01-02T03:04:05Z', ...input }),
      examples: [{ title: 'a note', input: { html: '<p>Hi</p>' } }],
    }),
    defineTool({
      name: 'get_note',
      title: 'Get a note',
      description: 'Answers with a note of the length asked for.',
      toolset: 'templates',
      effect: 'read',
      scope: 'templates:read',
      rest: { route: 'GET /v1/notes/{id}' },
      mcp: { core: true },
      input: z.strictObject({ id: z.string(), length: z.int().min(0).default(10) }),
      output: Note,
      run: async ({ id, length }) => ({
        id,
        html: 'é'.repeat(length),
        count: 1,
        at: '2026-01-02T03:04:05Z',
        data: {},
      }),
      examples: [{ title: 'a note', input: { id: 'note_1' } }],
    }),
    defineTool({
      name: 'replace_note',
      title: 'Replace a note',
      description: 'Puts another text in the place of a note.',
      toolset: 'templates',
      effect: 'update',
      scope: 'templates:write',
      rest: { route: 'PUT /v1/notes/{id}' },
      input: z.strictObject({ id: z.string(), html: z.string() }),
      output: z.object({ id: z.string() }),
      run: async ({ id }) => ({ id }),
      examples: [{ title: 'another text', input: { id: 'note_1', html: '' } }],
    }),
    defineTool({
      name: 'change_note',
      title: 'Change a note',
      description: 'Changes parts of a note, unless someone else has changed it in between.',
      toolset: 'templates',
      effect: 'update',
      scope: 'templates:write',
      rest: { route: 'PATCH /v1/notes/{id}' },
      input: z.strictObject({ id: z.string() }),
      output: z.object({ id: z.string() }),
      run: () =>
        Promise.reject(
          new Fault(
            'merge_conflict.fields',
            { count: 1 },
            {
              data: { merge_token: 'mt_1', conflicts: [{ id: 'c1', ours: '<p>a</p>', theirs: '<p>b</p>' }] },
            },
          ),
        ),
      examples: [{ title: 'a change', input: { id: 'note_1' } }],
    }),
    defineTool({
      name: 'delete_note',
      title: 'Delete a note',
      description: 'Deletes a note for good.',
      toolset: 'templates',
      effect: 'delete',
      scope: 'templates:write',
      rest: { route: 'DELETE /v1/notes/{id}' },
      input: z.strictObject({ id: z.string() }),
      output: z.object({ deleted: z.literal(true) }),
      run: async () => ({ deleted: true as const }),
      examples: [{ title: 'away with it', input: { id: 'note_1' } }],
    }),
    defineTool({
      name: 'send_note',
      title: 'Send a note',
      description: 'Sends a note to another system, which may be busy.',
      toolset: 'templates',
      effect: 'external',
      scope: 'templates:promote',
      input: z.strictObject({ id: z.string() }),
      output: z.object({ sent: z.boolean() }),
      run: () => Promise.reject(new Fault('unavailable.database_busy', {}, { retryAfterSeconds: 7 })),
      examples: [{ title: 'off it goes', input: { id: 'note_1' } }],
    }),
    defineTool({
      name: 'count_notes',
      title: 'Count notes',
      description: 'Counts notes one by one and tells how far it is.',
      toolset: 'templates',
      effect: 'read',
      scope: 'any',
      input: z.strictObject({ to: z.int().min(1).max(1000) }),
      output: z.object({ count: z.int() }),
      run: async ({ to }, { progress }) => {
        for (let done = 1; done <= to; done += 1) progress(done, to, `note ${done}`);
        await watch?.heard.promise;
        return { count: to };
      },
      examples: [{ title: 'three', input: { to: 3 } }],
    }),
    defineTool({
      name: 'watch_notes',
      title: 'Watch notes',
      description: 'Waits until the caller has had enough.',
      toolset: 'templates',
      effect: 'read',
      scope: 'any',
      input: z.strictObject({}),
      output: z.object({}),
      run: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            watch?.aborted.resolve();
            reject(signal.reason);
          });
          watch?.started.resolve();
        }),
      examples: [{ title: 'wait', input: {} }],
    }),
    defineTool({
      name: 'list_names',
      title: 'List names',
      description: 'The names of all notes, as a plain list.',
      toolset: 'templates',
      effect: 'read',
      scope: 'any',
      input: z.strictObject({}),
      output: z.array(z.string()),
      run: async () => ['one', 'two'],
      examples: [{ title: 'all', input: {} }],
    }),
    defineTool({
      name: 'break_notes',
      title: 'Break notes',
      description: 'Fails for a reason that is nobody else’s business.',
      toolset: 'templates',
      effect: 'read',
      scope: 'any',
      input: z.strictObject({}),
      output: z.object({}),
      run: () => Promise.reject(new Error('password=hunter2')),
      examples: [{ title: 'crash', input: {} }],
    }),
    defineTool({
      name: 'print_notes',
      title: 'Print notes',
      description: 'Prints to standard output, which a tool should not do.',
      toolset: 'templates',
      effect: 'read',
      scope: 'any',
      input: z.strictObject({}),
      output: z.object({ printed: z.boolean() }),
      run: async () => {
        console.log('a stray line');
        return { printed: true };
      },
      examples: [{ title: 'print', input: {} }],
    }),
  ];
}
