import { describe, expect, test } from 'vitest';
import { mergeValue } from '../../../src/templates/merge/merge-objects.ts';

describe('mergeValue', () => {
  test.each([
    ['changed by nobody', 'a', 'a', 'a', 'a'],
    ['changed by us', 'a', 'b', 'a', 'b'],
    ['changed by them', 'a', 'a', 'b', 'b'],
    ['changed by both to the same', 'a', 'b', 'b', 'b'],
    ['removed by them', 'a', 'a', undefined, undefined],
    ['added by us', undefined, 'b', undefined, 'b'],
    ['an object changed by both to the same', { x: 1 }, { x: 2, y: [1] }, { y: [1], x: 2 }, { x: 2, y: [1] }],
  ])('settles a value %s', (_, base, ours, theirs, value) => {
    expect(mergeValue<unknown>(base, ours, theirs)).toEqual({ clean: true, value });
  });

  test.each([
    ['changed differently', 'a', 'b', 'c'],
    ['changed by us and removed by them', 'a', 'b', undefined],
    ['added differently', undefined, { x: 1 }, { x: 2 }],
  ])('gives a value %s as a conflict', (_, base, ours, theirs) => {
    expect(mergeValue<unknown>(base, ours, theirs)).toEqual({ clean: false, base, ours, theirs });
  });
});
