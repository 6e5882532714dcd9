import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DiffHunk, diffHunks } from '../../../src/templates/diff/diff-text.ts';
import { samples } from '../../support/samples.ts';
import { editedTexts } from './edited-texts.ts';

describe('diffHunks', () => {
  test('counts the lines and shows those around a change, with the line each side begins at', () => {
    const from = '<table>\n<tr><td>{{name}}</td></tr>\n</table>\n';
    const to = '<table>\n<tr><td>{{name}}</td></tr>\n<tr><td>{{total}}</td></tr>\n</table>\n';
    expect(diffHunks(from, to)).toEqual({
      stats: { added: 1, removed: 0 },
      hunks: [
        {
          from_start: 1,
          from_lines: 3,
          to_start: 1,
          to_lines: 4,
          lines: [
            { op: 'equal', text: '<table>' },
            { op: 'equal', text: '<tr><td>{{name}}</td></tr>' },
            { op: 'added', text: '<tr><td>{{total}}</td></tr>' },
            { op: 'equal', text: '</table>' },
          ],
        },
      ],
    });
  });

  test('marks a last line without a newline', () => {
    expect(diffHunks('a', 'a\n').hunks[0]?.lines).toEqual([
      { op: 'removed', text: 'a', no_newline: true },
      { op: 'added', text: 'a' },
    ]);
  });

  test('puts changes in one hunk when their contexts touch, and in two when they do not', () => {
    const from = Array.from({ length: 9 }, (_, at) => `${at}\n`).join('');
    const near = from.replace('1', 'one').replace('7', 'seven');
    expect(diffHunks(from, near, { context: 3 }).hunks.map(places)).toEqual(['1,9 1,9']);
    expect(diffHunks(from, near, { context: 2 }).hunks.map(places)).toEqual(['1,4 1,4', '6,4 6,4']);
  });

  test('holds both texts whole when the context is the whole text', () => {
    fc.assert(
      fc.property(editedTexts, ({ base, ours }) => {
        fc.pre(base !== ours);
        const { hunks, stats } = diffHunks(base, ours, { context: 10_000 });
        const [hunk] = hunks;
        expect(hunks).toHaveLength(1);
        expect(hunk && side(hunk, 'removed')).toBe(base);
        expect(hunk && side(hunk, 'added')).toBe(ours);
        expect(stats).toEqual({
          added: hunk?.lines.filter(({ op }) => op === 'added').length,
          removed: hunk?.lines.filter(({ op }) => op === 'removed').length,
        });
      }),
      { numRuns: samples(200), seed: 5 },
    );
  });

  test('takes a text of 260,000 lines', () => {
    expect(diffHunks('', '\n'.repeat(260_000)).stats).toEqual({ added: 260_000, removed: 0 });
  });
});

function places(hunk: DiffHunk): string {
  return `${hunk.from_start},${hunk.from_lines} ${hunk.to_start},${hunk.to_lines}`;
}

function side({ lines }: DiffHunk, op: 'added' | 'removed'): string {
  return lines
    .filter((line) => line.op === op || line.op === 'equal')
    .map(({ text, no_newline }) => (no_newline ? text : `${text}\n`))
    .join('');
}
