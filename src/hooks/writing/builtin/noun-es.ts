import lists from './topic-words.es.json' with { type: 'json' };
import { wordSet } from './word-lists.ts';

// Gender, number and article of Spanish nouns.

const FEMININE = wordSet(lists.feminine);
const MASCULINE = wordSet(lists.masculine);
const HARD_A = wordSet(lists.hardA);
const PLURAL_S = wordSet(lists.pluralS);
// Capital letters, and yet with an article: «el IVA», «el Día de la Madre».
const ACRONYMS = wordSet(lists.acronyms);
const DETERMINER =
  /^(?:el|las?|los|una?|un[oa]s|mis?|tus?|sus?|nuestr[oa]s?|est[aeo]s?|es[aeo]s?|cada|todo|toda)$/;

type Noun = { readonly plural: boolean; readonly feminine: boolean };

/** @param first the first word of the phrase, perhaps an article */
export function readNoun(noun: string, first: string): Noun {
  return { plural: isPlural(noun, first), feminine: isFeminine(noun, first) };
}

function isPlural(noun: string, first: string): boolean {
  if (/^(?:los|las|mis|tus|sus|un[oa]s|nuestr[oa]s|est[ao]s|es[ao]s)$/.test(first)) return true;
  if (/^(?:el|la|una?|mi|tu|su|nuestr[oa])$/.test(first)) return false;
  if (PLURAL_S.has(noun)) return true;
  // Crisis, cactus, estrés and tos are singular.
  return (
    /[^iuáéíóú]s$/.test(noun) &&
    !/^(?:lunes|martes|jueves|viernes|tos|mes|gas|dios|caos|atlas|paraguas|cumpleaños|pilates)$/.test(noun)
  );
}

function isFeminine(noun: string, first: string): boolean {
  if (/^(?:la|las|una|unas|nuestras?|estas?|esas?)$/.test(first)) return true;
  if (/^(?:el|los|un|unos|nuestros?|estos|este)$/.test(first)) return HARD_A.has(noun);
  const forms = singulars(noun);
  if (forms.some((form) => MASCULINE.has(form) || ACRONYMS.has(form.toUpperCase()))) return false;
  return (
    forms.some((form) => FEMININE.has(form) || HARD_A.has(form)) ||
    /(?:as?|ión|dad|tad|tud|umbre|ies?|ez|itis|osis|triz)$/.test(noun) ||
    /(?:iones|dades|tades|tudes|umbres)$/.test(noun)
  );
}

/** What the word may be one or several of: «luces» of «luz», «flores» of «flor», «fotos» of «foto». */
const singulars = (noun: string) => [
  noun,
  noun.replace(/s$/, ''),
  noun.replace(/es$/, ''),
  noun.replace(/ces$/, 'z'),
];

/** With the article a sentence needs: una freidora, las velas, el ayuno; names and phrases with their own stay. */
export function withArticle(label: string, noun: string, { plural, feminine }: Noun, isOne: boolean): string {
  const [first = ''] = label.toLowerCase().split(' ');
  const isName = label[0] !== label[0]?.toLowerCase() && !ACRONYMS.has(label.split(' ')[0] ?? '');
  if (isName || DETERMINER.test(first)) return label;
  if (plural) return `${feminine ? 'las' : 'los'} ${label}`;
  // «El agua», but «la nueva agua».
  const isFeminineHere = feminine && !(HARD_A.has(noun) && first === noun);
  if (isOne) return `${isFeminineHere ? 'una' : 'un'} ${label}`;
  return `${isFeminineHere ? 'la' : 'el'} ${label}`;
}

/** «Del pan», «al pan». */
export function contracted(preposition: 'de' | 'a', phrase: string): string {
  return phrase.startsWith('el ')
    ? `${preposition === 'de' ? 'del' : 'al'} ${phrase.slice('el '.length)}`
    : `${preposition} ${phrase}`;
}
