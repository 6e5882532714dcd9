import { plainText } from './text.ts';

/** From this similarity on, readers take two hooks for the same one. */
export const NEAR_DUPLICATE = 0.6;

export type Match = {
  readonly text: string;
  /** 0 to 1. */
  readonly similarity: number;
};

export type SimilarityIndex = {
  add(text: string): void;
  /** The most similar text of the index; undefined when none shares a trigram. */
  nearest(text: string): Match | undefined;
};

/**
 * An inverted index that finds the most similar text without comparing with each. Similarity is the Jaccard index of the
 * character trigrams of two texts; it ignores case, accents and punctuation.
 */
export function createSimilarityIndex(texts: Iterable<string> = []): SimilarityIndex {
  const held: { text: string; size: number }[] = [];
  const holders = new Map<number, number[]>();

  function add(text: string): void {
    const grams = trigrams(text);
    for (const gram of grams) {
      const list = holders.get(gram);
      if (list) list.push(held.length);
      else holders.set(gram, [held.length]);
    }
    held.push({ text, size: grams.size });
  }

  function nearest(text: string): Match | undefined {
    const grams = trigrams(text);
    const shared = countShared(grams);
    let best: Match | undefined;
    for (let place = 0; place < shared.length; place++) {
      const common = shared[place] ?? 0;
      const found = held[place];
      if (common === 0 || !found) continue;
      const similarity = common / (grams.size + found.size - common);
      if (similarity > (best?.similarity ?? 0)) best = { text: found.text, similarity };
    }
    return best;
  }

  /** How many of the trigrams each text has, by its position. */
  function countShared(grams: ReadonlySet<number>): Uint16Array {
    const shared = new Uint16Array(held.length);
    for (const gram of grams)
      for (const place of holders.get(gram) ?? []) shared[place] = (shared[place] ?? 0) + 1;
    return shared;
  }

  for (const text of texts) add(text);
  return { add, nearest };
}

/** Similarity of two texts, 0 to 1. */
export function similarity(one: string, other: string): number {
  return createSimilarityIndex([one]).nearest(other)?.similarity ?? 0;
}

/** The trigrams of a text as numbers, which are faster to look up than strings. */
function trigrams(text: string): Set<number> {
  // Texts of symbols alone, such as emoji, are compared literally. Padding gives texts of one or two characters a
  // trigram and weights the ends of a text.
  const padded = `  ${plainText(text) || text.trim()} `;
  const grams = new Set<number>();
  let [first, second] = [SPACE, SPACE];
  for (let at = 2; at < padded.length; at++) {
    const third = padded.charCodeAt(at);
    grams.add((first * BASE * BASE + second * BASE + third) % RANGE);
    [first, second] = [second, third];
  }
  return grams;
}

const SPACE = 32;

// Exact for European scripts; in others collisions are too rare to change a similarity.
const BASE = 1031;
const RANGE = 2 ** 30;
