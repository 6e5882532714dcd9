const SEGMENTER = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

// Only with these does a character always stand for itself.
const PLAIN = /^[\x20-\x7e]*$/;

/** Length as people count it: an emoji with a skin tone is one, a letter with its accent too. */
export function countGraphemes(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let count = 0;
  for (const _ of SEGMENTER.segment(text)) count++;
  return count;
}

/** The first so many graphemes, none of them cut. */
export function takeGraphemes(text: string, count: number): string {
  if (PLAIN.test(text)) return text.slice(0, count);
  let taken = 0;
  for (const { index } of SEGMENTER.segment(text)) if (taken++ === count) return text.slice(0, index);
  return text;
}
