import type { Tool } from '../contract/define.ts';
import { createExampleFits } from './example-fits.ts';
import { createIntentFits } from './intent-fits.ts';

/** Puts tools in the order in which they fit a question; none where it is about something else. */
export type Ranking = (question: string) => readonly Tool[];

// What the nearest examples count for beside the verb and the object of a question.
const EXAMPLES = 3;
// A question that is less near to every example has a few letters in common with them, and nothing else.
const NEAR = 0.3;

/** Ranks tools by the examples nearest to a question, and by its intent: what is to be done, and what to. */
export function createRanking(tools: readonly Tool[]): Ranking {
  const exampleFits = createExampleFits(tools);
  const intentFits = createIntentFits(tools);
  return (question) => {
    const byExample = exampleFits(question);
    const byIntent = intentFits(question);
    const isKnown = byIntent.some((fit) => fit > 0) || byExample.some((fit) => fit >= NEAR);
    if (!isKnown) return [];
    return tools
      .map((tool, at) => ({ tool, fit: EXAMPLES * (byExample[at] ?? 0) + (byIntent[at] ?? 0) }))
      .filter(({ fit }) => fit > 0)
      .sort((a, b) => b.fit - a.fit)
      .map(({ tool }) => tool);
  };
}
