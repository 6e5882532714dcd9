import lists from './topic-words.en.json' with { type: 'json' };
import { wordSet } from './word-lists.ts';

export const VERBS = wordSet(lists.verbs);
const CLEAR_VERBS = wordSet(lists.clear);
const DOUBLED = wordSet(lists.doubled);
const ADJECTIVES = wordSet(lists.adjectives);
export const PREPOSITIONS = wordSet(
  'of for in at on with to without from by after before during near about that who which when while under over as next through across along between around against inside behind',
);
export const DETERMINERS =
  /^(?:an?|the|my|our|your|his|her|their|this|that|these|those|\d\S*|\S+['’]s|some|every|all|no)$/i;
const PARTICLES = wordSet(
  'off up out down away back alone together abroad solo well better more less faster early late again',
);
// One vowel before one consonant at the end: stop, plan.
const SHORT_VERB = /^[^aeiou]*[aeiou][^aeiouwxy]$/;
export const GERUNDS = new Map([...VERBS].map((verb) => [gerundOf(verb), verb]));

/** What to do, as a base form and as a gerund: 'bake bread', 'baking bread'. */
export type Action = { readonly verb: string; readonly base: string; readonly gerund: string };

export function verbPhrase(label: string, plain: readonly string[]): Action | undefined {
  const [marker = ''] = label.match(/^(?:how )?to /i) ?? [];
  const rest = label.slice(marker.length);
  const [first = '', second = '', third = ''] = plain.slice(marker.split(' ').length - 1);
  const tail = rest.slice(first.length);
  const isVerb = marker === '' ? CLEAR_VERBS.has(first) && second !== '' : isInfinitive(first);
  if (isVerb) return { verb: first, base: first + tail, gerund: gerundOf(first) + tail };
  const verb = GERUNDS.get(first);
  const isObject =
    PARTICLES.has(second) ||
    PREPOSITIONS.has(second) ||
    DETERMINERS.test(second) ||
    (third !== '' && ADJECTIVES.has(second));
  const hasObject = CLEAR_VERBS.has(verb ?? '') || isObject;
  return verb && second !== '' && hasObject ? { verb, base: verb + tail, gerund: first + tail } : undefined;
}

// After 'to' any word is a verb, but for adverbs: 'how to not kill a fern', 'how to really rest'.
const isInfinitive = (word: string) =>
  VERBS.has(word) || /^(?!not$|never$|really$)[a-z]{2,}(?<!ly)$/.test(word);

export function gerundOf(verb: string): string {
  if (DOUBLED.has(verb) || SHORT_VERB.test(verb)) return `${verb}${verb.at(-1)}ing`;
  if (/^[dlt]ie$/.test(verb)) return `${verb.slice(0, -2)}ying`;
  return /[^eo]e$/.test(verb) && verb !== 'be' ? `${verb.slice(0, -1)}ing` : `${verb}ing`;
}
