/*
 * Words as the reader of intents compares them: without accents and endings. One stemmer serves both languages, since a
 * question does not say which it is in, and what is cut wrongly is cut wrongly on both sides.
 */

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
