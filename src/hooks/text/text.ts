import { LRUCache } from 'lru-cache';

// Reads text for every other folder: words, their plain form, graphemes and speaking time.

const WORD_SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' });

// A brisk speaking rate: about 160 words per minute.
const WORDS_PER_SECOND = 2.7;

// Scripts without spaces between words.
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/**
 * The words of a text in order, lower case and without accents; in every script.
 *
 * In: a text. Out: its words, graphemes and plain form. Invariant: pure; how a letter is composed makes no difference.
 */
export function wordsOf(text: string): readonly string[] {
  const known = read.get(text);
  if (known) return known;
  const words = EASY.test(text) ? wordsOfEasy(text) : wordsOfAny(text);
  read.set(text, words);
  return words;
}

/** Most English hooks: words of ASCII letters and digits, with signs of sentences after them only. */
const EASY = /^(?:[a-z0-9]+(?:(?<=[a-z])'[a-z]+)?(?:[.,;:!?]* +|[.,;:!?]*$))*$/i;

/** The same as `wordsOfAny`, ten times as fast. */
function wordsOfEasy(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll("'", '')
      .match(/[a-z0-9]+/g) ?? []
  );
}

/** In every script. */
export function wordsOfAny(text: string): string[] {
  return [...WORD_SEGMENTER.segment(text)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => plain(segment));
}

// Every scoring rule needs the words or the plain form of the same hook, and computing them is the slowest part.
const read = new LRUCache<string, readonly string[]>({ max: 100 });
const plainForms = new LRUCache<string, string>({ max: 500 });

/** Speaking time in seconds, rounded to tenths. */
export function spokenSeconds(text: string): number {
  return Math.round((wordsOf(text).length / WORDS_PER_SECOND) * 10) / 10;
}

/** Lower-case letters and digits with single spaces: ignores case, accents and punctuation. */
export function plainText(text: string): string {
  const known = plainForms.get(text);
  if (known !== undefined) return known;
  const made = plain(text);
  plainForms.set(text, made);
  return made;
}

function plain(text: string): string {
  if (ASCII.test(text)) return spaced(text.toLowerCase(), /[^a-z0-9]+/g);
  const bare = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return spaced(bare, /[^\p{L}\p{N}]+/gu);
}

const ASCII = /^[\0-\x7f]*$/;

function spaced(text: string, signs: RegExp): string {
  return text.replace(/[’']/g, '').replace(signs, ' ').trim();
}

/** Whether a text contains a word or phrase as whole words; symbols and emoji match literally. */
export function findWord(text: string, phrase: string): boolean {
  const wanted = plainText(phrase);
  if (wanted === '') return phrase.trim() !== '' && text.includes(phrase.trim());
  const words = plainText(text);
  return UNSPACED.test(wanted) ? words.includes(wanted) : ` ${words} `.includes(` ${wanted} `);
}

const GRAPHEME_SEGMENTER = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

// In printable ASCII each character is one grapheme.
const PLAIN = /^[\x20-\x7e]*$/;

/** Length in graphemes: an emoji with a skin tone counts as one, and so does a letter with its accent. */
export function countGraphemes(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let count = 0;
  for (const _ of GRAPHEME_SEGMENTER.segment(text)) count++;
  return count;
}

/** The first `count` graphemes, none of them cut. */
export function takeGraphemes(text: string, count: number): string {
  if (PLAIN.test(text)) return text.slice(0, count);
  let taken = 0;
  for (const { index } of GRAPHEME_SEGMENTER.segment(text))
    if (taken++ === count) return text.slice(0, index);
  return text;
}
