import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type TimeLimit, timeLimit } from '../../../src/templates/diff/shortest-edit.ts';
import type { Versions } from '../../../src/templates/merge/diff3.ts';
import { mergeText, type TextMerge } from '../../../src/templates/merge/merge-text.ts';
import { resolveMerge } from '../../../src/templates/merge/resolve-document.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { samples } from '../../support/samples.ts';
import { editedTexts } from '../diff/edited-texts.ts';
import { templateText } from '../diff/template-text.ts';

const texts: fc.Arbitrary<Versions<string>> = fc.oneof(
  editedTexts,
  fc.record({ base: templateText, ours: templateText, theirs: templateText }),
);
const granularity = fc.constantFrom('line' as const, 'token' as const);

describe('mergeText', () => {
  test('takes the change of each side', () => {
    const base = '<h1>Hi</h1>\n<p>One</p>\n<p>Two</p>\n<p>Bye</p>\n';
    expect(
      mergeText({
        base,
        ours: base.replace('Hi', 'Hello'),
        theirs: base.replace('<p>Two</p>\n', '<p>Two</p>\n<p>Three</p>\n'),
      }),
    ).toEqual({ clean: true, text: '<h1>Hello</h1>\n<p>One</p>\n<p>Two</p>\n<p>Three</p>\n<p>Bye</p>\n' });
  });

  test('takes a change both sides made once', () => {
    const merged = mergeText({ base: 'a\nb\nc\n', ours: 'a\nB\nc\n', theirs: 'a\nB\nc\nd\n' });
    expect(merged).toEqual({ clean: true, text: 'a\nB\nc\nd\n' });
  });

  test('gives what both sides changed differently as a conflict, with the line it stands on', () => {
    expect(
      mergeText({ base: 'top\n\nHello\nend\n', ours: 'new\ntop\n\nHi\nend\n', theirs: 'top\n\nDear\nend\n' }),
    ).toEqual({
      clean: false,
      pieces: [
        { kind: 'text', text: 'new\ntop\n\n' },
        { kind: 'conflict', index: 0 },
        { kind: 'text', text: 'end\n' },
      ],
      conflicts: [{ index: 0, line: 4, base: 'Hello\n', ours: 'Hi\n', theirs: 'Dear\n' }],
    });
  });

  test('counts the line of a conflict with our text in those before it', () => {
    const merged = mergeText({ base: 'a\n-\nb\n', ours: 'x\ny\nz\n-\nB\n', theirs: 'A\n-\nC\n' });
    expect(merged.clean ? [] : merged.conflicts.map(({ index, line }) => ({ index, line }))).toEqual([
      { index: 0, line: 1 },
      { index: 1, line: 5 },
    ]);
  });

  test('by token, takes two changes in one line', () => {
    const base = '<table><tr><td>Hello {{name}}</td><td>Total {{total}}</td></tr></table>';
    const sides = { base, ours: base.replace('Hello', 'Hi'), theirs: base.replace('Total', 'Sum') };
    expect(mergeText(sides)).toEqual({
      clean: true,
      text: '<table><tr><td>Hi {{name}}</td><td>Sum {{total}}</td></tr></table>',
    });
    expect(mergeText(sides, { granularity: 'line' })).toMatchObject({
      conflicts: [{ index: 0, line: 1, ...sides }],
    });
  });

  test.each([
    ['a price', '<p>Only 19.99 today</p>', ['20.99', '19.95'], '19.99'],
    ['a style sheet', '<style>p{color:red}</style>', ['color:blue', 'background:red'], 'color:red'],
    [
      'a tag and the text right behind it',
      '<p>a</p><p>b</p><td class="a">c',
      ['<td class="b">c', '<td class="a">C'],
      '<td class="a">c',
    ],
    ['two insertions at one place', '<ul><li>a</li></ul>', ['<li>b</li>', '<li>c</li>'], ''],
  ])('by token, makes nothing neither side wrote of %s', (_, base, [ours = '', theirs = ''], changed) => {
    const at = changed === '' ? base.length - '</ul>'.length : base.indexOf(changed);
    const edited = (text: string) => base.slice(0, at) + text + base.slice(at + changed.length);
    expect(mergeText({ base, ours: edited(ours), theirs: edited(theirs) })).toMatchObject({
      clean: false,
      conflicts: [{ index: 0, line: 1, base: changed, ours, theirs }],
    });
  });

  test('by token, keeps every change of a sentence in its conflict', () => {
    expect(
      mergeText({
        base: '<b>x</b><p>The quick brown fox</p><i>y</i>',
        ours: '<b>x</b><p>A slow brown dog</p><i>y</i>',
        theirs: '<b>x</b><p>The lazy red fox</p><i>z</i>',
      }),
    ).toEqual({
      clean: false,
      pieces: [
        { kind: 'text', text: '<b>x</b><p>' },
        { kind: 'conflict', index: 0 },
        { kind: 'text', text: '</p><i>z</i>' },
      ],
      conflicts: [
        {
          index: 0,
          line: 1,
          base: 'The quick brown fox',
          ours: 'A slow brown dog',
          theirs: 'The lazy red fox',
        },
      ],
    });
  });

  test('by token, keeps whole a line that one side rewrote', () => {
    const sides = {
      base: '<p>Hello {{name}}, thank you</p>',
      ours: '<div>Good morning, dear {{customer}}</div>',
      theirs: '<p>Hello {{name}}, thanks</p>',
    };
    expect(mergeText(sides)).toMatchObject({ conflicts: [{ index: 0, line: 1, ...sides }] });
  });

  test('changes nothing when theirs changed nothing, and takes theirs when ours changed nothing', () => {
    fc.assert(
      fc.property(texts, granularity, ({ base, ours, theirs }, by) => {
        const merged = (sides: Versions<string>) => mergeText(sides, { granularity: by });
        expect(merged({ base, ours: base, theirs })).toEqual({ clean: true, text: theirs });
        expect(merged({ base, ours, theirs: base })).toEqual({ clean: true, text: ours });
        expect(merged({ base, ours, theirs: ours })).toEqual({ clean: true, text: ours });
      }),
      { numRuns: samples(300), seed: 9 },
    );
  });

  test('merges the same either way round, with the sides of the conflicts swapped', () => {
    fc.assert(
      fc.property(texts, granularity, ({ base, ours, theirs }, by) => {
        const one = mergeText({ base, ours, theirs }, { granularity: by });
        const other = mergeText({ base, ours: theirs, theirs: ours }, { granularity: by });
        expect(resolvedWith(other, 'theirs')).toBe(resolvedWith(one, 'ours'));
        expect(
          conflictSides(other).map((sides) => ({ ...sides, ours: sides.theirs, theirs: sides.ours })),
        ).toEqual(conflictSides(one));
      }),
      { numRuns: samples(500), seed: 10 },
    );
  });

  test('has each side whole where every line conflicts', () => {
    const lines = fc.array(fc.constantFrom('a\n', 'b\n', '\n'), { minLength: 1 });
    fc.assert(
      fc.property(lines, lines, lines, (base, ours, theirs) => {
        const sides = {
          base: base.map((line) => `base ${line}`).join(''),
          ours: ours.map((line) => `ours ${line}`).join(''),
          theirs: theirs.map((line) => `theirs ${line}`).join(''),
        };
        const merged = mergeText(sides, { granularity: 'line' });
        expect(resolvedWith(merged, 'base')).toBe(sides.base);
        expect(resolvedWith(merged, 'ours')).toBe(sides.ours);
        expect(resolvedWith(merged, 'theirs')).toBe(sides.theirs);
      }),
      { seed: 11 },
    );
  });

  test('by token, conflicts only where by line it does, and never more text', () => {
    fc.assert(
      fc.property(texts, (sides) => {
        const byLine = mergeText(sides, { granularity: 'line' });
        const byToken = mergeText(sides);
        if (byLine.clean) expect(byToken).toEqual(byLine);
        expect(conflictLength(byToken)).toBeLessThanOrEqual(conflictLength(byLine));
      }),
      { numRuns: samples(500), seed: 12 },
    );
  });

  test('takes changes of different paragraphs, whatever they are', () => {
    const paragraph = fc.stringMatching(/^[a-z .,]{1,20}$/);
    fc.assert(
      fc.property(paragraph, paragraph, granularity, (ours, theirs, by) => {
        const page = (first: string, second: string) =>
          ['<p>', first, '</p>', '<hr>', '<p>', second, '</p>'].join(by === 'line' ? '\n' : '');
        const sides = { base: page('One', 'Two'), ours: page(ours, 'Two'), theirs: page('One', theirs) };
        expect(mergeText(sides, { granularity: by })).toEqual({ clean: true, text: page(ours, theirs) });
      }),
      { numRuns: samples(300), seed: 13 },
    );
  });

  test('merges two edits of a table of 6,000 equal rows', () => {
    const row = '<tr><td>&nbsp;</td></tr>\n';
    const rows = (count: number) => row.repeat(count);
    const sides = {
      base: rows(6_000),
      ours: `${rows(3_000)}<tr><td>ours</td></tr>\n${rows(2_999)}`,
      theirs: `${rows(100)}<tr><td>theirs</td></tr>\n${rows(5_900)}`,
    };
    const merge = () =>
      expect(mergeText(sides)).toEqual({
        clean: true,
        text: `${rows(100)}<tr><td>theirs</td></tr>\n${rows(2_900)}<tr><td>ours</td></tr>\n${rows(2_999)}`,
      });
    expect(cpuMs(merge)).toBeLessThan(1_000);
  });

  test.each([
    [
      'nothing in common',
      lines(6_000, (at) => `base ${at}`),
      lines(6_000, (at) => `ours ${at}`),
      lines(6_000, (at) => `theirs ${at}`),
    ],
    [
      'all lines in another order',
      lines(6_000, (at) => `${at}`),
      lines(6_000, (at) => `${(at * 1_001) % 6_000}`),
      lines(6_000, (at) => `${(at * 3_001 + 7) % 6_000}`),
    ],
    [
      '130,000 short lines',
      lines(130_000, (at) => `${(at * at) % 7}`),
      lines(130_000, (at) => `${(at * at * 3) % 11}`),
      lines(130_000, (at) => `${(at * 5) % 3}`),
    ],
  ])('ends or refuses within a second on texts with %s', (_, base, ours, theirs) => {
    const merge = () =>
      expect(attempt(() => mergeText({ base, ours, theirs }))).toSatisfy(
        (it: unknown) => isMerge(it) || isRefusal(it),
      );
    expect(cpuMs(merge)).toBeLessThan(3_000);
  });

  test('refuses when the time is over', () => {
    expect(
      attempt(() => mergeText({ base: 'a', ours: 'b', theirs: 'c' }, { limit: timeLimit(0) })),
    ).toSatisfy(isRefusal);
  });

  test('spends one limit on lines and tokens together', () => {
    const base = '<p>Hello {{name}}</p>';
    const sides = {
      base,
      ours: base.replace('Hello', 'Hi'),
      theirs: base.replace('{{name}}', '{{first_name}}'),
    };
    const byLine = counting();
    mergeText(sides, { granularity: 'line', limit: byLine });
    const byToken = counting();
    mergeText(sides, { limit: byToken });
    expect(byLine.checks()).toBeGreaterThan(0);
    expect(byToken.checks()).toBeGreaterThan(byLine.checks());
  });
});

function lines(count: number, line: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('');
}

function resolvedWith(merged: TextMerge, side: keyof Versions<string>): string {
  if (merged.clean) return merged.text;
  return resolveMerge(merged.pieces, (index) => merged.conflicts[index]?.[side] ?? '');
}

function conflictSides(merged: TextMerge): Versions<string>[] {
  return merged.clean ? [] : merged.conflicts.map(({ base, ours, theirs }) => ({ base, ours, theirs }));
}

function conflictLength(merged: TextMerge): number {
  return conflictSides(merged).reduce((sum, sides) => sum + Object.values(sides).join('').length, 0);
}

function attempt(action: () => unknown): unknown {
  try {
    return action();
  } catch (fault) {
    return fault;
  }
}

function isMerge(outcome: unknown): boolean {
  return typeof outcome === 'object' && outcome !== null && 'clean' in outcome;
}

function isRefusal(outcome: unknown): boolean {
  return outcome instanceof Error && 'key' in outcome && outcome.key === 'too_large.merge';
}

function counting(): TimeLimit & { checks: () => number } {
  let count = 0;
  return {
    check: () => {
      count++;
    },
    checks: () => count,
  };
}
