import { cleanText } from '../../text/clean-text.ts';
import { countGraphemes, takeGraphemes } from '../../text/graphemes.ts';

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
export function shortPhrase(phrase: string, room: number): string {
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
