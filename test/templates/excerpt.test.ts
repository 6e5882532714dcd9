import { expect, test } from 'vitest';
import { excerptOf } from '../../src/templates/excerpt.ts';

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `row ${index + 1}`).join('\n');

test.each([
  ['3-4', '3| row 3\n4| row 4'],
  ['9-', '9| row 9\n10| row 10'],
  ['5', '5| row 5'],
  ['0-1', '1| row 1'],
  ['10-99', '10| row 10'],
  ['11-12', ''],
  ['4-3', ''],
])('lines %s of ten', (lines, text) => {
  expect(excerptOf(numbered(10), { lines })).toEqual({ total_lines: 10, text });
});

test('a search shows two lines before and after each hit, whatever the case', () => {
  expect(excerptOf(numbered(20), { find: 'ROW 1' })).toMatchObject({ total_lines: 20, found: 11 });
  expect(excerptOf(numbered(20), { find: 'row 5' })).toEqual({
    total_lines: 20,
    found: 1,
    text: '3| row 3\n4| row 4\n5| row 5\n6| row 6\n7| row 7',
  });
});

test('hits far from each other are set apart', () => {
  const text = numbered(30).replace('row 4', 'coupon').replace('row 20', 'coupon');
  expect(excerptOf(text, { find: 'coupon' }).text).toBe(
    '2| row 2\n3| row 3\n4| coupon\n5| row 5\n6| row 6\n' +
      '…\n18| row 18\n19| row 19\n20| coupon\n21| row 21\n22| row 22',
  );
});

test('a search within lines finds only what is there', () => {
  expect(excerptOf(numbered(30), { find: 'row 1', lines: '15-16' })).toMatchObject({ found: 2 });
});

test('nothing found is an empty text', () => {
  expect(excerptOf(numbered(3), { find: 'coupon' })).toEqual({ total_lines: 3, found: 0, text: '' });
});

test('an answer has at most 16,000 characters, and says which lines come next', () => {
  const text = Array.from({ length: 400 }, () => 'x'.repeat(99)).join('\n');
  const { text: shown, more, total_lines } = excerptOf(text, { lines: '1-400' });
  expect(shown.length).toBeLessThanOrEqual(16_000);
  expect([total_lines, more]).toEqual([400, '154-400']);
  expect(excerptOf(text, { lines: '154-400' }).text.startsWith('154| xxx')).toBe(true);
});

test('reading on from `more` gives every line once', () => {
  const text = Array.from({ length: 1_000 }, (_, index) => `${index} ${'x'.repeat(index % 97)}`).join('\n');
  const read: string[] = [];
  for (let lines: string | undefined = '1-'; lines !== undefined; ) {
    const part = excerptOf(text, { lines });
    read.push(part.text.replace(/^\d+\| /gm, ''));
    lines = part.more;
  }
  expect(read.join('\n')).toBe(text);
});

test('of HTML in one line, what is around the hit is shown', () => {
  const text = `${'a'.repeat(50_000)}coupon${'b'.repeat(50_000)}`;
  const { text: shown } = excerptOf(text, { find: 'coupon' });
  expect(shown).toContain('coupon');
  expect(shown).toMatch(/^1\| …a+couponb+…$/);
  expect(shown.length).toBeLessThan(2_100);
});
