import { expect, test } from 'vitest';
import { byName, byNumber, pageOf } from '../../src/platform/paging.ts';

const page = (names: readonly string[], limit: number) =>
  pageOf(
    names,
    limit,
    (name) => name,
    (name) => name,
  );

test('the cursor of a page leads to the next, and the last page has none', () => {
  const { items, next_cursor } = page(['café', 'tea', 'water'], 2);
  expect([items, byName({ limit: 2, cursor: next_cursor ?? '' })]).toEqual([
    ['café', 'tea'],
    { after: 'tea', limit: 2 },
  ]);
  expect(page(['water'], 2)).toEqual({ items: ['water'], next_cursor: null });
  expect(byNumber({ limit: 2, cursor: Buffer.from('41').toString('base64url') })).toEqual({
    before: 41,
    limit: 2,
  });
});

test.each(['nonsense', 'next', 'abcd', 'page2', 'dGVh=', '', 'AA'])('%j is no cursor of a list', (cursor) => {
  const refused = expect.objectContaining({ key: 'validation_failed.cursor' });
  expect(() => byName({ limit: 2, cursor })).toThrow(refused);
  expect(() => byNumber({ limit: 2, cursor })).toThrow(refused);
});
