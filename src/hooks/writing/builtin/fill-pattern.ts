import type { Language } from '../../text/language.ts';
import { countGraphemes } from '../../text/text.ts';
import { shortPhrase, type Topic } from './topic.ts';

// {name} is the topic as a label. {topic}, {thing}, {doing}, {do}, {of}, {to} are its forms inside a sentence.
// {is|are} depends on number; {lo|la|los|las} on gender and number.
const SLOT = /\{([^{}]+)\}/g;

/** Fills the topic into a pattern, at most `limit` graphemes long; undefined when a form is missing or it does not fit. */
export function fillPattern(
  pattern: string,
  topic: Topic,
  language: Language,
  limit: number,
): string | undefined {
  const filled = pattern.includes('{name}')
    ? fillLabel(agree(pattern, topic), topic, language, limit)
    : fillForms(pattern, topic);
  return filled !== undefined && countGraphemes(filled) <= limit ? filled : undefined;
}

/** The words of a pattern without its slots: what two hooks of it share whatever they are about. */
export function frameOf(pattern: string): string {
  return pattern.replace(SLOT, ' ');
}

/** The right word of each choice; topics without a number count as singular. */
function agree(pattern: string, { plural, feminine }: Topic): string {
  return pattern.replace(SLOT, (slot, inside: string) => {
    const forms = inside.split('|');
    if (forms.length < 2) return slot;
    const at = Number(plural) * (forms.length / 2) + (forms.length === 4 ? Number(feminine) : 0);
    return forms[at] ?? slot;
  });
}

function fillForms(pattern: string, topic: Topic): string | undefined {
  const agreed = agree(pattern, topic);
  const slots = [...agreed.matchAll(SLOT)].map(([, name = '']) => topic.slots[name]);
  if (slots.length === 0 || slots.includes(undefined)) return undefined;
  const filled = agreed.replace(SLOT, (_, name: string) => topic.slots[name] ?? '');
  return SENTENCE_START.test(agreed.split('{')[0] ?? '') ? capitalized(filled) : filled;
}

/** A label becomes its own clause. A question stays a question, and one that is too long is shortened. */
function fillLabel(pattern: string, topic: Topic, language: Language, limit: number): string {
  const [before = '', after = ''] = pattern.split('{name}');
  // Two more for question marks.
  const room = limit - countGraphemes(`${before}${after}`) - 2;
  const phrase = shortPhrase(topic.label, room);
  const placed = SENTENCE_START.test(before) ? capitalized(phrase) : phrase;
  if (phrase.endsWith('…')) return `${before}${placed}${after.replace(/^[.:]/, '')}`;
  return topic.asks
    ? `${before}${QUESTION[language](placed)}${afterQuestion(after)}`
    : `${before}${placed}${after}`;
}

const SENTENCE_START = /(?:^|^[“«¿]|[.!?…] ¿?)$/;

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
