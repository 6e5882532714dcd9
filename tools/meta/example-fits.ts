import type { Tool } from '../contract/define.ts';
import english from './questions.en.json' with { type: 'json' };
import spanish from './questions.es.json' with { type: 'json' };

/** How near what people ask of each tool is to a question; in the order of the tools, 0 for nothing in common. */
export type ExampleFits = (question: string) => readonly number[];

// What the parts of a text count for: its words, each two beside each other, and the pieces that inflected words share.
const WORD = 1;
const PAIR = 0.7;
const PIECE = 0.4;
const PIECE_LENGTH = 4;

// The nearest examples of a tool decide how near it is; each counts less than the one before.
const NEAREST = 6;
const NEXT = 0.7;

/** Compares a question with the examples of each tool, by the cosine of their parts: the rarer a part, the more it counts. */
export function createExampleFits(tools: readonly Tool[]): ExampleFits {
  const index = createIndex();
  const examples = tools.map((tool, at) => examplesOf(tool).map((text) => index.add(partsOf(text), at)));
  const nearnessTo = index.close(tools.length);
  return (question) => {
    const nearness = nearnessTo(partsOf(question));
    return examples.map((ofTool) => sumOfNearest(ofTool.map((example) => nearness(example))));
  };
}

const QUESTIONS: readonly Readonly<Record<string, readonly string[]>>[] = [english, spanish];

/** Questions that this tool answers, and what it is called. Of a plugin's tool, what it says of itself. */
function examplesOf({ name, title, description, keywords }: Tool): readonly string[] {
  const asked = QUESTIONS.flatMap((questions) => questions[name] ?? []);
  const said = asked.length > 0 ? asked : description.split(/(?<=[.:;])\s+/);
  return [...said, name.replaceAll('_', ' '), title, ...(keywords?.en ?? []), ...(keywords?.es ?? [])];
}

/** The parts of a text, and how much each weighs. */
type Parts = ReadonlyMap<string, number>;

function partsOf(text: string): Parts {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const parts = new Map<string, number>();
  for (const [at, word] of words.entries()) {
    parts.set(word, WORD);
    if (at > 0) parts.set(`${words[at - 1]} ${word}`, PAIR);
    for (const piece of piecesOf(word)) parts.set(piece, (parts.get(piece) ?? 0) + PIECE);
  }
  return parts;
}

/** Of `sheet`: `^she`, `shee`, `heet` and `eet$`, each with a mark that no word has. */
function piecesOf(word: string): readonly string[] {
  const marked = `^${word}$`;
  const pieces: string[] = [];
  for (let at = 0; at + PIECE_LENGTH <= marked.length; at++)
    pieces.push(`…${marked.slice(at, at + PIECE_LENGTH)}`);
  return pieces;
}

function sumOfNearest(nearness: readonly number[]): number {
  return nearness
    .toSorted((one, other) => other - one)
    .slice(0, NEAREST)
    .reduce((sum, near, nth) => sum + near * NEXT ** nth, 0);
}

/** Thousands of examples as vectors of length 1, in two flat lists: objects for each would take ten times the memory. */
function createIndex() {
  const ids = new Map<string, number>();
  const starts = [0];
  const parts: number[] = [];
  const shares: number[] = [];
  // By part: how many tools have it, and the last of them.
  const having: number[] = [];
  const last: number[] = [];

  return {
    /** Adds an example of a tool, whose examples come one after the other, and returns its number. */
    add(of: Parts, tool: number): number {
      for (const [part, weight] of of) {
        const id = ids.get(part) ?? ids.size;
        ids.set(part, id);
        if (last[id] !== tool) having[id] = (having[id] ?? 0) + 1;
        last[id] = tool;
        parts.push(id);
        shares.push(weight);
      }
      return starts.push(parts.length) - 2;
    },

    /** Returns what tells how near each example is to a text, from 0 to 1. */
    close(tools: number) {
      const rarity = Float32Array.from(having, (count) => Math.log(1 + tools / count));
      const idsOf = Uint32Array.from(parts);
      const sharesOf = Float32Array.from(shares, (weight, at) => weight * (rarity[parts[at] ?? 0] ?? 0));
      for (const [example, from] of starts.entries())
        scale(sharesOf.subarray(from, starts[example + 1] ?? from));
      return (text: Parts) => {
        const known = [...text].flatMap(([part, weight]) => {
          const id = ids.get(part);
          return id === undefined ? [] : [{ id, weight }];
        });
        const asked = new Float32Array(ids.size);
        const weights = Float32Array.from(known, ({ id, weight }) => weight * (rarity[id] ?? 0));
        scale(weights);
        for (const [at, { id }] of known.entries()) asked[id] = weights[at] ?? 0;
        return (example: number): number => {
          let sum = 0;
          for (let at = starts[example] ?? 0; at < (starts[example + 1] ?? 0); at++)
            sum += (sharesOf[at] ?? 0) * (asked[idsOf[at] ?? 0] ?? 0);
          return sum;
        };
      };
    },
  };
}

/** Makes a vector one of length 1. */
function scale(vector: Float32Array): void {
  let squares = 0;
  for (const value of vector) squares += value ** 2;
  const length = Math.sqrt(squares) || 1;
  for (const [at, value] of vector.entries()) vector[at] = value / length;
}
