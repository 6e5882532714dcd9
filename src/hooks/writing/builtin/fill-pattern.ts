import type { Language } from '../../text/language.ts';
import { countGraphemes } from '../../text/text.ts';
import { shortPhrase, type Topic } from './topic.ts';

// {name} is the topic as a label: {noun} unless it is a question or a clause, {clause} only where it is one, {bare} only where it
// has no form inside a sentence, {title} where it is a {noun} without such a form. {topic}, {thing}, {doing}, {do}, {of}, {to} are
// its forms inside a sentence; {food}, {day}, {own}, {relative}, {tale}, {numbered}, {offer}, {event} and {moment} are those of
// topics that the other patterns would not suit.
// {is|are} depends on number; {lo|la|los|las} on gender and number.
const SLOT = /\{([^{}]+)\}/g;
const LABEL_OF_KIND = /\{(?:noun|bare|title|clause)\}/;

/** Fills the topic into a pattern, at most `limit` graphemes long; undefined when a form is missing or it does not fit. */
export function fillPattern(
  pattern: string,
  topic: Topic,
  language: Language,
  limit: number,
): string | undefined {
  if ((topic.clause ? /\{(?:noun|title)\}/ : /\{clause\}/).test(pattern)) return undefined;
  if (/\{(?:bare|title)\}/.test(pattern) && Object.keys(topic.slots).length > 0) return undefined;
  const named = pattern.replace(LABEL_OF_KIND, '{name}');
  const filled = isLabel(pattern)
    ? fillLabel(agree(named, topic), topic, language, limit)
    : fillForms(named, topic);
  return filled !== undefined && countGraphemes(filled) <= limit ? filled : undefined;
}

/** Whether a pattern has the topic as a label. */
export function isLabel(pattern: string): boolean {
  return pattern.includes('{name}') || LABEL_OF_KIND.test(pattern);
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
  // After a clause that a comma opens a sentence cannot go on: 'my father, who opened the shop'.
  if (topic.label.includes(', ') && !ENDS_WITH_SLOT.test(pattern)) return undefined;
  const agreed = agree(pattern, topic);
  const slots = [...agreed.matchAll(SLOT)].map(([, name = '']) => topic.slots[name]);
  if (slots.length === 0 || slots.includes(undefined)) return undefined;
  return agreed.replace(SLOT, (_, name: string, at: number) => {
    const form = topic.slots[name] ?? '';
    return SENTENCE_START.test(agreed.slice(0, at)) ? capitalized(form) : form;
  });
}

/** A label becomes its own clause. A question stays a question, and one that is too long is shortened. */
function fillLabel(pattern: string, topic: Topic, language: Language, limit: number): string {
  const [before = '', after = ''] = pattern.split('{name}');
  // Two more for question marks.
  const room = limit - countGraphemes(`${before}${after}`) - 2;
  const phrase = shortPhrase(topic.label, room);
  const placed = SENTENCE_START.test(before) ? capitalized(phrase) : phrase;
  if (phrase.endsWith('…')) return `${before}${placed}${after.replace(/^[.:]/, '')}`;
  // A second colon would hide what the first one announces.
  if (phrase.includes(':') && after.startsWith(':')) return `${before}${placed}.${afterQuestion(after)}`;
  return topic.asks
    ? `${before}${QUESTION[language](placed)}${afterQuestion(after)}`
    : `${before}${placed}${after}`;
}

const ENDS_WITH_SLOT = /^[^{}]*\{[^{}|]+\}[.?!]?$/;

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
