import type { Tool } from '../contract/define.ts';
import { wordsOf } from './words.ts';

/** How well each tool's words fit those of a question; in the order of the tools, 0 for no word. */
export type WordFits = (question: string) => readonly number[];

/** What each field of a tool counts for. */
const WEIGHTS = { name: 4, title: 2, keywords: 4, description: 1 } as const;

// The customary values of BM25: how soon repeating a word counts for less, and how much a long text is held against it.
const K = 1.2;
const B = 0.5;
// What the nearest name, title or keyword counts for, beside its words: all of it where the question has it whole.
const PHRASE = 1.5;

/**
 * BM25 over name, title, keywords and description: a word counts the more, the fewer tools have it. A hundred tools need
 * no index, so this is the formula and nothing else.
 */
export function createWordFits(tools: readonly Tool[]): WordFits {
  const documents = tools.map(documentOf);
  const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const counts = new Map<string, number>();
  for (const { words } of documents)
    for (const word of words.keys()) counts.set(word, (counts.get(word) ?? 0) + 1);
  const rarity = (word: string) => {
    const having = counts.get(word) ?? 0;
    return Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
  };
  const score = ({ words, length }: Document, word: string) => {
    const weight = words.get(word) ?? 0;
    return (rarity(word) * weight * (K + 1)) / (weight + K * (1 - B + (B * length) / average));
  };
  const sum = (words: Iterable<string>, value: (word: string) => number) =>
    [...words].reduce((total, word) => total + value(word), 0);
  const nearness = (phrase: ReadonlySet<string>, asked: ReadonlySet<string>) => {
    const shared = sum(
      [...phrase].filter((word) => asked.has(word)),
      rarity,
    );
    return shared ** 2 / sum(phrase, rarity);
  };
  const fitOf = (document: Document, asked: ReadonlySet<string>) => {
    const nearest = Math.max(0, ...document.phrases.map((phrase) => nearness(phrase, asked)));
    return sum(asked, (word) => score(document, word)) + PHRASE * nearest;
  };
  return (question) => {
    const asked = new Set(wordsOf(question));
    return documents.map((document) => fitOf(document, asked));
  };
}

type Document = {
  /** How much each word weighs in this tool. */
  readonly words: ReadonlyMap<string, number>;
  readonly length: number;
  readonly phrases: readonly ReadonlySet<string>[];
};

function documentOf(tool: Tool): Document {
  const { en = [], es = [] } = tool.keywords ?? {};
  const fields = {
    name: tool.name,
    title: tool.title,
    keywords: [...en, ...es].join(' '),
    description: withoutOthers(tool.description),
  };
  const words = new Map<string, number>();
  let length = 0;
  for (const [field, text] of Object.entries(fields)) {
    const found = wordsOf(text);
    length += found.length;
    // A word said twice in one field is not two reasons.
    for (const word of new Set(found))
      words.set(word, (words.get(word) ?? 0) + WEIGHTS[field as keyof typeof WEIGHTS]);
  }
  const phrases = [tool.name, tool.title, ...en, ...es].map((text) => new Set(wordsOf(text)));
  return { words, length, phrases: phrases.filter(({ size }) => size > 0) };
}

/** Without the sentences that send the reader to another tool: their words are about that one. */
function withoutOthers(description: string): string {
  const [first, ...rest] = description.split(/(?<=[.:;])\s+/);
  return [first, ...rest.filter((sentence) => !/[a-z]_[a-z]/.test(sentence))].join(' ');
}
