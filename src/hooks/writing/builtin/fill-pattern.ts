import { cleanText } from '../../text/clean-text.ts';
import type { Language } from '../../text/language.ts';
import { countGraphemes, takeGraphemes } from '../../text/text.ts';

const TOPIC = '{topic}';

// Longer topics make hooks of which little but the topic is left.
const TOPIC_ROOM = 48;

// For a topic of which nothing is left to name, such as a bare link.
const NAMELESS = { en: 'this one', es: 'esto' } satisfies Record<Language, string>;

/** A pattern with the topic in it, of at most `limit` graphemes. A topic that asks goes on asking. */
export function fillPattern(pattern: string, topic: Topic, language: Language, limit: number): string {
  const [before = '', after = ''] = pattern.split(TOPIC);
  // Two more for the signs of a question.
  const room = limit - countGraphemes(`${before}${after}`) - 2;
  const phrase = shortPhrase(topic.phrase || NAMELESS[language], Math.min(room, TOPIC_ROOM));
  const placed = SENTENCE_START.test(before) ? capitalised(phrase) : phrase;
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

/** What follows begins a sentence of its own, without the sign that stood between. */
function afterQuestion(after: string): string {
  return after
    .replace(/^[.:,]/, '')
    .replace(/^ ([¿¡]?)(\p{Ll})/u, (_, sign, letter) => ` ${sign}${letter.toUpperCase()}`);
}

/** With a capital, unless its first word has its own way, such as iPhone. */
function capitalised(phrase: string): string {
  const [word = ''] = phrase.split(' ');
  if (word !== word.toLowerCase()) return phrase;
  const [first = ''] = phrase;
  return first.toUpperCase() + phrase.slice(first.length);
}

// A clause shorter than this says too little of the topic.
const TELLING = 10;

export type Topic = {
  /** As it can stand inside a sentence; empty when nothing can be named, such as for a bare link. */
  readonly phrase: string;
  /** It is a question. */
  readonly asks: boolean;
};

/** What a topic says, without what collides with a sentence around it. */
export function readTopic(topic: string): Topic {
  return { phrase: trimSigns(cleanText(topic).text), asks: topic.trim().endsWith('?') };
}

/** A phrase of at most `room` graphemes: the first clause or the first words of a longer one. */
function shortPhrase(phrase: string, room: number): string {
  if (countGraphemes(phrase) <= room) return phrase;
  const clause = trimSigns(phrase.split(/[,;:.!?¿¡()]\s|\s[-–—(]|[。、！？]/u)[0] ?? '');
  const length = countGraphemes(clause);
  if (length >= TELLING && length <= room) return clause;
  return `${firstWords(phrase, room - 1)}…`;
}

/** Without the signs that would collide with those of the sentence around it. */
function trimSigns(text: string): string {
  return text.replace(/^[\s¿¡.,;:!?…·|/\\–—-]+|[\s¿¡.,;:!?…·|/\\–—。！？、-]+$/gu, '');
}

/** As many whole words as fit; part of the first when not even that does. */
function firstWords(phrase: string, room: number): string {
  const taken = takeGraphemes(phrase, room);
  const end = phrase[taken.length] === ' ' ? taken.length : taken.lastIndexOf(' ');
  const words = end > 0 ? taken.slice(0, end) : taken;
  // A line that ends on an article or a preposition reads as broken off.
  return trimSigns(words.replace(/(?:\s\p{L}{1,3})+$/u, '')) || takeGraphemes(phrase, room);
}
