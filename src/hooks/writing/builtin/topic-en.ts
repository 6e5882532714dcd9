import type { PhraseForms } from './topic.ts';
import lists from './topic-words.en.json' with { type: 'json' };
import { createClassifier, uncapitalized, wordSet } from './word-lists.ts';

const { classOf, knows } = createClassifier(lists);
const VERBS = wordSet(lists.verbs);
const CLEAR_VERBS = wordSet(lists.clear);
const DOUBLED = wordSet(lists.doubled);
const FINITE = wordSet(lists.finite);
const ASKS = wordSet(lists.asks);
const COUNTABLE = wordSet(lists.countable);
const ADJECTIVES = wordSet(lists.adjectives);
const MASS = wordSet(lists.mass);
const PREPOSITIONS = wordSet(
  'of for in at on with to without from by after before during near about that who under over',
);
const DETERMINERS =
  /^(?:an?|the|my|our|your|his|her|their|this|that|these|those|\d\S*|\S+['’]s|some|every|all|no)$/i;
const GERUNDS = new Map([...VERBS].map((verb) => [gerundOf(verb), verb]));

/** Reads an English phrase: what to do ('how to bake', 'baking a cake') or a thing ('wedding photography', 'used cars'). */
export function readEnglish(phrase: string): PhraseForms {
  const label = uncapitalized(phrase, isCommon);
  const words = label.split(' ');
  const plain = words.map((word) => word.toLowerCase().replace(/['’]/g, ''));
  const doing = verbPhrase(label, plain);
  const head = doing ? (plain.at(-1) ?? '') : headOf(plain);
  const about = doing ? actionClass(plain) : classOf(plain, head);
  const base = { about, label, feminine: false };
  if (doing) {
    const slots = { do: doing.base, topic: doing.gerund, doing: doing.gerund };
    return { ...base, label: doing.gerund, plural: false, slots };
  }
  if (ASKS.has(plain[0] ?? '') || plain.some((word) => FINITE.has(word)))
    return { ...base, plural: false, slots: {} };
  const plural = isPlural(head) || plain.includes('and');
  const thing = plural ? label : withArticle(label, about, head);
  // What ends with -ing is done, not held: no thing.
  return { ...base, plural, slots: head.endsWith('ing') ? { topic: thing } : { topic: thing, thing } };
}

/** With the article that a countable thing needs; names and phrases with their own stay. */
function withArticle(label: string, about: PhraseForms['about'], head: string): string {
  const [first = ''] = label.split(' ');
  const isKnown = knows(head) || COUNTABLE.has(head);
  const isCountable = ['product', 'place', 'person'].includes(about) || COUNTABLE.has(head);
  const isName = first !== first.toLowerCase();
  if (!isKnown || !isCountable || isName || MASS.has(head) || DETERMINERS.test(first)) return label;
  return `${/^[aeiou]/i.test(label) ? 'an' : 'a'} ${label}`;
}

function isCommon(word: string): boolean {
  return !LANGUAGES.has(word) && (knows(word) || ADJECTIVES.has(word) || ASKS.has(word) || VERBS.has(word));
}

const LANGUAGES = wordSet('spanish english french german italian japanese python javascript excel');

/** Money and health and the like by their words; whatever else one does is a skill. */
function actionClass(plain: readonly string[]): PhraseForms['about'] {
  const about = classOf(plain.slice(1), '');
  return about === 'money' || about === 'health' || about === 'problem'
    ? about
    : classOf([], plain[0] ?? '') === 'money'
      ? 'money'
      : 'skill';
}

function verbPhrase(label: string, plain: readonly string[]) {
  const rest = label.replace(/^how to /i, '');
  const [first = '', second = ''] = rest === label ? plain : plain.slice(2);
  const tail = rest.slice(first.length);
  if (VERBS.has(first) && (rest !== label || (CLEAR_VERBS.has(first) && second !== '')))
    return { base: first + tail, gerund: gerundOf(first) + tail };
  const verb = GERUNDS.get(first);
  const hasObject = CLEAR_VERBS.has(verb ?? '') || PREPOSITIONS.has(second) || DETERMINERS.test(second);
  return verb && second !== '' && hasObject ? { base: verb + tail, gerund: first + tail } : undefined;
}

function gerundOf(verb: string): string {
  if (DOUBLED.has(verb)) return `${verb}${verb.at(-1)}ing`;
  return /[^e]e$/.test(verb) ? `${verb.slice(0, -1)}ing` : `${verb}ing`;
}

/** The last word before a preposition: shop in 'my new coffee shop in Austin'. */
function headOf(plain: readonly string[]): string {
  const end = plain.findIndex((word, at) => at > 0 && PREPOSITIONS.has(word));
  return plain[(end === -1 ? plain.length : end) - 1] ?? '';
}

const SINGULAR_S = /(?:ss|us|is|news|ics|series|lens|gas|chess|olympics)$/;

function isPlural(word: string): boolean {
  return (word.endsWith('s') && !SINGULAR_S.test(word)) || PLURALS.has(word);
}

const PLURALS = wordSet('people children men women kids teeth feet mice');
