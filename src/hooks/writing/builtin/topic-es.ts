import { isNews, newsKind } from './news-es.ts';
import { contracted, readNoun, withArticle } from './noun-es.ts';
import type { PhraseForms } from './topic.ts';
import lists from './topic-words.es.json' with { type: 'json' };
import { createClassifier, uncapitalized, wordSet } from './word-lists.ts';

const { classOf, knows } = createClassifier(lists);
const NOT_VERBS = wordSet(lists.notVerbs);
const SAYS = wordSet(`${lists.finite} ${lists.saysThird}`);
const FINITE = wordSet(lists.finite);
const ASKS = wordSet(`${lists.asks} cómo`);
const BEFORE_NOUN = wordSet(lists.adjectives);
const UNWANTED = wordSet(lists.unwanted);
const NUMBERS = wordSet(lists.numbers);
const GOODS = wordSet(lists.goods);
const MASS = wordSet(lists.mass);
const PLACES = wordSet(lists.placeNames);
const BRANDS = wordSet(lists.brands);
const NOT_NAMES = wordSet(lists.notNames);
const OWN_VERBS = wordSet(lists.ownVerbs);
const MINE = /^(?:mis?|nuestr[oa]s?)$/;

/**
 * Reads a Spanish phrase: news of the one who posts, an infinitive («cómo hacer pan»), a clause, a sentence, what is their own
 * («mi padre»), or a noun with its gender and number («masa madre»). Each has other slots, since few frames suit two of them.
 */
export function readSpanish(phrase: string): PhraseForms {
  const label = uncapitalized(phrase, (word) => isCommon(word) || isDescribed(word, phrase));
  const plain = label.toLowerCase().replace(/[,:;]/g, '').split(' ');
  const first = plain[0] ?? '';
  const verb = first === 'cómo' ? (plain[1] ?? '') : first;
  const base = { about: 'general', label, plural: false, feminine: false } as const;
  if (isInfinitive(verb)) return readAction(first === 'cómo' ? label.slice('cómo '.length) : label, verb);
  const clause = readClause(label, plain);
  if (clause) return clause;
  if (isNews(plain)) return readNews(label, plain);
  if (isOpen(label, plain))
    return { ...readThing(label, plain), about: 'general', slots: openSlots(label, plain) };
  // «Menos es más», «mi madre cumple 70», «Etsy sube las comisiones».
  const verbs = MINE.test(first) || BRANDS.has(first) ? SAYS : FINITE;
  const says = plain.some((word, at) => verbs.has(word) && !deniesAdjective(word, plain[at + 1] ?? ''));
  if (says) return { ...base, about: 'news', slots: { label, call: label } };
  const whole = wholeSlots(label, first);
  return whole ? { ...base, plural: 'count' in whole, slots: whole } : readThing(label, plain);
}

/** «Plantas no tóxicas» is no sentence. */
const deniesAdjective = (word: string, next: string) => word === 'no' && /(?:[ao]s|ibles)$/.test(next);

/** The slots of what has no article and follows no preposition: «Amélie», «sin gluten», «5 errores», «té o café». */
function wholeSlots(label: string, first: string) {
  const isCount = /^\p{Ll}/u.test(label) && NUMBERS.has(first) && !label.includes(' y ');
  if (/^\d/.test(label) || isCount) return { label, count: label };
  const isLoose =
    PREPOSITIONS.has(first) ||
    /^(?:detrás|dentro|antes|después|cerca|lejos)$/.test(first) ||
    NUMBERS.has(first) ||
    /^(?:mejor|menos|más) (?:sin|con|que|en|de) /.test(label);
  if (mayBeName(label) || isLoose) return { label, heading: label };
  return / (?:o|u) /.test(label) ? { label, choice: label } : undefined;
}

/** A story of one's own («cómo empecé»), what the poster explains («por qué cerramos»), or what any question asks. */
function readClause(label: string, plain: readonly string[]): PhraseForms | undefined {
  const [first = ''] = plain;
  const base = { about: 'general', label, plural: false, feminine: false } as const;
  const isTale = (ASKS.has(first) || first === 'cuando') && plain.some((word) => OWN_VERBS.has(word));
  if (isTale) return { ...base, slots: { label, of_last: `de ${label}` } };
  if (!ASKS.has(first)) return undefined;
  const isOurs = isNews(plain) || plain.some((word) => /^nuestr[oa]s?$/.test(word));
  return { ...base, about: isOurs ? 'news' : 'general', clause: true, slots: {} };
}

/** «Nuestra nueva tienda» is also the poster's own. */
function readNews(label: string, plain: readonly string[]): PhraseForms {
  const own = MINE.test(plain[0] ?? '') ? readThing(label, plain).slots : {};
  const slots = { ...own, label, [newsKind(plain)]: label };
  return { about: 'news', label, plural: false, feminine: false, slots };
}

function readAction(action: string, verb: string): PhraseForms {
  const about = classOf([], verb) === 'skill' ? 'skill' : 'general';
  return { about, label: action, plural: false, feminine: false, slots: actionSlots(action) };
}

function actionSlots(action: string) {
  const words = action.toLowerCase().split(' ');
  // «Dormir o no dormir» is a choice, and no one wants to learn «dormir mal».
  if (words.includes('o') || words.includes('u')) return { label: action, choice: action };
  if (words.some((word) => UNWANTED.has(word)))
    return { label: action, thing: action, of_thing: `de ${action}`, to_thing: `a ${action}` };
  // The reader does it: «mudarte». What anyone else does, {act}, cannot be said of a reflexive verb.
  const own = action.replace(/^(\S+r)(?:se|me)(?= |$)/, '$1te');
  const slots = { label: action, topic: own, do: own, doing: own, of: `de ${own}`, to: `a ${own}` };
  return own === action ? { ...slots, act: action } : slots;
}

/** Whether it ends with a clause, so that the sentence cannot go on: «mi padre, que abrió la tienda». */
function isOpen(label: string, plain: readonly string[]): boolean {
  return (
    label.includes(', ') || plain.slice(1).some((word) => /^(?:que|donde|cuando|quien|quienes)$/.test(word))
  );
}

function openSlots(label: string, plain: readonly string[]) {
  const { slots, ...number } = readThing(label, plain);
  if (slots['of_last'] !== undefined) return { label, of_last: slots['of_last'] };
  const end = withArticle(label, '', number, false);
  return { label, end, of_end: contracted('de', end) };
}

/** A noun: what is the poster's own, a person, a place, a product, or what its class says. */
function readThing(label: string, plain: readonly string[]): PhraseForms {
  const [first = ''] = plain;
  const noun = plain.find((word) => !BEFORE_NOUN.has(word) && !/^\d/.test(word)) ?? '';
  const { plural, feminine } = readNoun(noun, first);
  const number = { plural: plural && !PLACES.has(noun), feminine };
  const about = nounClass(label, plain, noun);
  const base = { about, label, ...number };
  const isMass = MASS.has(noun);
  // «La freidora» is any, as far as one can tell.
  const isMine = isOwn(plain);
  const any = about === 'product' && !isMine ? label.replace(/^(?:el|las?|los) /i, '') : label;
  const thing = withArticle(any, noun, number, about === 'product' && !isMass);
  const [of, to] = [contracted('de', thing), contracted('a', thing)];
  if (isMine) return { ...base, slots: { label, own: thing, of_own: of, of_last: of } };
  // Several of a kind, and what is not counted, are bought without an article: pendientes de plata, café.
  const isBare = (number.plural || isMass) && thing.endsWith(` ${any}`);
  const object = isBare ? any : thing;
  const slots = { label, topic: thing, of, to, thing, object, of_thing: of, to_thing: to };
  if (about !== 'product') return { ...base, slots };
  // «Comprar turrón», but «elegir el turrón».
  const counted = number.plural
    ? { several: any, many: thing, of_many: of, to_many: to }
    : { one: object, pick: thing, of_one: of, to_one: to };
  return { ...base, slots: { ...slots, ...counted } };
}

/** «Mi padre», «el taller de mi padre». */
const isOwn = (plain: readonly string[]) =>
  plain.some(
    (word, at) =>
      OWN_VERBS.has(word) ||
      (MINE.test(word) && (at === 0 || /^(?:de|con|para|en)$/.test(plain[at - 1] ?? ''))),
  );

function isCommon(word: string): boolean {
  if (PLACES.has(word) || BRANDS.has(word)) return false;
  return (
    knows(word) ||
    NOT_NAMES.has(word) ||
    BEFORE_NOUN.has(word) ||
    ASKS.has(word) ||
    isInfinitive(word) ||
    isNews([word]) ||
    COMMON_END.test(word)
  );
}

/**
 * What has an adjective or is of something common is no name: «Lana merino», «Reseñas de clientes», but not «Rosalía de Castro»,
 * «Día de la Madre» or who does something: «Etsy me bloqueó».
 */
function isDescribed(word: string, phrase: string): boolean {
  const [, second = '', third = '', fourth = ''] = phrase.split(' ');
  if (PLACES.has(word) || BRANDS.has(word) || NUMBERS.has(word) || !/^\p{Ll}/u.test(second)) return false;
  if (FINITE.has(second) || /^(?:nos|le|les|lo|la)$|..ó$/.test(second)) return false;
  if (/^(?:de|del)$/.test(second)) return /^\p{Ll}/u.test(/^(?:el|las?|los)$/.test(third) ? fourth : third);
  return !PREPOSITIONS.has(second) && !/^[yeou]$/.test(second);
}

const COMMON_END =
  /(?:ción|ciones|sión|dad|dades|miento|mientos|ncia|ncias|anza|eza|ura|aje|logía|ismo|ados?|adas?|eros?|eras?|..[ao]s)$/;

/** Whether it cannot be told that the first word, as in «Mantel» or «Cesta de Navidad», is no name. */
function mayBeName(label: string): boolean {
  const [first = '', second = ''] = label.split(' ');
  if (VISIT.test(label) || /^Día del? /.test(label)) return false;
  return /^\p{Lu}\p{Ll}+$/u.test(first) && !/^\p{Lu}/u.test(second) && !PLACES.has(first.toLowerCase());
}

// A name that one is in at a time of the year, or goes to in some way, is a place: «Úbeda en otoño».
const VISIT =
  /^\p{Lu}\p{Ll}+ (?:en (?:primavera|verano|otoño|invierno|coche|tren|bici|familia|(?:un|dos|tres) días?|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)|con niños|a pie)$/u;

function isInfinitive(word: string): boolean {
  return (
    (/..[aeií]r(?:se|me|te)?$/.test(word) || /^(?:ser|ir|dar|ver)(?:se|me|te)?$/.test(word)) &&
    !NOT_VERBS.has(word)
  );
}

/** The class of the head alone, since «robot de cocina» is no skill; what is of leather or made to measure is sold. */
function nounClass(label: string, plain: readonly string[], noun: string): PhraseForms['about'] {
  const about = classOf([], noun);
  // No one buys «el móvil en la mesa», and «alquiler de trajes» is no matter of money.
  if ((about === 'product' && plain.includes('en')) || (noun === 'alquiler' && plain.includes('de')))
    return 'general';
  // No doctor is asked about «vacunas del perro».
  if (about === 'health' && plain.some((word) => /^(?:perr|gat|mascot)[ao]s?$/.test(word))) return 'general';
  if (about === 'news') return 'general';
  if (about !== 'general') return about;
  if (PLACES.has(noun) || VISIT.test(label)) return 'place';
  const isLesson = /^(?:clase|curso|taller|charla)(?:e?s)?$/.test(noun);
  return !isLesson && plain.some((word, at) => at > 0 && GOODS.has(word)) ? 'product' : about;
}

const PREPOSITIONS = wordSet('en con sin para por a al desde hasta sobre tras entre contra según');
