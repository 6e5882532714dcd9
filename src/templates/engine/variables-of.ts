import type { Composition } from './engine.ts';
import { RENDER_LIMITS } from './limits.ts';
import { nameOf, type Ref, ROOT, refOf } from './paths.ts';
import type { Program } from './program.ts';
import type { PartialCall } from './reads.ts';
import type { Variable } from './variable.ts';
import { mergeVariables } from './variables.ts';

const VARIABLES = 2_000;
const CALLS = 10_000;

type Part = {
  readonly program: Program;
  /** From a path of the part to the same place in the whole data; null where only the data decides. */
  readonly place: (ref: Ref) => Ref | null;
  /** Names in the whole data that are asked for before the part is used. */
  readonly guards: ReadonlySet<string>;
  /** Names of the partials this one is used by, for those that use themselves. */
  readonly within: readonly string[];
};

/** Joins what the parts of one render read, each path said as it is in the data that is sent. */
export function variablesOf({ program, layout, partials }: Composition): Variable[] {
  const found = new Map<string, Variable>();
  const root = (one: Program): Part => ({ program: one, place: (ref) => ref, guards: new Set(), within: [] });
  const pending: Part[] = [root(program), ...(layout ? [root(layout)] : [])];
  for (let count = 0; count < CALLS && found.size < VARIABLES; count++) {
    const part = pending.shift();
    if (!part) break;
    for (const variable of part.program.variables) add(variable, part, found);
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
    if (Object.hasOwn(call.given, first)) {
      const given = call.given[first];
      return given ? outer.place([...given, ...rest]) : null;
    }
    return call.context ? outer.place([...call.context, ...ref]) : null;
  };
  const asked = call.guards.map((name) => nameOf(outer.place(refOf(name)) ?? []));
  return [{ program, place, guards: new Set([...outer.guards, ...asked]), within: [...within, call.name] }];
}
