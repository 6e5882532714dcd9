import { VOCABULARY } from './vocabulary.ts';

/** What the same thing is called in other template services. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  equals: 'eq',
  ifequals: 'eq',
  is: 'eq',
  notequals: 'ne',
  greaterthan: 'gt',
  lessthan: 'lt',
  uppercase: 'upper',
  lowercase: 'lower',
  insert: 'default',
  fallback: 'default',
  dateformat: 'formatDate',
  date: 'formatDate',
  number: 'formatNumber',
  money: 'currency',
  plural: 'pluralize',
  translate: 't',
  i18n: 't',
  urlencode: 'encodeURIComponent',
  foreach: 'each',
  get: 'lookup',
};

/** The known helper a wrong name most likely means, when one is near. */
export function nearestHelper(name: string): string | null {
  const wrong = name.toLowerCase().slice(0, 40);
  if (Object.hasOwn(ELSEWHERE, wrong)) return ELSEWHERE[wrong] ?? null;
  let best: { name: string; distance: number } | null = null;
  for (const known of VOCABULARY.keys()) {
    const distance = editDistance(wrong, known.toLowerCase());
    if (!best || distance < best.distance) best = { name: known, distance };
  }
  return best && best.distance <= Math.ceil(best.name.length / 4) ? best.name : null;
}

/** Levenshtein's distance. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
