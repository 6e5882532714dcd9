import { MEANINGS } from './meanings.ts';

/**
 * The words of a text as the search compares them: without accents, endings and the words that every sentence has. One
 * stemmer serves both languages, since a query does not say which it is in, and what is cut wrongly is cut wrongly on
 * both sides. Words of one meaning become one word.
 */
export function wordsOf(text: string): string[] {
  return PHRASES.reduce((rest, [said, meant]) => rest.replace(said, meant), plain(withoutPronouns(text)))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && !EMPTY.has(word))
    .map(stem)
    .map((word) => MEANING_OF.get(word) ?? word);
}

/** The words of a text, also those that every sentence has, in their order. */
export function tokensOf(text: string): Token[] {
  return withoutPronouns(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => ({ word: word.toLowerCase(), stem: stem(plain(word)) }));
}

export type Token = { readonly word: string; readonly stem: string };

/** What hangs on a Spanish imperative is not part of it: bórralo, muéstrame. The accent tells such words from others. */
function withoutPronouns(text: string): string {
  // Without what hangs on it, this one would be the word for 'for'.
  const stopped = text.replace(/(?<!\p{L})p[áa]ral[oa]s?(?!\p{L})/giu, 'detener');
  return stopped.replace(/(\p{L}*[áéíóú]\p{L}*[aeiz])(?:me|te|se|nos)?(?:l[aeo]s?|me|nos)(?!\p{L})/giu, '$1');
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** What several words say together, and each of them does not. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(get rid of|(throw|take|clear)(ing|n)? (it |them )?(away|out|down))\b/g, 'delete'],
  [/\b(muestra|ensena)(me|nos)\b/g, 'list'],
  [/\b(de nuevo|otra vez|vuelv[ea] a|volver a|once more|again)\b/g, 'retry'],
  [/\b((roll|go|put|take|turn) (it |them )?back|(marcha )?atras)\b/g, 'undo'],
  [/\b(bring|get) (it |them )?back\b/g, 'restore'],
  [/\b(turn|switch)(ed)? (it |them )?off\b/g, 'disable'],
  [/\bset (it |them )?up\b/g, 'create'],
  [/\b(go|goes|make (it )?) live\b/g, 'publish'],
];

const EMPTY: ReadonlySet<string> = new Set(
  (
    'an the of to in on at is are be it its for with from by as and or our your me we you do does did can could ' +
    'may should would want need please this that these those what there has have had was were will how ' +
    'not don doesn no any more then so they them their he she him her us too also just still if use used get gets got ' +
    'go goes went take takes took let lets some someone something one ones so about into out up off over than ' +
    'my mine right last latest yet already today yesterday week month here ' +
    'un una el la los las lo de del al en es son esta este esto ese esa estos estas por para con sin se su sus mi mis ' +
    'me nos le les yo tu que cual como hay ha han he fue era ser estar quiero necesito puedo puede no mas ya ' +
    'tiene tienen tengo tenemos si ahora ultimo ultima hoy ayer semana mes cuando todavia muy da dar dale dame dime'
  ).split(' '),
);

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  // What hangs on a Spanish verb: borrarlo, darme.
  [/(ar|er|ir|ando|iendo)(me|te|se|lo|la|los|las|le|les|nos)$/, '$1'],
  [/([ae])(me|nos)(lo|la|los|las)?$/, '$1'],
  [/([nz])(me|lo|la|los|las)$/, '$1'],
  [/ies$/, 'y'],
  [/(ss|x|z|ch|sh)es$/, '$1'],
  [/s$/, ''],
  [/(ing|ed|e)$/, ''],
  [/(aciones|acion|icion|amiento|imiento|ando|iendo|aron|ieron|aba|[ai]d[ao])$/, ''],
  [/(ation|[aei]r|[aeio])$/, ''],
];

// A stem of fewer letters could be any word's.
const SHORTEST = 3;

/** Stems of the words that every sentence has. */
export const EMPTY_STEMS: ReadonlySet<string> = new Set([...EMPTY].map(stem));

function stem(word: string): string {
  const cut = ENDINGS.reduce((rest, [ending, kept]) => {
    const shorter = rest.replace(ending, kept);
    return shorter.length < SHORTEST ? rest : shorter;
  }, word);
  return cut
    .replace(/(\p{L})\1$/u, '$1')
    .replace(/(?<![gq])ue(?=[bcdlmnprstvz])/, 'o')
    .replace(/ie(?=[bcdlnrstvz])/, 'e');
}

/** The first word of its meaning, for every word that has one. */
const MEANING_OF: ReadonlyMap<string, string> = new Map(
  MEANINGS.flatMap((line) => {
    const [meaning = '', ...words] = plain(line).split(' ').map(stem);
    return words.map((word) => [word, meaning] as const);
  }),
);
