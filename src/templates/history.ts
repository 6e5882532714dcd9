/** The versions of a template by id: who came before whom, and when (`seq` rises with time). */
export type History = ReadonlyMap<string, { readonly parents: readonly string[]; readonly seq: number }>;

/** `id` and everything it came from. */
export function ancestors(history: History, id: string): Set<string> {
  const found = new Set<string>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(history.get(next)?.parents ?? []));
  }
  return found;
}

/** How many versions each of the two has that the other has not. */
export function divergence(history: History, head: string, main: string): { ahead: number; behind: number } {
  const mine = ancestors(history, head);
  const theirs = ancestors(history, main);
  return { ahead: mine.difference(theirs).size, behind: theirs.difference(mine).size };
}

/**
 * The common ancestor a merge starts from: one that no other common ancestor came from. Where branches were merged
 * crosswise there are several; the oldest is taken, so that the answer never depends on the order of the branches.
 */
export function mergeBase(history: History, ours: string, theirs: string): string | undefined {
  const common = ancestors(history, ours).intersection(ancestors(history, theirs));
  const passed = new Set<string>();
  for (const id of common) {
    for (const parent of history.get(id)?.parents ?? []) passed.add(parent);
  }
  const best = [...common.difference(passed)];
  const seq = (id: string) => history.get(id)?.seq ?? 0;
  return best.sort((a, b) => seq(a) - seq(b))[0];
}
