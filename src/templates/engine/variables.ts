import { ITEM, nameOf, refOf } from './paths.ts';
import type { Declared } from './schema.ts';
import type { Variable } from './variable.ts';

/** Joins what the template reads with what its schema says. The schema decides where it speaks; a default makes a variable optional. */
export function declareVariables(read: readonly Variable[], declared: readonly Declared[]): Variable[] {
  const inferred = new Map(read.map((variable) => [variable.name, variable]));
  const said = new Map(declared.map((one) => [one.name, one]));
  const joined = new Map<string, Variable>();
  for (const name of inOrder([...inferred.keys(), ...said.keys()])) {
    const one = said.get(name);
    const variable = one ? declaredVariable(one, inferred.get(name)) : inferred.get(name);
    if (variable) joined.set(name, variable);
  }
  for (const one of declared) if (one.required === undefined) relax(one.name, joined);
  return [...joined.values()];
}

/** Two readings of one variable, by two sources that are rendered together. */
export function mergeVariables(a: Variable, b: Variable): Variable {
  const [first, second] = b.declared && !a.declared ? [b, a] : [a, b];
  const { mayBeAbsent: _, ...joined } = { ...second, ...first };
  const type =
    first.declared || WIDTH.indexOf(first.type) >= WIDTH.indexOf(second.type) ? first.type : second.type;
  const mayBeAbsent = a.mayBeAbsent && b.mayBeAbsent;
  return { ...joined, type, required: a.required || b.required, ...(mayBeAbsent && { mayBeAbsent }) };
}

const WIDTH: readonly Variable['type'][] = ['boolean', 'string', 'number', 'html', 'object', 'array', 'any'];

function declaredVariable(one: Declared, read: Variable | undefined): Variable {
  const { required, ...said } = one;
  return {
    ...said,
    type: one.type === 'any' && read ? read.type : one.type,
    required: required ?? (one.default === undefined && read?.required === true),
    declared: true,
    ...((required === false || read?.mayBeAbsent) && { mayBeAbsent: true }),
  };
}

/** An object is needed only as far as one of its fields is, once their defaults are known. */
function relax(name: string, joined: Map<string, Variable>): void {
  const variable = joined.get(name);
  if (variable?.type !== 'object' || !variable.required) return;
  const fields = [...joined.values()].filter(
    (one) => one.name.startsWith(`${name}.`) && !one.name.includes(ITEM, name.length),
  );
  if (fields.length > 0 && !fields.some((one) => one.required))
    joined.set(name, { ...variable, required: false });
}

/** The names as they come, each after the names it lies within. */
function inOrder(names: readonly string[]): Iterable<string> {
  const known = new Set(names);
  const ordered = new Set<string>();
  for (const name of names) {
    const ref = refOf(name);
    for (let length = 1; length <= ref.length; length++) {
      const outer = nameOf(ref.slice(0, length));
      if (known.has(outer)) ordered.add(outer);
    }
  }
  return ordered;
}
