import { refOf } from './paths.ts';
import type { Variable } from './variable.ts';

/** Variables as the tree their names form. */
export type Branch = {
  variable?: Variable;
  readonly fields: Map<string, Branch>;
  /** Everything inside is read, by name or not. */
  open: boolean;
};

const trees = new WeakMap<readonly Variable[], Branch>();

/** The tree of a list of variables; kept for as long as the list is, since a template's list does not change. */
export function branchesOf(variables: readonly Variable[]): Branch {
  const known = trees.get(variables);
  if (known) return known;
  const root: Branch = { fields: new Map(), open: false };
  for (const variable of variables) {
    const branch = variable.name === 'this' ? root : reach(root, refOf(variable.name));
    branch.open ||= variable.type === 'any';
    if (branch !== root) branch.variable = variable;
  }
  trees.set(variables, root);
  return root;
}

function reach(root: Branch, ref: readonly string[]): Branch {
  let at = root;
  for (const part of ref) {
    const next = at.fields.get(part) ?? { fields: new Map(), open: false };
    at.fields.set(part, next);
    at = next;
  }
  return at;
}
