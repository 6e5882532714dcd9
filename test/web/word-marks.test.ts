import { expect, test } from 'vitest';
import { piecesOf } from '../../web/src/pages/templates/word-marks.ts';

const marked = (text: string, ...others: string[]) =>
  piecesOf(text, others)
    .map(({ text: piece, isNew }) => (isNew ? `[${piece}]` : piece))
    .join('');

test.each([
  ['Your order left today', 'Your parcel left today', 'Your [order] left today'],
  ['<p>Hello {{name}}</p>', '<p>Hello {{first_name}}</p>', '<p>Hello [{{name}}]</p>'],
  ['<p class="a">Hello</p>', '<p class="b">Hello</p>', '[<p class="a">]Hello</p>'],
  ['the same', 'the same', 'the same'],
  ['all new', '', '[all new]'],
  ['', 'all gone', ''],
])('%s beside %s is marked as %s', (text, other, expected) => {
  expect(marked(text, other)).toBe(expected);
});

test('beside two texts, what one of them lacks is marked', () => {
  expect(marked('a b c', 'a x c', 'a b y')).toBe('a [b] [c]');
});

test('a tag that both have counts more than the words that they happen to share', () => {
  const tag = '<p style="margin:0">';
  expect(marked(`Your order is here${tag}Now`, `Thanks${tag}Your order is paid`)).toBe(
    `[Your order is here]${tag}[Now]`,
  );
});

test('texts too long to compare while a person waits are marked as a whole', () => {
  const [text, other] = [`${'a '.repeat(200)}b`, `${'a '.repeat(200)}c`];
  expect(marked(text, other)).toBe(`[${text}]`);
});

test('the middle of what is long and the same is left out, never of what differs', () => {
  const same = `<p style="${'margin:0;'.repeat(20)}">`;
  const own = 'word '.repeat(40).trim();
  expect(marked(`${same}${own}</p>`, `${same}Hello</p>`)).toBe(
    `${same.slice(0, 24)} … ${same.slice(-24)}[${own}]</p>`,
  );
});
