import type { Language } from '../text/language.ts';
import { plainText, wordsOf } from '../text/text.ts';

// What the rules of the craft score look for in a text: tension, specific details, the topic.

/** The cues in a text that create tension, as listed below: a question, a contrast, a missing piece. */
export function tensionCues(text: string, language: Language): string[] {
  const signs = SIGNS.filter((sign) => text.includes(sign));
  const plain = ` ${plainText(text)} `;
  return [...signs, ...CUES[language].filter((cue) => plain.includes(` ${cue} `))];
}

const SIGNS = ['?', '…', '...'] as const;

const CUES: Readonly<Record<Language, readonly string[]>> = {
  en: (
    'but|not|never|nobody|no one|without|instead|until|before|still|only|stop|wrong|mistake|missing|' +
    'hidden|skip|skips|why|reason|truth|what happens|almost|except|against|dont|doesnt|isnt|wasnt|' +
    'cant|wont|didnt|least|quietly|more than|less than|versus|vs|turns out|guess|first|last|lose|' +
    'costs|wait'
  ).split('|'),
  es: (
    'pero|no|nunca|nadie|sin|en vez de|en lugar de|hasta que|antes|todavia|solo|deja de|mal|error|' +
    'errores|falta|oculto|escondido|por que|razon|verdad|casi|salvo|excepto|contra|tampoco|ni|menos|' +
    'mas que|sino|resulta|adivina|primero|ultima|ultimo|pierdes|cuesta|espera|aun|que pasa|se salta|' +
    'se saltan|se esconde|saltarse|suelta|desvio|a punto de|atascado|a ojo'
  ).split('|'),
};

/** The details that make a text specific: numbers, names, times. Without duplicates, in the order of the text. */
export function specificDetails(text: string, language: string): string[] {
  const found = [...text.matchAll(NUMBER), ...timesOf(text), ...namesOf(text, language)];
  const inOrder = found.sort((one, other) => one.index - other.index).map(([detail]) => detail.trim());
  return [...new Set(inOrder)];
}

const NUMBER = /[$€£]?\p{N}[\p{N}.,:/]*(?:\s?[%$€£])?/gu;

// Number words up to ten, dates and durations; without "one", which is as often a pronoun.
const TIMES = new Set(
  (
    'two three four five six seven eight nine ten half twice monday tuesday wednesday thursday friday saturday sunday ' +
    'january february march april june july august september october november december today tonight tomorrow ' +
    'yesterday morning noon evening night minute minutes hour hours day days week weeks month months year years second ' +
    'seconds weekend dos tres cuatro cinco seis siete ocho nueve diez mitad lunes martes miercoles jueves viernes sabado ' +
    'domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre hoy ayer manana ' +
    'noche minuto minutos hora horas dia dias semana semanas mes meses ano anos segundo segundos'
  ).split(' '),
);

function timesOf(text: string) {
  return [...text.matchAll(/\p{L}+/gu)].filter(([word]) => TIMES.has(plainText(word)));
}

// In German every noun is capitalized, so capitals are no sign of a name.
const CAPITAL_NOUNS = /^de\b/i;

function namesOf(text: string, language: string) {
  if (CAPITAL_NOUNS.test(language) || !/\p{Ll}/u.test(text)) return [];
  // A capital after a lower-case letter, a digit or a comma, so not the start of a sentence or quotation.
  return [...text.matchAll(/(?<=[\p{Ll}\p{N},] )\p{Lu}[\p{L}\p{N}.&'’-]+/gu)].filter(
    ([name]) => !/^I['’]/.test(name),
  );
}

/** Where a text names its topic, and with which word. */
type TopicPlace = { readonly where: 'early' | 'late' | 'absent'; readonly word: string };

/** Finds a word of the topic, early when it is among the `first` words; undefined when the topic has no significant word. */
export function locateTopic(text: string, topic: string, first: number): TopicPlace | undefined {
  const wanted = wordsOf(topic).filter((word) => isSignificant(word));
  const [leading] = wanted;
  if (leading === undefined) return undefined;
  const words = wordsOf(text);
  const early = words.slice(0, first).find((word) => wanted.some((other) => isSame(word, other)));
  if (early !== undefined) return { where: 'early', word: early };
  const late = words.find((word) => wanted.some((other) => isSame(word, other)));
  return late === undefined ? { where: 'absent', word: leading } : { where: 'late', word: late };
}

// Stop words.
const FILLERS = new Set(
  (
    'the and for with from your you how what why when who are was this that into about have has can will its our their ' +
    'los las una unas unos que con por para como del sus mis tus cuando donde porque sobre desde esta este esto'
  ).split(' '),
);

function isSignificant(word: string): boolean {
  return (
    !FILLERS.has(word) && ([...word].length > 2 || /\d/.test(word) || !/^[\p{sc=Latin}\d]+$/u.test(word))
  );
}

// Words with the same prefix of this length count as forms of one word.
const STEM = 5;

function isSame(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length >= STEM) return short.slice(0, STEM) === long.slice(0, STEM);
  return [short, `${short}s`, `${short}es`].includes(long);
}
