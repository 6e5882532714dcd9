import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordsOf, wordsOfAny } from '../../../src/hooks/text/text.ts';
import { samples } from '../../support/samples.ts';

/** Pieces that are often in hooks, and those that make a word longer or shorter than it looks. */
const piece = fc.constantFrom(
  ...['kettle', 'You', 'don', 't', 'a', 'B2B', '7', '1', '000', 'x9', 'ñ', 'o’'],
  ...["'", '.', ',', ';', ':', '!', '?', '-', '_', '$', '%', ' ', '  ', '\n', '\u00a0', '\ufeff'],
);
const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));

test('words are those that Unicode finds, in easy texts as in all others', () => {
  const same = fc.property(text, (one) => {
    expect(wordsOf(one)).toEqual(wordsOfAny(one));
  });
  fc.assert(same, { numRuns: samples(20_000, 3_000) });
});

test('a word keeps its letters and loses its signs', () => {
  expect(wordsOf("Don't boil it twice: 3 rules, B2B!")).toEqual([
    'dont',
    'boil',
    'it',
    'twice',
    '3',
    'rules',
    'b2b',
  ]);
  expect(wordsOf('1,000 años o’clock')).toEqual(['1 000', 'anos', 'oclock']);
});
