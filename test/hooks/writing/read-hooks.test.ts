import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHookReader } from '../../../src/hooks/writing/read-hooks.ts';

/** What a reader finds in a text that comes in these pieces, and after which piece. */
function read(pieces: readonly string[]) {
  const found: unknown[] = [];
  const read = createHookReader((object) => found.push(object));
  return pieces.map((piece) => {
    read(piece);
    return found.splice(0);
  });
}

test('a hook is there with its last brace, not before and not later', () => {
  expect(read(['{"hooks":[{"text":"a }', '{ \\"b"', '}', ',{"text":"c"}', ']}'])).toEqual([
    [],
    [],
    [{ text: 'a }{ "b' }],
    [{ text: 'c' }],
    [],
  ]);
});

test.each([
  ['in a fence', '```json\n{"hooks":[{"text":"a"}]}\n```'],
  ['after prose', 'Here they are: {"hooks":[{"text":"a"}]}'],
  ['after a thought', '<think>{"hooks":[{"text":"draft"}]} no</think>{"hooks":[{"text":"a"}]}'],
  ['beside other fields', '{"note":{"n":[1]},"hooks":[{"text":"a"}],"list":[1]}'],
  ['with more inside', '{"hooks":[{"text":"a"}]}'],
])('%s it is found', (_where, text) => {
  expect(read([text])).toEqual([[{ text: 'a' }]]);
});

test('what is no JSON is left out', () => {
  expect(read(['{"hooks":[{text: a},{"text":"b"}]} and {"hooks":[{"text"'])).toEqual([[{ text: 'b' }]]);
});

test('however the text is cut, the same hooks are found in the same order', () => {
  const hook = fc.record({
    text: fc.string({ unit: 'binary' }),
    flags: fc.array(fc.record({ a: fc.string() })),
  });
  const cuts = fc.array(fc.nat(400));
  fc.assert(
    fc.property(fc.array(hook), cuts, (hooks, at) => {
      const text = JSON.stringify({ hooks });
      const ends = [...at.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
      const pieces = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
      expect(read(pieces).flat()).toEqual(JSON.parse(text).hooks);
    }),
  );
});
