import { type Action, DETERMINERS, GERUNDS, gerundOf, PREPOSITIONS, VERBS, verbPhrase } from './action-en.ts';
import { isNumbered, isPlural } from './count-en.ts';
import { newsKind } from './news-en.ts';
import { ASKED, tellsOfSelf } from './question-en.ts';
import type { PhraseForms } from './topic.ts';
import lists from './topic-words.en.json' with { type: 'json' };
import { createClassifier, uncapitalized, wordSet } from './word-lists.ts';

const { classOf, knows } = createClassifier(lists);
const FINITE = wordSet(lists.finite);
const ASKS = wordSet(lists.asks);
const COUNTABLE = wordSet(lists.countable);
const PLACES = wordSet(lists.placeNames);
const ADJECTIVES = wordSet(lists.adjectives);
const COMMON = wordSet(lists.common);
const MASS = wordSet(lists.mass);
const FOOD = wordSet(lists.food);
const FOOD_OILS = wordSet(lists.foodOils);
const NOT_FOOD = wordSet(lists.notFood);
const SORE = wordSet(lists.sore);
const BODY = wordSet(lists.body);
const DAYS = wordSet(lists.days);
const DAY =
  /(?:['’]s day|s['’] day|new year['’]?s? (?:eve|day)|^new year|black friday|cyber monday|^back to school|valentine['’]?s)$/;
const OWN = wordSet(lists.own);
// A product that has one of these is a trouble: 'a slow laptop'.
const FAULTS = wordSet('slow broken leaking cracked noisy stained squeaky messy dirty cluttered clogged');
// What one practices is bought when it is one of these: 'a second-hand piano'.
const BOUGHT = wordSet('used second-hand secondhand vintage antique refurbished acoustic electric digital');

const LONE_I = /^i(?:['’](?:m|d|ve|ll))?$/i;

/** A lone 'i' as it is spelled: 'how I got there', "what I'm reading". */
export function spelledEnglish(phrase: string): string {
  return phrase.replace(/(?<![\p{L}\p{N}.'’-])i(?=$|[ ,]|['’](?:m|d|ve|ll)\b)/gu, 'I');
}

/** Reads an English phrase: what to do ('how to bake', 'baking a cake') or a thing ('wedding photography', 'used cars'). */
export function readEnglish(phrase: string): PhraseForms {
  const label = uncapitalized(phrase, isCommon);
  const words = label.split(' ');
  const plain = words.map((word) => word.toLowerCase().replace(/[,:]|['’](?:s$)?/g, ''));
  const base = { about: 'general', label, feminine: false, plural: false } as const;
  const doing = verbPhrase(label, plain);
  if (ASKS.has(plain[0] ?? '') && !doing)
    return tellsOfSelf(plain)
      ? { ...base, slots: { tale: label } }
      : { ...base, clause: true, asks: ASKED.test(label), slots: {} };
  const told = readNotice(label, plain);
  if (told) return { ...base, ...told };
  const isAction = doing !== undefined || GERUNDS.has(plain[0] ?? '');
  const isOwn = plain.some((word) => OWN.has(word));
  if (isAction && isOwn) return { ...base, slots: { tale: doing?.gerund ?? label } };
  if (!isOneThing(plain)) return { ...base, slots: {} };
  return doing ? readAction(doing, plain, base) : readNoun({ label, words, plain }, isOwn);
}

function readAction(doing: Action, plain: readonly string[], base: Omit<PhraseForms, 'slots'>): PhraseForms {
  const slots = { do: doing.base, topic: doing.gerund, doing: doing.gerund };
  return { ...base, about: actionClass(plain, doing.verb), label: doing.gerund, slots };
}

/** News, or the title of a list; undefined for what can stand inside a sentence. */
function readNotice(
  label: string,
  plain: readonly string[],
): Pick<PhraseForms, 'about' | 'slots'> | undefined {
  const news = newsKind(label, plain);
  if (news) return { about: 'news', slots: news === 'news' ? {} : { [news]: label } };
  return isNumbered(plain) ? { about: 'general', slots: { numbered: label } } : undefined;
}

/** Neither a sentence nor a comparison nor something that happens to one: 'being the only woman'. */
function isOneThing(plain: readonly string[]): boolean {
  const [first = '', second = ''] = plain;
  const isHappening = /..ing$/.test(first) && (DETERMINERS.test(second) || PREPOSITIONS.has(second));
  // A clock has no verb: 'at 5 am'.
  const isWhole = plain.some(
    (word, at) =>
      (FINITE.has(word) && !/^\d/.test(plain[at - 1] ?? '')) || /^(?:vs\.?|versus|or)$/.test(word),
  );
  return (
    !isWhole &&
    (first === 'to' || !PREPOSITIONS.has(first)) &&
    (!isHappening || GERUNDS.has(first) || knows(first))
  );
}

type Phrase = {
  readonly label: string;
  readonly words: readonly string[];
  readonly plain: readonly string[];
};

function readNoun(phrase: Phrase, isOwn: boolean): PhraseForms {
  const { label, words, plain } = phrase;
  const comma = words.findIndex((word) => word.endsWith(','));
  const head = headOf(comma === -1 ? plain : plain.slice(0, comma + 1));
  const plural = isPlural(head) || plain.includes('and');
  const about = nounClass(words, plain, head);
  const base = { about, label, feminine: false, plural };
  const special = isOwn || RELATIVES.test(label) ? ownKind(phrase, head) : specialKind(phrase, about, head);
  if (special) return { ...base, about: ABOUT[special], slots: { [special]: label } };
  // It cannot be told whether 'Ceramic mugs' begins with a name, which keeps its capital inside a sentence.
  if (comma !== -1 || isTitle(words)) return { ...base, slots: {} };
  const thing = plural ? label : withArticle(label, about, head);
  if (thing === undefined) return { ...base, slots: {} };
  // What ends with -ing is done, not held: no thing to buy.
  const isHeld = !head.endsWith('ing') || about !== 'product';
  return { ...base, slots: isHeld ? { topic: thing, thing } : { topic: thing } };
}

// Kinds of topics with patterns of their own.
const ABOUT = { own: 'general', relative: 'person', day: 'general', food: 'product' } as const;

function specialKind({ label, words, plain }: Phrase, about: PhraseForms['about'], head: string) {
  if (about === 'person' && !isPlural(head) && DETERMINERS.test(words[0] ?? '')) return 'relative';
  if (isTitle(words) || label.includes(',')) return undefined;
  if (DAYS.has(head) || DAY.test(label.toLowerCase().replace(/ (?:for|at|in|on|with) .*/, ''))) return 'day';
  return isFood(plain, head) ? 'food' : undefined;
}

/** One person, such as 'my sister' or 'our driver Tom', or something else of the poster's own. */
function ownKind({ words, plain }: Phrase, head: string): 'relative' | 'own' {
  const isName = /^\p{Lu}/u.test(words.at(-1) ?? '') && plain.some((word) => classOf([], word) === 'person');
  const isPerson = isName || classOf([], head) === 'person';
  const isOne = !isPlural(head) && !/^(?:team|couple|customer|client|student)$/.test(head);
  return isPerson && isOne ? 'relative' : 'own';
}

// People call their own relatives so: "grandma's apron".
const RELATIVES = /^(?:grand(?:ma|pa|mother|father)|gran|granny|nana|nonna|mom|mum|dad|auntie)['’]s /i;

/** What one eats or drinks as it is; not 'body butter', 'a tea for beginners' or 'phones at the table'. */
function isFood(plain: readonly string[], head: string): boolean {
  const at = plain.lastIndexOf(head);
  const next = plain[at + 1] ?? 'from';
  if (DETERMINERS.test(plain[0] ?? '') || plain.slice(0, at).some((word) => NOT_FOOD.has(word))) return false;
  const isOil = /^oils?$/.test(head) && plain.slice(0, at).some((word) => FOOD_OILS.has(word));
  return /^(?:from|of|with|and)$/.test(next) && (FOOD.has(head) || isOil);
}

/**
 * Adds the article that a countable thing needs; names and phrases with an article stay as they are. Undefined for a singular
 * word that no list has: it may or may not need one.
 */
function withArticle(label: string, about: PhraseForms['about'], head: string): string | undefined {
  const [first = ''] = label.split(' ');
  const isName = first !== first.toLowerCase();
  if (isName || DETERMINERS.test(first)) return label;
  // 'the loneliness of working from home'
  const uncounted = label.startsWith(`${head} of `) ? `the ${label}` : label;
  if (MASS.has(head)) return uncounted;
  const isCountable = ['product', 'place', 'person'].includes(about) || COUNTABLE.has(head);
  if (isCountable && (knows(head) || COUNTABLE.has(head)))
    return `${/^[aeiou]/i.test(label) ? 'an' : 'a'} ${label}`;
  return knows(head) || FOOD.has(head) || UNCOUNTED_END.test(head) ? uncounted : undefined;
}

const UNCOUNTED_END =
  /..(?:ing|ism|ness|ity|tion|sion|ment|ance|ence|ship|ure|age|logy|graphy|ics|care|ware|work|wear|itude|dom|hood|life)$/;

function isCommon(spelled: string): boolean {
  const word = spelled.replace(/['’]/g, '');
  if (CAPITALIZED.has(word) || LONE_I.test(spelled)) return false;
  const isListed = [ADJECTIVES, COMMON, ASKS, VERBS, FOOD, GERUNDS, MASS, PREPOSITIONS, OWN].some((list) =>
    list.has(word),
  );
  return (
    isListed ||
    knows(word) ||
    ADJECTIVE_END.test(word) ||
    /^(?:to|[a-z]{3,}(?:ness|ship|ment|tion|ing))$/.test(word)
  );
}

const ADJECTIVE_END = /.{3}(?:ic|ous|ful|less|able|ible|ive)$/;

const CAPITALIZED = wordSet(
  'spanish english french german italian japanese python javascript excel christmas easter halloween',
);

/** Money and health and the like by their words; a skill where a list has it, as what one practices. */
function actionClass(plain: readonly string[], verb: string): PhraseForms['about'] {
  const about = classOf(plain.slice(1), '');
  // What ends a problem is none.
  if (about === 'problem') return 'general';
  if (about === 'money' || about === 'health') return about;
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
  // A policy for returns is no problem, and vegan brownies are no diet.
  const isOwn = classOf([], head) === about;
  if (['problem', 'health', 'skill'].includes(about) && !isOwn) return classBeside('general', plain, head);
  return classBeside(about, plain, head);
}

/** The class with what the other words say: 'a slow laptop', 'dry skin', 'a second-hand piano', 'phones at the table'. */
function classBeside(
  about: PhraseForms['about'],
  plain: readonly string[],
  head: string,
): PhraseForms['about'] {
  const has = (set: ReadonlySet<string>) => plain.some((word) => set.has(word));
  if (/^(?:product|person)$/.test(about) && has(FAULTS)) return 'problem';
  if (BODY.has(head) && has(SORE)) return 'problem';
  if (about === 'skill' && has(BOUGHT)) return 'product';
  if (about === 'product' && has(ELSEWHERE)) return 'general';
  return about === 'general' && (PLACES.has(head) || isInPlace(plain)) ? 'place' : about;
}

const ELSEWHERE = wordSet('at during');

const isInPlace = (plain: readonly string[]) =>
  plain.some((word, at) => at > 0 && PLACES.has(word) && /^(?:in|around|from)$/.test(plain[at - 1] ?? ''));

const NATIONALITY = /(?:ian|can|ean|ish|ese|ench|utch)$/;
const NAME_PARTICLE = /^(?:van|von|de|da|di|du|del|la|le|of|the|and) \p{Lu}/u;

/** Whether only the first of several words has a capital, and is in no list. */
function isTitle([first = '', second, third = '']: readonly string[]): boolean {
  const small = first.toLowerCase();
  const isCapital = /^\p{Lu}[\p{Ll}-]+$/u.test(first);
  return (
    isCapital &&
    second !== undefined &&
    second === second.toLowerCase() &&
    !NAME_PARTICLE.test(`${second} ${third}`) &&
    !NATIONALITY.test(first) &&
    !PLACES.has(small) &&
    !CAPITALIZED.has(small)
  );
}

/** The last word before a preposition: shop in 'my new coffee shop in Austin'. */
function headOf(plain: readonly string[]): string {
  const end = plain.findIndex((word, at) => at > 0 && PREPOSITIONS.has(word));
  return plain[(end === -1 ? plain.length : end) - 1] ?? '';
}
