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
const PLACES = wordSet(lists.placeNames);
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
  const about = doing ? actionClass(plain, doing.verb) : nounClass(words, plain, head);
  const base = { about, label, feminine: false };
  if (doing) {
    const slots = { do: doing.base, topic: doing.gerund, doing: doing.gerund };
    return { ...base, label: doing.gerund, plural: false, slots };
  }
  if (ASKS.has(plain[0] ?? '') || plain.some((word) => FINITE.has(word)))
    return { ...base, plural: false, slots: {} };
  const plural = isPlural(head) || plain.includes('and');
  // It cannot be told whether 'Ceramic mugs' begins with a name, which keeps its capital inside a sentence.
  if (isTitle(words)) return { ...base, plural, slots: {} };
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
  if (LANGUAGES.has(word)) return false;
  const isListed = knows(word) || ADJECTIVES.has(word) || ASKS.has(word) || VERBS.has(word);
  return isListed || ADJECTIVE_END.test(word);
}

const ADJECTIVE_END = /.{3}(?:ic|ous|ful|less|able|ible|ive)$/;

const LANGUAGES = wordSet('spanish english french german italian japanese python javascript excel');

/** Money and health and the like by their words; a skill where a list has it, as what one practices. */
function actionClass(plain: readonly string[], verb: string): PhraseForms['about'] {
  const about = classOf(plain.slice(1), '');
  if (about === 'money' || about === 'health' || about === 'problem') return about;
  if (isInPlace(plain)) return 'place';
  if (classOf([], verb) === 'money') return 'money';
  return classOf([], gerundOf(verb)) === 'skill' ? 'skill' : 'general';
}

/** What is after a preposition does not count: 'Lisbon on a budget'. A name is a place or tells nothing: 'the Tokyo Marathon'. */
function nounClass(words: readonly string[], plain: readonly string[], head: string): PhraseForms['about'] {
  const at = plain.lastIndexOf(head);
  const about = classOf(plain.slice(0, at + 1), head);
  const isName = at > 0 && /^\p{Lu}\p{Ll}/u.test(words[at] ?? '');
  if (isName && about !== 'place') return 'general';
  return about === 'general' && (PLACES.has(head) || isInPlace(plain)) ? 'place' : about;
}

const isInPlace = (plain: readonly string[]) =>
  plain.some((word, at) => at > 0 && PLACES.has(word) && /^(?:in|to|around|from)$/.test(plain[at - 1] ?? ''));

/** Whether only the first of several words has a capital, and is in no list. */
function isTitle([first = '', second]: readonly string[]): boolean {
  const small = first.toLowerCase();
  const isCapital = /^\p{Lu}\p{Ll}+$/u.test(first);
  return (
    isCapital &&
    second !== undefined &&
    second === second.toLowerCase() &&
    !PLACES.has(small) &&
    !LANGUAGES.has(small)
  );
}

function verbPhrase(label: string, plain: readonly string[]) {
  const rest = label.replace(/^how to /i, '');
  const [first = '', second = '', third = ''] = rest === label ? plain : plain.slice(2);
  const tail = rest.slice(first.length);
  if (VERBS.has(first) && (rest !== label || (CLEAR_VERBS.has(first) && second !== '')))
    return { verb: first, base: first + tail, gerund: gerundOf(first) + tail };
  const verb = GERUNDS.get(first);
  const isObject =
    PREPOSITIONS.has(second) || DETERMINERS.test(second) || (third !== '' && ADJECTIVES.has(second));
  const hasObject = CLEAR_VERBS.has(verb ?? '') || isObject;
  return verb && second !== '' && hasObject ? { verb, base: verb + tail, gerund: first + tail } : undefined;
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
