import fc from 'fast-check';
import { merge } from 'node-diff3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mergeText, type TextMerge } from '../../src/templates/merge/merge-text.ts';
import { editedTexts } from '../templates/diff/edited-texts.ts';
import { gitFolder, hasGit } from '../templates/diff/git.ts';

describe.skipIf(!hasGit)('mergeText by line, beside git (skipped where git is not installed)', () => {
  let folder: ReturnType<typeof gitFolder>;
  beforeAll(() => {
    folder = gitFolder();
  });
  afterAll(() => folder.remove());

  /** `--diff3` shows the base too, and so leaves a conflict as it is where git would else make it smaller. */
  test('has the text and the conflicts of git merge-file --diff3, but for those whose sides are equal, on 500 random edits', () => {
    let conflicting = 0;
    let clean = 0;
    fc.assert(
      fc.property(editedTexts, (sides) => {
        folder.write(sides);
        const { stdout } = folder.git('merge-file', '-p', '--diff3', ...MARKERS, 'ours', 'base', 'theirs');
        const merged = mergeText(sides, { granularity: 'line' });
        expect(marked(merged)).toBe(withoutEqualSides(stdout));
        if (merged.clean) clean++;
        else conflicting++;
      }),
      { numRuns: 500, seed: 14 },
    );
    expect(conflicting).toBeGreaterThan(150);
    expect(clean).toBeGreaterThan(150);
  }, 120_000);

  test('merges cleanly when git merge-file does, to the same text, on 500 random edits', () => {
    fc.assert(
      fc.property(editedTexts, (sides) => {
        folder.write(sides);
        const { status, stdout } = folder.git('merge-file', '-p', 'ours', 'base', 'theirs');
        const merged = mergeText(sides, { granularity: 'line' });
        expect(merged.clean).toBe(status === 0);
        if (merged.clean) expect(merged.text).toBe(stdout);
      }),
      { numRuns: 500, seed: 15 },
    );
  }, 120_000);
});

describe('mergeText by line, beside node-diff3', () => {
  /** Where lines repeat there are several shortest edits, and node-diff3 takes others than git. */
  test('merges to the same text on 500 random edits of texts whose lines are all different', () => {
    fc.assert(
      fc.property(distinctTexts, ({ base, ours, theirs }) => {
        const merged = mergeText({ base, ours, theirs }, { granularity: 'line' });
        const other = merge(split(ours), split(base), split(theirs), { excludeFalseConflicts: true });
        expect(merged.clean).toBe(!other.conflict);
        if (merged.clean) expect(split(merged.text)).toEqual(other.result);
      }),
      { numRuns: 500, seed: 16 },
    );
  });
});

const MARKERS = ['-L', 'ours', '-L', 'base', '-L', 'theirs'];

/** The merge as git writes it: conflicts between markers, each side ended by a newline. */
function marked(merged: TextMerge): string {
  if (merged.clean) return merged.text;
  const conflict = (index: number) => {
    const { base = '', ours = '', theirs = '' } = merged.conflicts[index] ?? {};
    return [
      `<<<<<<< ours\n${ended(ours)}`,
      `||||||| base\n${ended(base)}`,
      `=======\n${ended(theirs)}`,
      '>>>>>>> theirs\n',
    ].join('');
  };
  return merged.pieces.map((piece) => (piece.kind === 'text' ? piece.text : conflict(piece.index))).join('');
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** git merge-file without --diff3 settles a conflict whose sides are equal; with it, it shows it. */
function withoutEqualSides(output: string): string {
  const conflict =
    /^<<<<<<< ours\n((?:(?!\|{7} ).*\n)*)\|{7} base\n(?:(?!={7}\n).*\n)*={7}\n((?:(?!>{7} ).*\n)*)>{7} theirs\n/gm;
  return output.replace(conflict, (whole, ours: string, theirs: string) => (ours === theirs ? ours : whole));
}

type Line = { readonly text: string; readonly ours: Change; readonly theirs: Change };
type Change = 'keep' | 'remove' | 'replace' | 'insert' | 'insert shared';

const change: fc.Arbitrary<Change> = fc.constantFrom(
  'keep',
  'keep',
  'keep',
  'keep',
  'remove',
  'replace',
  'insert',
  'insert shared',
);

const distinctTexts = fc
  .array(fc.record({ ours: change, theirs: change }), { maxLength: 20, size: 'max' })
  .map((edits) => {
    const lines = edits.map((edit, at): Line => ({ text: `line ${at}\n`, ...edit }));
    return {
      base: lines.map(({ text }) => text).join(''),
      ours: lines.map((line) => changed(line.text, line.ours, 'ours')).join(''),
      theirs: lines.map((line) => changed(line.text, line.theirs, 'theirs')).join(''),
    };
  });

function changed(text: string, how: Change, side: string): string {
  switch (how) {
    case 'keep':
      return text;
    case 'remove':
      return '';
    case 'replace':
      return `${side} for ${text}`;
    case 'insert':
      return `${text}${side} after ${text}`;
    case 'insert shared':
      return `${text}both after ${text}`;
  }
}

function split(text: string): string[] {
  return text.split('\n').slice(0, -1);
}
