import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unifiedDiff } from '../../../src/templates/diff/diff-text.ts';
import { samples } from '../../support/samples.ts';
import { editedTexts } from './edited-texts.ts';
import { gitFolder, hasGit } from './git.ts';

const LABELS = { fromLabel: 'a/text', toLabel: 'b/text' };

describe('unifiedDiff', () => {
  test('is empty for equal texts', () => {
    expect(unifiedDiff('a\n', 'a\n', LABELS)).toBe('');
  });

  test('shows three lines around a change', () => {
    const from = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';
    expect(unifiedDiff(from, from.replace('5', 'five'), LABELS)).toBe(
      [
        '--- a/text',
        '+++ b/text',
        '@@ -2,7 +2,7 @@',
        ' 2',
        ' 3',
        ' 4',
        '-5',
        '+five',
        ' 6',
        ' 7',
        ' 8',
        '',
      ].join('\n'),
    );
  });

  test('shows as many lines around a change as asked', () => {
    expect(unifiedDiff('1\n2\n3\n', '1\n3\n', { ...LABELS, context: 0 })).toBe(
      '--- a/text\n+++ b/text\n@@ -2 +1,0 @@\n-2\n',
    );
  });

  test('says when a text has no newline at its end', () => {
    expect(unifiedDiff('a\nb', 'a\nb\n', LABELS)).toBe(
      [
        '--- a/text',
        '+++ b/text',
        '@@ -1,2 +1,2 @@',
        ' a',
        '-b',
        '\\ No newline at end of file',
        '+b',
        '',
      ].join('\n'),
    );
  });

  test('begins at line 0 for an empty text', () => {
    expect(unifiedDiff('', 'a\n', LABELS)).toBe('--- a/text\n+++ b/text\n@@ -0,0 +1 @@\n+a\n');
  });
});

describe.skipIf(!hasGit)('unifiedDiff beside git (skipped where git is not installed)', () => {
  let folder: ReturnType<typeof gitFolder>;
  beforeAll(() => {
    folder = gitFolder();
  });
  afterAll(() => folder.remove());

  test('is the patch of git diff without the indent heuristic, byte for byte, on random edits', () => {
    const options = ['--no-index', '--no-color', '--no-indent-heuristic', '--diff-algorithm=myers'];
    fc.assert(
      fc.property(editedTexts, ({ base, ours }) => {
        folder.write({ from: base, to: ours });
        const { stdout } = folder.git('diff', ...options, 'from', 'to');
        expect(hunksOf(unifiedDiff(base, ours, LABELS))).toBe(hunksOf(stdout));
      }),
      { numRuns: samples(200), seed: 3 },
    );
  });

  test('is applied by git apply, with any context, to the very text, on random edits', () => {
    fc.assert(
      fc.property(editedTexts, fc.integer({ min: 1, max: 5 }), ({ base, ours }, context) => {
        fc.pre(base !== ours);
        folder.write({ text: base, patch: unifiedDiff(base, ours, { ...LABELS, context }) });
        expect(folder.git('apply', 'patch')).toMatchObject({ status: 0 });
        expect(readFileSync(folder.path('text'), 'utf8')).toBe(ours);
      }),
      { numRuns: samples(200), seed: 4 },
    );
  });
});

/** The hunks of a patch without its header and without the text git quotes behind `@@`. */
function hunksOf(patch: string): string {
  const start = patch.indexOf('\n@@') + 1;
  return start === 0 ? '' : patch.slice(start).replace(/^(@@ \S+ \S+ @@).*$/gm, '$1');
}
