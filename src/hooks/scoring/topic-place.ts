import { wordsOf } from '../text/text.ts';

/** Where a text names its topic: a word of it, as the topic writes it. */
export type TopicPlace = { readonly where: 'early' | 'late' | 'absent'; readonly word: string };

/** Whether one of the first so many words of a text is one of the topic's; undefined when the topic has none to find. */
export function topicPlace(text: string, topic: string, first: number): TopicPlace | undefined {
  const wanted = wordsOf(topic).filter((word) => isTelling(word));
  const [leading] = wanted;
  if (leading === undefined) return undefined;
  const words = wordsOf(text);
  const early = words.slice(0, first).find((word) => wanted.some((other) => isSame(word, other)));
  if (early !== undefined) return { where: 'early', word: early };
  const late = words.find((word) => wanted.some((other) => isSame(word, other)));
  return late === undefined ? { where: 'absent', word: leading } : { where: 'late', word: late };
}

// Words that say nothing of the topic they stand in.
const FILLERS = new Set(
  (
    'the and for with from your you how what why when who are was this that into about have has can will its our their ' +
    'los las una unas unos que con por para como del sus mis tus cuando donde porque sobre desde esta este esto'
  ).split(' '),
);

function isTelling(word: string): boolean {
  return (
    !FILLERS.has(word) && ([...word].length > 2 || /\d/.test(word) || !/^[\p{sc=Latin}\d]+$/u.test(word))
  );
}

// Enough of a word's beginning to be the same word in another form.
const STEM = 5;

function isSame(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length >= STEM) return short.slice(0, STEM) === long.slice(0, STEM);
  return [short, `${short}s`, `${short}es`].includes(long);
}
