/** What stands for true or false in a cell that is kept as text: the words of Sheets in its language, and 1 and 0. */
export function booleanText(text: string, locale: string): 'true' | 'false' | null {
  const word = text.trim().toUpperCase();
  const [yes, no] = WORDS[locale.slice(0, 2)] ?? ENGLISH;
  if (word === ENGLISH[0] || word === yes || word === '1') return 'true';
  return word === ENGLISH[1] || word === no || word === '0' ? 'false' : null;
}

type Words = readonly [yes: string, no: string];

const ENGLISH: Words = ['TRUE', 'FALSE'];

const WORDS: Readonly<Record<string, Words>> = {
  de: ['WAHR', 'FALSCH'],
  es: ['VERDADERO', 'FALSO'],
  fr: ['VRAI', 'FAUX'],
  it: ['VERO', 'FALSO'],
  pt: ['VERDADEIRO', 'FALSO'],
};
