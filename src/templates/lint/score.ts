import type { Finding } from './finding.ts';
import type { Severity } from './rules.ts';

/** What the first place a rule finds costs, each place more, and the rule at most. */
const COSTS: Readonly<Record<Severity, { first: number; more: number; most: number }>> = {
  error: { first: 20, more: 5, most: 40 },
  warning: { first: 5, more: 1, most: 10 },
  info: { first: 0, more: 0, most: 0 },
};

/**
 * From 100 for a mail without errors and warnings down to 0. A rule that finds an error costs 20, and 5 for each further
 * place up to 40; a warning costs 5, and 1 for each further place up to 10. Advice costs nothing, and whether the same
 * thing was found in many places counts once where they are reported as one finding.
 */
export function score(findings: readonly Finding[]): number {
  const byRule = Map.groupBy(findings, ({ rule }) => rule);
  const costs = [...byRule.values()].map((found) => {
    const { first, more, most } = COSTS[found[0]?.severity ?? 'info'];
    return Math.min(first + more * (found.length - 1), most);
  });
  return Math.max(0, 100 - costs.reduce((sum, cost) => sum + cost, 0));
}
