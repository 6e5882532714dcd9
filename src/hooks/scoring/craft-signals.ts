import type { Language } from '../text/language.ts';
import { plainText, wordsOf } from '../text/text.ts';
import { GLUE } from './grammar-words.ts';

// What the rules of the craft score look for in a sentence: tension, specific details, someone who speaks or is spoken to,
// the topic. Nothing counts that comes from the topic.

/** The cues in a text that create tension: a contrast, a loss, a missing piece, a question to the reader, a turn. */
export function tensionCues(text: string, topic: string, language: Language): string[] {
  const plain = ` ${plainText(text)} `;
  const given = ` ${plainText(topic)} `;
  const cues = CUES[language]
    .filter((cue) => plain.includes(cue) && !given.includes(cue))
    .map((cue) => cue.trim());
  const turn = secondSentence(text);
  return [
    ...(asksReader(text, topic, language) ? ['?'] : []),
    ...cues,
    ...(turn === undefined || cues.includes(plainText(turn)) ? [] : [turn]),
  ];
}

// Each between spaces, as a text of words has it.
const CUES: Readonly<Record<Language, readonly string[]>> = {
  en: (
    'but|not|never|nobody|no one|without|instead|until|before|still|only|stop|wrong|worst|mistake|missing|hidden|skip|why|' +
    'reason|truth|almost|except|against|even if|dont|doesnt|isnt|wasnt|cant|wont|didnt|arent|couldnt|quietly|more than|less|' +
    'than|turns out|guess|first|last|lose|lost|quit|failed|died|dies|costs|cost|wait|because|if|when|afraid|hides|hide|' +
    'alone|broke|this|heres|which one|what|already|just|even|twice|once|same|no|debt|complains|warns|forget'
  )
    .split('|')
    .map((cue) => ` ${cue} `),
  es: (
    'pero|no|nunca|nadie|sin|en vez de|en lugar de|hasta que|antes|todavia|solo|deja de|mal|peor|error|falta|oculto|por que|' +
    'razon|verdad|casi|salvo|excepto|contra|tampoco|ni|menos|mas que|sino|resulta|adivina|primero|ultimo|ultima|pierdes|' +
    'perdi|perdiste|cuesta|costo|espera|aun|ya|aunque|si|cuando|porque|por culpa de|miedo|esconden|esto|esta|este|lo que|' +
    'que|cual|cuanto|mismo|misma|dos veces|una vez|deuda|olvida|queja|avisa|parecia|ningun|luego|entonces|mientras'
  )
    .split('|')
    .map((cue) => ` ${cue} `),
};

/** Whether it asks what the reader or the speaker can answer; a mark alone, or one of the topic, is no question. */
function asksReader(text: string, topic: string, language: Language): boolean {
  if (!text.includes('?') || topic.includes('?')) return false;
  const words = wordsOf(text);
  return words.length > 3 && words.some((word) => PERSONS[language].has(word) || CHOICE.has(word));
}

const CHOICE = new Set(['or', 'o']);

/** The first word of the second sentence, when both are sentences of more than one word. */
function secondSentence(text: string): string | undefined {
  const [first = '', second = ''] = text.split(/(?<=[.!?…])\s+/u);
  const words = wordsOf(second);
  return wordsOf(first).length > 1 && words.length > 1 ? second.match(/[\p{L}\p{N}’']+/u)?.[0] : undefined;
}

const PERSONS: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set('i me my mine we us you your yours im ive ill id youre youve youll weve were dont'.split(' ')),
  es: new Set('yo me mi mis mio tu tus te ti tuyo nos nosotros'.split(' ')),
};

// A verb that only the speaker or the one spoken to can be the subject of: perdí, pagué, firmé, llevas, tuviste, comprarías.
const PERSON_FORM: Readonly<Record<Language, RegExp | undefined>> = {
  en: undefined,
  es: /(?<!\p{L})(?!café|bebé|qué|así|aquí|allí|ahí|sí)\p{L}{2,}(?:é|í|aste|iste|ste|arías|erías|irías|rás|aras|ieras)(?!\p{L})|(?<!\p{L})(?:tienes|haces|puedes|quieres|debes|dices|sabes|necesitas|llevas|llegas|pierdes|guardas|eres|vas|has|crees|ves|hice|tuve|dije|fui|supe|puse|llevaba|hicimos|fuimos|tuvimos|\p{L}+amos)(?!\p{L})/iu,
};

/** The word that shows who speaks or who is spoken to; an order speaks to the reader. */
export function voiceWord(text: string, orders: ReadonlySet<string>, language: Language): string | undefined {
  const person = wordsOf(text).find((word) => PERSONS[language].has(word));
  if (person !== undefined) return person;
  const form = PERSON_FORM[language]?.exec(text)?.[0];
  if (form !== undefined) return form.toLowerCase();
  const starts = text.split(/[.!?…:]\s+/u).map((sentence) => wordsOf(sentence)[0] ?? '');
  return starts.find((word) => orders.has(word));
}

/** The details that make a text specific: numbers, names, times. Without duplicates, in the order of the text. */
export function specificDetails(text: string, topic: string, language: string): string[] {
  const found = [...numbersOf(text), ...timesOf(text), ...namesOf(text, language)];
  const inOrder = found.sort((one, other) => one.index - other.index).map(([detail]) => detail.trim());
  const given = new Set(wordsOf(topic));
  return [...new Set(inOrder)].filter((detail) => !wordsOf(detail).some((word) => given.has(word)));
}

const NUMBER = /[$€£]?\p{N}[\p{N}.,:/]*(?:\s?[%$€£])?/gu;

// A number after a noun at the end, as in "part 3", counts nothing that is named.
const CONTENT_BEFORE = /\p{L} $/u;

function isGlue(before: string): boolean {
  const last = wordsOf(before).at(-1) ?? '';
  return GLUE.en.has(last) || GLUE.es.has(last);
}

/** Numbers that belong to a word; in a row of numbers none does. */
function numbersOf(text: string) {
  const found = [...text.matchAll(NUMBER)];
  return found.filter(({ 0: number, index }) => {
    const [before, after] = [text.slice(0, index), text.slice(index + number.length)];
    if (/^\W*$/.test(after) && CONTENT_BEFORE.test(before) && !isGlue(before)) return false;
    return !/\p{N}[\p{N}.,:/]*(?:\s?[%$€£])?\s*$/u.test(before) && !/^\s*[$€£]?\p{N}/u.test(after);
  });
}

// Number words, dates and durations; without "one", which is as often a pronoun.
const TIMES = new Set(
  (
    'two three four five six seven eight nine ten eleven twelve twenty thirty fifty ninety hundred thousand half third ' +
    'once twice monday tuesday wednesday thursday friday saturday sunday ' +
    'january february march april june july august september october november december today tonight tomorrow ' +
    'yesterday morning noon evening night minute minutes hour hours day days week weeks month months year years second ' +
    'seconds weekend summer winter dos tres cuatro cinco seis siete ocho nueve diez once doce veinte treinta cincuenta ' +
    'noventa cien mil mitad tercera tercer lunes martes miercoles jueves viernes sabado ' +
    'domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre hoy ayer manana ' +
    'noche minuto minutos hora horas dia dias semana semanas mes meses ano anos segundo segundos verano invierno'
  ).split(' '),
);

// Without accents; the plain form of others takes longer.
const LATIN_LETTERS = /^[a-z]*$/i;

function timesOf(text: string) {
  return [...text.matchAll(/\p{L}+/gu)].filter(([word]) =>
    TIMES.has(LATIN_LETTERS.test(word) ? word.toLowerCase() : plainText(word)),
  );
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
