import { cleanText } from '../../text/clean-text.ts';
import type { Language } from '../../text/language.ts';
import { countGraphemes, takeGraphemes } from '../../text/text.ts';

const TOPIC = '{topic}';

// With a longer topic the hook is little more than the topic.
const MAX_TOPIC = 48;

// For topics without a nameable phrase, such as a bare link.
const NAMELESS = { en: 'this one', es: 'esto' } satisfies Record<Language, string>;

/** Fills the topic into a pattern, at most `limit` graphemes long. A question stays a question. */
export function fillPattern(pattern: string, topic: Topic, language: Language, limit: number): string {
  const [before = '', after = ''] = pattern.split(TOPIC);
  // Two more for question marks.
  const room = limit - countGraphemes(`${before}${after}`) - 2;
  const phrase = shortPhrase(topic.phrase || NAMELESS[language], Math.min(room, MAX_TOPIC));
  const placed = SENTENCE_START.test(before) ? capitalized(phrase) : phrase;
  if (phrase.endsWith('…')) return `${before}${placed}${after.replace(/^[.:]/, '')}`;
  return topic.asks
    ? `${before}${QUESTION[language](placed)}${afterQuestion(after)}`
    : `${before}${placed}${after}`;
}

const SENTENCE_START = /(?:^|^[“«]|[.!?…] )$/;

const QUESTION = {
  en: (phrase) => `${phrase}?`,
  es: (phrase) => `¿${phrase}?`,
} satisfies Record<Language, (phrase: string) => string>;

/** Starts a new sentence after the question and drops the punctuation in between. */
function afterQuestion(after: string): string {
  return after
    .replace(/^[.:,]/, '')
    .replace(/^ ([¿¡]?)(\p{Ll})/u, (_, sign, letter) => ` ${sign}${letter.toUpperCase()}`);
}

/** Capitalizes the phrase, except for words with their own spelling such as iPhone. */
function capitalized(phrase: string): string {
  const [word = ''] = phrase.split(' ');
  if (word !== word.toLowerCase()) return phrase;
  const [first = ''] = phrase;
  return first.toUpperCase() + phrase.slice(first.length);
}

// A shorter clause does not identify the topic.
const MIN_CLAUSE = 10;

export type Topic = {
  /** A phrase that fits inside a sentence; empty when there is none, such as for a bare link. */
  readonly phrase: string;
  /** Whether it is a question. */
  readonly asks: boolean;
};

/** The topic without punctuation that would collide with the sentence around it. */
export function readTopic(topic: string): Topic {
  return { phrase: trimSigns(cleanText(topic).text), asks: topic.trim().endsWith('?') };
}

/** At most `limit` graphemes of a phrase: all of it, its first clause, or its first words. */
function shortPhrase(phrase: string, limit: number): string {
  if (countGraphemes(phrase) <= limit) return phrase;
  const clause = trimSigns(phrase.split(/[,;:.!?¿¡()]\s|\s[-–—(]|[。、！？]/u)[0] ?? '');
  const length = countGraphemes(clause);
  if (length >= MIN_CLAUSE && length <= limit) return clause;
  return `${firstWords(phrase, limit - 1)}…`;
}

function trimSigns(text: string): string {
  return text.replace(/^[\s¿¡.,;:!?…·|/\\–—-]+|[\s¿¡.,;:!?…·|/\\–—。！？、-]+$/gu, '');
}

/** As many whole words as fit; part of the first when none fits. */
function firstWords(phrase: string, limit: number): string {
  const taken = takeGraphemes(phrase, limit);
  const end = phrase[taken.length] === ' ' ? taken.length : taken.lastIndexOf(' ');
  const words = end > 0 ? taken.slice(0, end) : taken;
  // A line that ends with an article or a preposition looks truncated.
  return trimSigns(words.replace(/(?:\s\p{L}{1,3})+$/u, '')) || takeGraphemes(phrase, limit);
}
