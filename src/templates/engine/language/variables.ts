import type { Composition } from '../engine.ts';
import { RENDER_LIMITS } from '../limits.ts';
import { BRAND, ITEM, nameOf, type Ref, ROOT, refOf } from '../paths.ts';
import type { Program } from '../render/program.ts';
import type { Variable } from '../variable.ts';
import type { Declared } from './schema.ts';
import type { PartialCall } from './variable-references.ts';

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
function mergeVariables(a: Variable, b: Variable): Variable {
  const [first, second] = b.declared && !a.declared ? [b, a] : [a, b];
  const { mayBeAbsent: _, hasFallback: __, ...joined } = { ...second, ...first };
  const type =
    first.declared || WIDTH.indexOf(first.type) >= WIDTH.indexOf(second.type) ? first.type : second.type;
  const mayBeAbsent = a.mayBeAbsent && b.mayBeAbsent;
  const hasFallback = a.hasFallback && b.hasFallback;
  return {
    ...joined,
    type,
    required: a.required || b.required,
    ...(mayBeAbsent && { mayBeAbsent }),
    ...(hasFallback && { hasFallback }),
  };
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
    ...(read?.hasFallback && { hasFallback: true }),
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

const VARIABLES = 2_000;
const CALLS = 10_000;

type Part = {
  readonly program: Program;
  /** From a path of the part to the same place in the whole data; null where only the data decides. */
  readonly place: (ref: Ref) => Ref | null;
  /** Names in the whole data that are tested before the part is used. */
  readonly guards: ReadonlySet<string>;
  /** Names of the partials this one is used by, for those that use themselves. */
  readonly within: readonly string[];
};

/** Joins what the parts of one render read, each path said as it is in the data that is sent. */
export function variablesOf(composition: Composition): Variable[] {
  return joinParts(composition, ({ variables }) => variables);
}

/** Joins what the parts of one render read of the account's brand. */
export function brandOf(composition: Composition): Variable[] {
  return joinParts(composition, ({ brand }) => brand);
}

function joinParts(
  { program, layout, partials }: Composition,
  readBy: (program: Program) => readonly Variable[],
): Variable[] {
  const found = new Map<string, Variable>();
  const root = (one: Program): Part => ({ program: one, place: (ref) => ref, guards: new Set(), within: [] });
  const pending: Part[] = [root(program), ...(layout ? [root(layout)] : [])];
  for (let count = 0; count < CALLS && found.size < VARIABLES; count++) {
    const part = pending.shift();
    if (!part) break;
    for (const variable of readBy(part.program)) add(variable, part, found);
    pending.push(...part.program.calls.flatMap((call) => partOf(call, part, partials)));
  }
  return [...found.values()];
}

function add(variable: Variable, { place, guards }: Part, found: Map<string, Variable>): void {
  const ref = place(variable.name === 'this' ? [] : refOf(variable.name));
  if (!ref) return;
  const name = nameOf(ref) || 'this';
  const moved = { ...variable, name, required: variable.required && !guards.has(name) };
  const known = found.get(name);
  found.set(name, known ? mergeVariables(known, moved) : moved);
}

function partOf(call: PartialCall, outer: Part, partials: Composition['partials']): Part[] {
  const program = partials.get(call.name);
  const { within } = outer;
  if (!program || within.includes(call.name) || within.length >= RENDER_LIMITS.partialLevels) return [];
  const place = (ref: Ref) => {
    const [first = '', ...rest] = ref;
    if (first === ROOT) return rest;
    if (first === BRAND) return ref;
    if (Object.hasOwn(call.given, first)) {
      const given = call.given[first];
      return given ? outer.place([...given, ...rest]) : null;
    }
    return call.context ? outer.place([...call.context, ...ref]) : null;
  };
  const asked = call.guards.map((name) => nameOf(outer.place(refOf(name)) ?? []));
  return [{ program, place, guards: new Set([...outer.guards, ...asked]), within: [...within, call.name] }];
}
