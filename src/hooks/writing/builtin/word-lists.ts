import type { TopicClass } from './topic.ts';

// Reads the word lists of topics, and tells with them what a phrase is about.

type WordSet = ReadonlySet<string>;

export const wordSet = (words: string): WordSet => new Set(words.split(' '));

type ListedClass = Exclude<TopicClass, 'general'>;

type Lists = {
  readonly classes: Readonly<Partial<Record<ListedClass, string>>>;
  readonly endings: Readonly<Partial<Record<ListedClass, string>>>;
};

const HEAD_ONLY: ReadonlySet<TopicClass> = new Set(['person', 'place', 'product']);

export type Classifier = {
  /** The class of the head of a phrase; without one, the class of the first of the other words that tells what it is about. */
  classOf(words: readonly string[], head: string): TopicClass;
  /** Whether a list has the word, so that it is no name. */
  knows(word: string): boolean;
};

/**
 * The rule: a word belongs to the class whose list has it, or its singular; else to the class of its ending. Where two
 * lists have it, the first class wins, in the order of the file. A phrase without such a word is `general`. Only the head
 * makes a phrase a person, a place or a product: customer reviews are no customers.
 */
export function createClassifier({ classes, endings }: Lists): Classifier {
  const listed = new Map<string, TopicClass>();
  for (const [about, words] of entriesOf(classes))
    for (const word of words.split(' ')) if (!listed.has(word)) listed.set(word, about);
  const byEnding = entriesOf(endings).flatMap(([about, ends]) =>
    ends.split(' ').map((end) => [end, about] as const),
  );
  const inList = (word: string) => listed.get(word) ?? listed.get(word.replace(/e?s$/, ''));
  const byEnd = (word: string) =>
    byEnding.find(([end]) => word.length > end.length + 2 && word.endsWith(end))?.[1];
  return {
    classOf(words, head) {
      const others = words.filter((word) => !HEAD_ONLY.has(inList(word) ?? byEnd(word) ?? 'general'));
      const order = [head, ...others];
      const found = order.find((word) => inList(word) !== undefined) ?? order.find((word) => byEnd(word));
      return found === undefined ? 'general' : (inList(found) ?? byEnd(found) ?? 'general');
    },
    knows: (word) => inList(word) !== undefined || byEnd(word) !== undefined,
  };
}

function entriesOf(record: Readonly<Partial<Record<ListedClass, string>>>): [ListedClass, string][] {
  // Object.entries loses the type of the keys.
  return Object.entries(record) as [ListedClass, string][];
}

const ARTICLE = /^(?:the|an?|my|our|el|las?|los|una?|mis?)$/;

/** The phrase with a small first letter, when its first word is not a name, as it is in 'Black Friday'. */
export function uncapitalized(phrase: string, isCommon: (word: string) => boolean): string {
  const [first = '', second = ''] = phrase.split(' ');
  const small = first.toLowerCase();
  const [letter = ''] = phrase;
  const isTitle = first === letter + small.slice(letter.length) && first !== small;
  const isName = /^\p{Lu}/u.test(second) && !ARTICLE.test(small);
  return isTitle && !isName && isCommon(small) ? letter.toLowerCase() + phrase.slice(letter.length) : phrase;
}
