import { LRUCache } from 'lru-cache';
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
  /**
   * The most similar text of the index; undefined when none shares a trigram. With the words of a pattern, texts are only
   * as similar as their other words when both have the pattern: the idea counts, not the pattern.
   */
  nearest(text: string, frame?: string): Match | undefined;
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

  function nearest(text: string, frame?: string): Match | undefined {
    const grams = trigrams(text);
    const shared = countShared(grams);
    const likenessTo = createIdeaReader(text, frame);
    let best: Match | undefined;
    let highest = 0;
    for (let place = 0; place < shared.length; place++) {
      const common = shared[place] ?? 0;
      // All trigrams together are at least those of the text, so fewer in common cannot be more similar.
      const found = common > highest * grams.size ? held[place] : undefined;
      if (!found) continue;
      const whole = common / (grams.size + found.size - common);
      const similarity = whole > highest ? likenessTo(found.text, whole) : 0;
      if (similarity <= highest) continue;
      best = { text: found.text, similarity };
      highest = similarity;
    }
    return best;
  }

  /** How many of the trigrams each text has, by its position. */
  function countShared(grams: ReadonlySet<number>): Uint16Array {
    const shared = new Uint16Array(held.length);
    for (const gram of grams) {
      const places = holders.get(gram) ?? NOWHERE;
      // Frequent trigrams are in most texts, so this loop is the slowest part of a check.
      for (let at = 0; at < places.length; at++) {
        const place = places[at] ?? 0;
        shared[place] = (shared[place] ?? 0) + 1;
      }
    }
    return shared;
  }

  for (const text of texts) add(text);
  return { add, nearest };
}

/** Lowers a similarity to that of the two texts without the words of the pattern; without a pattern it stays. */
function createIdeaReader(text: string, frame: string | undefined): (other: string, whole: number) => number {
  if (frame === undefined) return (_, whole) => whole;
  const shared = new Set(plainText(frame).split(' '));
  const ideaOf = (one: string) =>
    new Set(
      plainText(one)
        .split(' ')
        .filter((word) => !shared.has(word)),
    );
  const idea = ideaOf(text);
  return (other, whole) => {
    const isOfPattern = shared.isSubsetOf(new Set(plainText(other).split(' ')));
    return isOfPattern ? Math.min(whole, overlap(idea, ideaOf(other))) : whole;
  };
}

/** The Jaccard index of two sets of words; two texts of the pattern's words alone are the same. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const all = one.union(other).size;
  return all === 0 ? 1 : one.intersection(other).size / all;
}

/** Similarity of two texts, 0 to 1. */
export function similarity(one: string, other: string): number {
  return createSimilarityIndex([one]).nearest(other)?.similarity ?? 0;
}

/** The trigrams of a text as numbers, which are faster to look up than strings. */
function trigrams(text: string): ReadonlySet<number> {
  const known = gramsOf.get(text);
  if (known) return known;
  const made = readTrigrams(text);
  gramsOf.set(text, made);
  return made;
}

// Each hook is looked up in two indexes, then added to one.
const gramsOf = new LRUCache<string, ReadonlySet<number>>({ max: 100 });

function readTrigrams(text: string): Set<number> {
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

const NOWHERE: readonly number[] = [];
const SPACE = 32;

// Exact for European scripts; in others collisions are too rare to change a similarity.
const BASE = 1031;
const RANGE = 2 ** 30;
