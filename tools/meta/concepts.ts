import { EMPTY_STEMS, type Token, tokensOf } from './words.ts';

/** How much a text has of each concept of a lexicon. */
export type Concepts = ReadonlyMap<string, number>;

/** What a text says, in the concepts of a lexicon. */
export type Said = {
  readonly concepts: Concepts;
  /** Whether one of them is in the plural. */
  readonly plural: boolean;
};

/** How many words a phrase may have between two of its own. */
const GAP = 3;

/** A reader of what texts say, in the concepts of a lexicon. `counts`: whether a word alone says anything. */
export function createReader(
  lexicon: Readonly<Record<string, string>>,
  counts: (word: string) => boolean = () => true,
): (text: string) => Said {
  const phrases = Map.groupBy(phrasesOf(lexicon), ({ first }) => first);
  const found = (tokens: readonly Token[]) =>
    tokens.flatMap((token, at) =>
      (phrases.get(token.stem) ?? []).flatMap(({ rest, of }) => {
        const last = after(tokens, at, rest);
        return last && (rest.length > 0 || counts(last.word)) ? [{ last, words: 1 + rest.length, of }] : [];
      }),
    );
  return (text) => {
    const hits = found(tokensOf(text));
    const concepts = new Map<string, number>();
    for (const { words, of } of hits)
      for (const concept of of) {
        // Several words say more than one, and a word with several meanings says less of each.
        const weight = Math.sqrt(words) / of.size;
        concepts.set(concept, Math.max(concepts.get(concept) ?? 0, weight));
      }
    return { concepts, plural: hits.some(({ last }) => /[^su]s$/.test(last.word)) };
  };
}

/** The stems of a phrase, and the concepts it says. */
type Phrase = { readonly first: string; readonly rest: readonly string[]; readonly of: Set<string> };

function phrasesOf(lexicon: Readonly<Record<string, string>>): readonly Phrase[] {
  const phrases = new Map<string, Phrase>();
  for (const [concept, line] of Object.entries(lexicon))
    for (const said of line.split(' ')) {
      const [first = '', ...rest] = tokensOf(said).map(({ stem }) => stem);
      if (rest.length === 0 && EMPTY_STEMS.has(first)) continue;
      const key = [first, ...rest].join(' ');
      const phrase = phrases.get(key) ?? { first, rest, of: new Set() };
      phrases.set(key, phrase);
      phrase.of.add(concept);
    }
  return [...phrases.values()];
}

/** The last of the stems, where they follow a place in their order; the word at that place for none. */
function after(tokens: readonly Token[], place: number, stems: readonly string[]): Token | undefined {
  let at = place;
  for (const next of stems) {
    const gap = tokens.slice(at + 1, at + 2 + GAP).findIndex(({ stem }) => stem === next);
    if (gap < 0) return undefined;
    at += gap + 1;
  }
  return tokens[at];
}
