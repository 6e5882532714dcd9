import { diffArrays } from 'diff';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { align, type Hunk } from '../../../src/templates/diff/align.ts';
import { shortestEdit, timeLimit } from '../../../src/templates/diff/shortest-edit.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { samples } from '../../support/samples.ts';

const items = fc
  .constantFrom(1, 2, 5, 40)
  .chain((kinds) => fc.array(fc.nat(kinds).map(String), { maxLength: 80, size: 'max' }));

describe('align', () => {
  test('finds nothing between equal lists', () => {
    expect(align(['a', 'b'], ['a', 'b'], timeLimit())).toEqual([]);
    expect(align([], [], timeLimit())).toEqual([]);
  });

  test('gives a replacement as one hunk, and an insertion as an empty range of the first list', () => {
    expect(align(['a', 'b', 'c', 'd'], ['a', 'x', 'y', 'c', 'new', 'd'], timeLimit())).toEqual([
      { fromStart: 1, fromEnd: 2, toStart: 1, toEnd: 3 },
      { fromStart: 3, fromEnd: 3, toStart: 4, toEnd: 5 },
    ]);
  });

  test('puts a removal among repeated items at the last of them', () => {
    expect(align(['a', 'a', 'a', 'b'], ['a', 'a', 'b'], timeLimit())).toEqual([
      { fromStart: 2, fromEnd: 3, toStart: 2, toEnd: 2 },
    ]);
  });

  test('gives hunks that turn the first list into the second, with equal items between them', () => {
    fc.assert(
      fc.property(items, items, (from, to) => {
        const hunks = align(from, to, timeLimit());
        expect(applied(from, to, hunks)).toEqual(to);
        for (const [at, hunk] of hunks.entries()) {
          const previous = hunks[at - 1];
          if (previous) expect(hunk.fromStart).toBeGreaterThan(previous.fromEnd);
        }
      }),
      { numRuns: samples(500), seed: 1 },
    );
  });

  test('ends or refuses within a second on 260,000 items that differ all over', () => {
    const list = (step: number) => Array.from({ length: 260_000 }, (_, at) => String((at * step) % 7));
    const endOrRefuse = () => {
      const refusal = attempt(() => align(list(3), list(5), timeLimit()));
      if (refusal) expect(refusal).toMatchObject({ key: 'too_large.merge' });
    };
    expect(cpuMs(endOrRefuse)).toBeLessThan(3_000);
  });

  test('refuses when the time is over', () => {
    expect(attempt(() => align(['a'], ['b'], timeLimit(0)))).toMatchObject({ key: 'too_large.merge' });
  });
});

describe('shortestEdit', () => {
  test('makes as few edits as jsdiff', () => {
    fc.assert(
      fc.property(items, items, (from, to) => {
        const parts = diffArrays(from, to).filter((part) => part.added || part.removed);
        expect(editCount(from, to)).toBe(parts.reduce((sum, part) => sum + part.count, 0));
      }),
      { numRuns: samples(500), seed: 2 },
    );
  });
});

function applied(from: readonly string[], to: readonly string[], hunks: readonly Hunk[]): string[] {
  const starts = [0, ...hunks.map((hunk) => hunk.fromEnd)];
  return starts.flatMap((start, at) => {
    const hunk = hunks[at];
    return hunk
      ? [...from.slice(start, hunk.fromStart), ...to.slice(hunk.toStart, hunk.toEnd)]
      : from.slice(start);
  });
}

function editCount(from: readonly string[], to: readonly string[]): number {
  let count = 0;
  const one = () => {
    count++;
  };
  shortestEdit(Int32Array.from(from, Number), Int32Array.from(to, Number), timeLimit(), {
    removed: one,
    added: one,
  });
  return count;
}

function attempt(action: () => unknown): unknown {
  try {
    action();
  } catch (fault) {
    return fault;
  }
  return undefined;
}
