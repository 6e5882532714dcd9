import type { PhraseForms } from './topic.ts';
import lists from './topic-words.es.json' with { type: 'json' };
import { createClassifier, uncapitalized, wordSet } from './word-lists.ts';

const { classOf, knows } = createClassifier(lists);
const NOT_VERBS = wordSet(lists.notVerbs);
const FINITE = wordSet(lists.finite);
const ASKS = wordSet(lists.asks);
const BEFORE_NOUN = wordSet(lists.adjectives);
const FEMININE = wordSet(lists.feminine);
const MASCULINE = wordSet(lists.masculine);
const HARD_A = wordSet(lists.hardA);
const MASS = wordSet(lists.mass);
const PLACES = wordSet(lists.placeNames);
const DETERMINER =
  /^(?:el|las?|los|una?|un[oa]s|mis?|tus?|sus?|nuestr[oa]s?|est[aeo]s?|es[aeo]s?|\d\S*|cada|todo|toda)$/;

/** Reads a Spanish phrase: an infinitive ('cómo hacer pan') or a noun with its gender and number ('masa madre'). */
export function readSpanish(phrase: string): PhraseForms {
  const label = uncapitalized(phrase, (word) => isCommon(word) || OF_COMMON.test(phrase));
  const plain = label.toLowerCase().split(' ');
  const action = /^c[óo]mo /i.test(label) ? label.slice('cómo '.length) : label;
  const verb = action.toLowerCase().split(' ')[0] ?? '';
  if (isInfinitive(verb)) {
    const slots = { topic: action, do: action, doing: action, of: `de ${action}`, to: `a ${action}` };
    return { about: actionClass(plain, verb), label: action, plural: false, feminine: false, slots };
  }
  const at = plain.findIndex((word) => !BEFORE_NOUN.has(word) && !/^\d/.test(word));
  const noun = plain[at] ?? '';
  const about = nounClass(plain, noun);
  const [plural, feminine] = [isPlural(noun, plain[0] ?? ''), isFeminine(noun, plain[0] ?? '')];
  const base = { about, label, plural, feminine };
  if (ASKS.has(plain[0] ?? '') || plain[0] === 'cómo' || plain.some((word) => FINITE.has(word)))
    return { ...base, slots: {} };
  const thing = withArticle(label, { plain, noun, about, plural, feminine });
  const [of, to] = [contracted('de', thing), contracted('a', thing)];
  // Several of a kind, and what is not counted, are bought without an article: pendientes de plata, café.
  const isBare = (plural || MASS.has(noun)) && thing.endsWith(` ${label}`);
  const object = isBare ? label : thing;
  return { ...base, slots: { topic: thing, of, to, thing, object, of_thing: of, to_thing: to } };
}

function isCommon(word: string): boolean {
  return (
    knows(word) ||
    BEFORE_NOUN.has(word) ||
    ASKS.has(word) ||
    word === 'cómo' ||
    isInfinitive(word) ||
    COMMON_END.test(word)
  );
}

/** What is made of, or is of, something common is no name: 'Reseñas de clientes', but not 'Rosalía de Castro'. */
const OF_COMMON = /^\S+ (?:de|del) \p{Ll}/u;

const COMMON_END = /(?:ción|ciones|sión|dad|dades|miento|mientos|ncia|ncias|eza|ura|aje|logía)$/;

function isInfinitive(word: string): boolean {
  return /..[aeií]r(?:se|me|te)?$/.test(word) && !NOT_VERBS.has(word);
}

/** Money, health and problems by their words; a skill where a list has it, as what one practices. */
function actionClass(plain: readonly string[], verb: string): PhraseForms['about'] {
  const about = classOf(plain, verb);
  if (about === 'money' || about === 'health' || about === 'problem') return about;
  if (isInPlace(plain)) return 'place';
  return classOf([], verb) === 'skill' ? 'skill' : 'general';
}

/** What is after a preposition other than «de» does not count. */
function nounClass(plain: readonly string[], noun: string): PhraseForms['about'] {
  const end = plain.findIndex((word) => PREPOSITIONS.has(word));
  const about = classOf(end === -1 ? plain : plain.slice(0, end), noun);
  return about === 'general' && (PLACES.has(noun) || isInPlace(plain)) ? 'place' : about;
}

const isInPlace = (plain: readonly string[]) =>
  plain.some((word, at) => PLACES.has(word) && /^(?:en|por|a)$/.test(plain[at - 1] ?? ''));

const PREPOSITIONS = wordSet('en con sin para por a al desde hasta sobre tras entre contra según');

function isPlural(noun: string, first: string): boolean {
  if (/^(?:los|las|mis|tus|sus|un[oa]s|nuestr[oa]s|est[ao]s|es[ao]s)$/.test(first)) return true;
  return (
    /[^iu]s$/.test(noun) &&
    !/^(?:el|la|una?|mi|tu|su)$/.test(first) &&
    !/^(?:lunes|martes|jueves|viernes|estrés)$/.test(noun)
  );
}

function isFeminine(noun: string, first: string): boolean {
  if (/^(?:la|las|una|unas|nuestras?|estas?|esas?)$/.test(first)) return true;
  if (/^(?:el|los|un|unos|nuestros?|estos|este)$/.test(first)) return HARD_A.has(noun);
  const single = noun.replace(/(?<=[aeo])s$/, '');
  if (MASCULINE.has(single) || MASCULINE.has(noun)) return false;
  return (
    FEMININE.has(noun) ||
    FEMININE.has(single) ||
    /(?:a|ción|sión|dad|tad|tud|umbre|ie)$/.test(single) ||
    /(?:ciones|siones|dades|tudes)$/.test(noun)
  );
}

type Noun = Pick<PhraseForms, 'about' | 'plural' | 'feminine'> & {
  readonly plain: readonly string[];
  readonly noun: string;
};

/** With the article a sentence needs: una freidora, las velas, el ayuno; names and phrases with their own stay. */
function withArticle(label: string, { plain, noun, about, plural, feminine }: Noun): string {
  const isName = label[0] !== label[0]?.toLowerCase();
  if (isName || DETERMINER.test(plain[0] ?? '') || /^\d/.test(label)) return label;
  const isOne = about === 'product' && !plural && !MASS.has(noun);
  if (isOne) return `${feminine && !HARD_A.has(noun) ? 'una' : 'un'} ${label}`;
  if (plural) return `${feminine ? 'las' : 'los'} ${label}`;
  return `${feminine && !HARD_A.has(noun) ? 'la' : 'el'} ${label}`;
}

function contracted(preposition: 'de' | 'a', phrase: string): string {
  return phrase.startsWith('el ')
    ? `${preposition === 'de' ? 'del' : 'al'} ${phrase.slice('el '.length)}`
    : `${preposition} ${phrase}`;
}
