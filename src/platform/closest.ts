import { distance, closest as nearest } from 'fastest-levenshtein';

/** The candidate a mistyped name most likely meant, or undefined when none is near. */
export function closest(name: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0) return undefined;
  const found = nearest(name, candidates);
  return distance(name, found) <= Math.max(2, Math.floor(name.length / 3)) ? found : undefined;
}
