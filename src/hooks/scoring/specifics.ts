import { plainText } from '../text/text.ts';

/** What makes a text specific, as it stands there: numbers, names, times. Each once, in the order of the text. */
export function detailsOf(text: string, language: string): string[] {
  const found = [...text.matchAll(NUMBER), ...timesOf(text), ...namesOf(text, language)];
  const inOrder = found.sort((one, other) => one.index - other.index).map(([detail]) => detail.trim());
  return [...new Set(inOrder)];
}

const NUMBER = /[$€£]?\p{N}[\p{N}.,:/]*(?:\s?[%$€£])?/gu;

// Number words up to ten, and what tells when or how long; without "one", which is an article as often.
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

// German writes every noun with a capital, so there one says nothing.
const CAPITAL_NOUNS = /^de\b/i;

function namesOf(text: string, language: string) {
  if (CAPITAL_NOUNS.test(language) || !/\p{Ll}/u.test(text)) return [];
  // A capital after a small letter, a digit or a comma: not one that begins a sentence or a quotation.
  return [...text.matchAll(/(?<=[\p{Ll}\p{N},] )\p{Lu}[\p{L}\p{N}.&'’-]+/gu)].filter(
    ([name]) => !/^I['’]/.test(name),
  );
}
