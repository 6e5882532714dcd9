import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/**
 * One issue for each mistake. Zod also measures a text where it expects a list, and then says that the text is too short; it
 * refuses each element of a list that has the wrong elements; and of a value that may be a list or a text it only says
 * that it is neither, also where it is a list with a mistake.
 */
export function firstIssues(issues: readonly Issue[]): readonly Issue[] {
  const wrong = new Set<string>();
  const repeated = repeatedElements();
  return issues.flatMap(within).filter((issue) => {
    const place = JSON.stringify(issue.path.map(String));
    if (wrong.has(place)) return false;
    if (issue.code === 'invalid_type') wrong.add(place);
    return !repeated(issue);
  });
}

/** A message that is a key of `inputs` in the locales, in place of a sentence. */
const KEY = /^\w+$/;

/**
 * The issues inside the one alternative that the value was meant as; the issue itself where it fits none, or has a sentence of
 * its own, which names all alternatives.
 */
function within(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union' || KEY.test(issue.message)) return [issue];
  const meant = issue.errors.filter((issues) => !issues.some(({ path }) => path.length === 0));
  const [only] = meant;
  if (only === undefined || meant.length > 1) return [issue];
  return only.flatMap((inner) => within({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** Tells an element that is wrong as all before it in the list were. */
function repeatedElements(): (issue: Issue) => boolean {
  /** How many elements of a list were wrong in one way, from its first on. */
  const counts = new Map<string, number>();
  return ({ code, path, message }) => {
    const at = path.at(-1);
    if (code !== 'invalid_type' || typeof at !== 'number') return false;
    const list = JSON.stringify([path.slice(0, -1).map(String), message]);
    if (at !== (counts.get(list) ?? 0)) return false;
    counts.set(list, at + 1);
    return at > 0;
  };
}
