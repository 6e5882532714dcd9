import { plainText } from './text.ts';

/** From here on two hooks are the same hook to a reader. */
export const NEAR_DUPLICATE = 0.6;

export type Match = {
  readonly text: string;
  /** 0 to 1. */
  readonly similarity: number;
};

export type SimilarityIndex = {
  add(text: string): void;
  /** The text of the index most like this one; undefined while the index is empty or none shares a trigram with it. */
  nearest(text: string): Match | undefined;
};

/**
 * Holds texts so that the one most like another is found without comparing with each. Similarity is the share of
 * character trigrams two texts have in common, of all that either has; case, accents and punctuation do not count.
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

  /** How many of the trigrams each text has, by its place. */
  function countShared(grams: ReadonlySet<number>): Uint16Array {
    const shared = new Uint16Array(held.length);
    for (const gram of grams)
      for (const place of holders.get(gram) ?? []) shared[place] = (shared[place] ?? 0) + 1;
    return shared;
  }

  for (const text of texts) add(text);
  return { add, nearest };
}

/** How much two texts are alike, 0 to 1. */
export function similarity(one: string, other: string): number {
  return createSimilarityIndex([one]).nearest(other)?.similarity ?? 0;
}

/** The trigrams of a text as numbers: a history is compared with every hook, and numbers are quicker to look up. */
function trigrams(text: string): Set<number> {
  // What consists of signs alone, such as emoji, is compared as it is. Padding lets texts of one or two characters have
  // a trigram too, and gives the ends of a text their weight.
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

// Exact for European scripts; beyond them two trigrams fall on one number so rarely that no similarity shows it.
const BASE = 1031;
const RANGE = 2 ** 30;
