import { cleanText } from '../../text/clean-text.ts';
import type { Language } from '../../text/language.ts';
import { countGraphemes, takeGraphemes } from '../../text/text.ts';
import { readEnglish, spelledEnglish } from './topic-en.ts';
import { readSpanish } from './topic-es.ts';

/** What a topic is about: `news` is what the person who posts announces or offers; `general` when its words tell nothing. */
export const TOPIC_CLASSES = [
  'news',
  'problem',
  'money',
  'health',
  'person',
  'place',
  'product',
  'skill',
  'general',
] as const;
export type TopicClass = (typeof TOPIC_CLASSES)[number];

/** The slots of a pattern that a topic can fill, by their name. */
type Slots = Readonly<Partial<Record<string, string>>>;

/** A phrase as its language reads it. */
export type PhraseForms = {
  readonly about: TopicClass;
  /** The phrase as a label: with a small first letter unless it is a name. */
  readonly label: string;
  /** The forms that fit inside a sentence; none for a question or a whole clause. */
  readonly slots: Slots;
  /** Whether it is a clause that a question word begins; no thing and nothing to do. */
  readonly clause?: boolean;
  /** Whether it is a question even without its mark: 'is it too late to learn coding'. */
  readonly asks?: boolean;
  readonly plural: boolean;
  readonly feminine: boolean;
};

export type Topic = PhraseForms & {
  /** Whether it is a question. */
  readonly asks: boolean;
  /** Whether it calls for an answer: a question, or a clause such as 'how to fold a fitted sheet'. */
  readonly clause: boolean;
};

// With a longer topic the hook is little more than the topic.
const MAX_TOPIC = 48;

// For topics without a nameable phrase, such as a bare link.
const NAMELESS = { en: 'this one', es: 'esto' } satisfies Record<Language, string>;

const READERS = { en: readEnglish, es: readSpanish } satisfies Record<
  Language,
  (phrase: string) => PhraseForms
>;

// Phrases of other scripts or with signs are labels only.
const PLAIN_PHRASE = /^[\p{sc=Latin}\d$€][\p{sc=Latin}\d '’&.,%$€/+-]*$/u;

/** Classifies a topic by its words and endings, and inflects it for the slots of patterns. */
export function readTopic(topic: string, language: Language): Topic {
  const typed = trimSigns(cleanText(topic).text);
  const phrase = language === 'en' ? spelledEnglish(typed) : typed;
  const short = shortPhrase(phrase || NAMELESS[language], MAX_TOPIC);
  const forms = READERS[language](short);
  const asks = topic.trim().endsWith('?') || (forms.asks === true && !short.endsWith('…'));
  const isLabel = asks || short.endsWith('…') || !PLAIN_PHRASE.test(short) || !/\p{L}{2}/u.test(short);
  const about = asks ? 'general' : forms.about;
  const clause = asks || forms.clause === true;
  return isLabel
    ? { ...forms, about, label: short, slots: {}, asks, clause }
    : { ...forms, about, asks, clause };
}

// A shorter clause does not identify the topic.
const MIN_CLAUSE = 10;

/** At most `limit` graphemes of a phrase: all of it, its first clause, or its first words. */
export function shortPhrase(phrase: string, limit: number): string {
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
