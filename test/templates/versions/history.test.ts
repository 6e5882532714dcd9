import { expect, test } from 'vitest';
import { ancestors, divergence, type History, mergeBase } from '../../../src/templates/branches.ts';

/** `graph('a', 'b<a', 'c<a,b')`: versions in the order they were written, each with its parents. */
function graph(...versions: string[]): History {
  return new Map(
    versions.map((text, seq) => {
      const [id = '', parents] = text.split('<');
      return [id, { seq, parents: parents ? parents.split(',') : [] }];
    }),
  );
}

test('a version comes from its parents and theirs', () => {
  expect([...ancestors(graph('a', 'b<a', 'c<b', 'x<a'), 'c')].sort()).toEqual(['a', 'b', 'c']);
});

test('a branch is ahead by what main lacks, and behind by what it lacks', () => {
  const history = graph('a', 'm1<a', 'm2<m1', 'd1<a');
  expect(divergence(history, 'd1', 'm2')).toEqual({ ahead: 1, behind: 2 });
  expect(divergence(history, 'm2', 'm2')).toEqual({ ahead: 0, behind: 0 });
});

test('a merge starts from the nearest common version', () => {
  expect(mergeBase(graph('a', 'b<a', 'm<b', 'd<b'), 'm', 'd')).toBe('b');
});

test('after a merge, the merged head is the common version', () => {
  const history = graph('a', 'd1<a', 'm1<a,d1', 'd2<d1');
  expect(mergeBase(history, 'm1', 'd2')).toBe('d1');
});

test('a head that came from the other is its own base: nothing conflicts', () => {
  expect(mergeBase(graph('a', 'b<a', 'c<b'), 'b', 'c')).toBe('b');
});

test('branches merged crosswise take the older of the two bases, whichever way round', () => {
  const history = graph('a', 'm1<a', 'd1<a', 'm2<m1,d1', 'd2<d1,m1');
  expect(mergeBase(history, 'm2', 'd2')).toBe('m1');
  expect(mergeBase(history, 'd2', 'm2')).toBe('m1');
});
