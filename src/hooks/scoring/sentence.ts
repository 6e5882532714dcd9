import type { Language } from '../text/language.ts';
import { plainText, wordsOf } from '../text/text.ts';
import { EFFECTS, GLUE, NEVER_AFTER_OPENER, OPENERS, ORDERS, PLACEHOLDERS, VERBS } from './grammar-words.ts';

/**
 * How a text reads: as a sentence, as a phrase without a verb such as a title, or as no sentence, with the word that shows
 * it. Rules and short word lists, no parser: unusual grammar passes, strings of effects do not.
 */
export type Reading =
  | { readonly as: 'sentence' | 'phrase' | 'loose' }
  | { readonly as: 'repeats' | 'placeholder' | 'broken'; readonly word: string };

/** The words of `topic` are no verbs after a pronoun: 'you taxes'. */
export function readSentence(text: string, language: Language, topic = ''): Reading {
  const words = wordsOf(text);
  const placeholder = words.find((word) => PLACEHOLDERS.has(word) || isUnpronounceable(word, text));
  if (placeholder !== undefined) return { as: 'placeholder', word: placeholder };
  const repeated = repeatedWord(words, language);
  if (repeated !== undefined) return { as: 'repeats', word: repeated };
  const clauses = clausesOf(text);
  const dangling = danglingWord(clauses, language);
  if (dangling !== undefined) return { as: 'broken', word: dangling };
  const about = new Set(wordsOf(topic));
  if (isLoose(words, language) || hasStrayNumber(text, language, about)) return { as: 'loose' };
  return { as: hasVerb(text, { words, clauses, language, about }) ? 'sentence' : 'phrase' };
}

const VOWEL = /[aeiouy]/;
const INTERJECTIONS = /^(?:h?m+|sh+|ps+t|br+|gr+|zz+)$/;

/** A word of Latin letters without a vowel that is no acronym, such as keyboard noise. */
function isUnpronounceable(word: string, text: string): boolean {
  if (word.length < 3 || !/^[a-z]+$/.test(word) || VOWEL.test(word) || INTERJECTIONS.test(word)) return false;
  return !text.includes(word.toUpperCase());
}

// More repeated words than this, of those that carry meaning, are a list of one thing.
const MAX_REPEATED = 0.25;

/** A word said three times, twice in a row, or one of too many repetitions. */
function repeatedWord(words: readonly string[], language: Language): string | undefined {
  const inRow = words.find((word, at) => at > 0 && word === words[at - 1]);
  if (inRow !== undefined) return inRow;
  const content = words.filter((word) => !GLUE[language].has(word));
  const counts = Map.groupBy(content, (word) => word);
  const often = [...counts].find(([, places]) => places.length > 2);
  if (often) return often[0];
  const extra = content.length - counts.size;
  if (extra / content.length <= MAX_REPEATED) return undefined;
  return [...counts].find(([, places]) => places.length > 1)?.[0];
}

// Pronouns that differ from a possessive or an article by their accent only.
const STRESSED = /(?<!\p{L})(?:tú|mí|él)(?!\p{L})/giu;

/** The words of each clause: what stands between punctuation. */
function clausesOf(text: string): string[][] {
  return text
    .replace(STRESSED, 'ella')
    .split(/[.,;:!?…¿¡()"«»“”]+(?=\s|$)|(?<=^|\s)[¿¡("«“]+/u)
    .map((clause) => plainText(clause).split(' ').filter(Boolean))
    .filter((clause) => clause.length > 0);
}

/** An article or conjunction that nothing follows, or with a word after it that cannot be there. */
function danglingWord(clauses: readonly string[][], language: Language): string | undefined {
  for (const clause of clauses) {
    const last = clause.at(-1) ?? '';
    if (clause.length > 1 && OPENERS[language].has(last)) return last;
    const at = clause.findIndex((word, place) =>
      NEVER_AFTER_OPENER[language][word]?.has(clause[place + 1] ?? ''),
    );
    if (at !== -1) return clause[at];
  }
  return undefined;
}

// Below this share of articles, pronouns and the like, words stand next to each other without a relation.
const LEAST_GLUE = 0.2;

function isLoose(words: readonly string[], language: Language): boolean {
  const glue = words.filter((word) => GLUE[language].has(word)).length;
  const isEffect = words.map((word) => EFFECTS[language].has(word));
  const effects = isEffect.filter(Boolean).length;
  if (isEffect.some((_, at) => isEffect.slice(at, at + 3).filter(Boolean).length === 3)) return true;
  return glue < words.length * LEAST_GLUE || (effects > 2 && effects >= words.length / 2);
}

// A short number that ends a clause or stands before a question or an objection, with the word before it.
const NUMBER_AT_END =
  /(?<![\p{L}\d])(\p{L}+) \d{1,3}(?=[?!.…;,]*$|[?!.…;,] | (?:but|who|what|why|which|without|until|pero|quien|qué|cuál|sin|hasta)(?!\p{L}))/giu;

/** Whether a number counts and numbers nothing: 'hidden 3?', but not 'page 3', 'at 40' or 'I kept 2'. */
function hasStrayNumber(text: string, language: Language, about: ReadonlySet<string>): boolean {
  return [...text.matchAll(NUMBER_AT_END)].some(([, before = '']) => {
    const word = plainText(before);
    const isVerb = VERBS[language].has(word) || isPast(word);
    if (EFFECTS[language].has(word)) return !isVerb;
    return !isVerb && !GLUE[language].has(word) && !NUMBERED.has(word) && !about.has(word);
  });
}

const NUMBERED = new Set(
  (
    'day days page step number no room top level season episode chapter part version week year route grade size word rule ' +
    'row gate seat age round question item figure type zone line floor apartment flight ' +
    'dia pagina paso numero nivel temporada episodio capitulo parte version semana ano ruta talla sala puerta regla edad fila ' +
    'ronda pregunta foto piso linea vuelo palabra kilometro'
  ).split(' '),
);

type Parsed = {
  readonly words: readonly string[];
  readonly clauses: readonly string[][];
  readonly language: Language;
  /** Words of the topic. */
  readonly about: ReadonlySet<string>;
};

/** Whether some word is very likely a verb. */
function hasVerb(text: string, { words, clauses, language, about }: Parsed): boolean {
  const starts = clauses.some(([first = '']) => ORDERS[language].has(first));
  if (starts || words.some((word) => VERBS[language].has(word))) return true;
  return VERB_FORM[language](text, words, about);
}

type Recognize = (text: string, words: readonly string[], about: ReadonlySet<string>) => boolean;

const VERB_FORM: Readonly<Record<Language, Recognize>> = {
  en: (_, words, about) =>
    words.some((word, at) => {
      const next = followerOf(words, at) ?? 'the';
      if (isPast(word)) return true;
      // After one person the verb has an ending, as in 'she knows' and 'she paid'; a plain word is no verb.
      if (ONE_PERSON.has(word)) return next.endsWith('s') || isPast(next) || VERBS.en.has(next);
      return SUBJECTS.en.has(word) && !GLUE.en.has(next) && !about.has(next);
    }),
  es: (text, words, about) =>
    PAST_ES.test(text.replace(NOT_PAST_ES, ' ')) ||
    words.some((word, at) => {
      const next = words[at + 1] ?? 'el';
      return SUBJECTS.es.has(word) && !GLUE.es.has(next) && !about.has(next);
    }),
};

const NOT_PAST = new Set('need speed seed indeed hundred used feed breed bleed weed shed'.split(' '));

const isPast = (word: string) => /..ed$/.test(word) && !NOT_PAST.has(word);

const ONE_PERSON = new Set('he she nobody everyone someone'.split(' '));

/** The next word, past an adverb: hide in 'they just hide'. */
function followerOf(words: readonly string[], at: number): string | undefined {
  return words[ADVERBS.has(words[at + 1] ?? '') ? at + 2 : at + 1];
}

const ADVERBS = new Set('just still never always only already even also then not'.split(' '));

/** Words right before a verb. */
const SUBJECTS: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set('i you we they who never always'.split(' ')),
  es: new Set('se me te nos le les no yo nadie quien'.split(' ')),
};

// Endings of the past, the future and orders with a pronoun: perdí, cambió, pagué, miraba, verás, mírale.
const PAST_ES =
  /\p{L}(?:ó|é|í|aron|ieron|aba|aban|abas|aste|iste|amos|ará|erá|irá|arás|erás|irás|arán|erán|irán|ábamos)(?!\p{L})|[áéíó]\p{L}{1,5}(?:le|la|lo|me|te|se|los|las)(?!\p{L})/iu;
const NOT_PAST_ES =
  /(?<!\p{L})(?:caf[eé]|bebé|qué|por ?qué|té|sé|así|aquí|allí|ahí|sí|mí|casi|este|triste|chiste|porqué|sofá|acá|allá|detrás|atrás|ramos|tramos|gramos|kilogramos)(?!\p{L})/giu;
