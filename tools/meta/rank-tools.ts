import type { Tool } from '../contract/define.ts';
import { createIntentFits } from './intent-fits.ts';
import { createWordFits } from './word-fits.ts';

/** Puts tools in the order in which they fit a question; those that have nothing of it are left out. */
export type Ranking = (question: string) => readonly Tool[];

// The most that the words of a question count for, beside its verb and its object.
const WORDS = 2.5;
// The best fit of words at which they count for half of that: a question with few known words is read by its intent.
const HALF = 25;

/** Ranks tools by the words of a question, and by its intent: what is to be done, and what to. */
export function createRanking(tools: readonly Tool[]): Ranking {
  const wordFits = createWordFits(tools);
  const intentFits = createIntentFits(tools);
  return (question) => {
    const byWords = wordFits(question);
    const byIntent = intentFits(question);
    const best = Math.max(0, ...byWords);
    const fitOf = (at: number) => (WORDS * (byWords[at] ?? 0)) / (best + HALF) + (byIntent[at] ?? 0);
    return tools
      .map((tool, at) => ({ tool, fit: fitOf(at) }))
      .filter(({ fit }) => fit > 0)
      .sort((a, b) => b.fit - a.fit)
      .map(({ tool }) => tool);
  };
}
