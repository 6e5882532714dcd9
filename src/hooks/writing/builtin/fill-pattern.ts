import { countGraphemes } from '../../text/graphemes.ts';
import type { Language } from '../../text/language.ts';
import { shortPhrase, type Topic } from './short-topic.ts';

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
