import { ITEM, nameOf, type Ref, ROOT } from '../paths.ts';
import type { Variable, VariableType } from '../variable.ts';

/** How a template uses what stands at a path. */
export type Use = 'print' | 'number' | 'test' | 'list' | 'object' | 'whole';

type Entry = {
  readonly ref: Ref;
  readonly uses: Set<Use>;
  needed: boolean;
  tested: boolean;
  inside: boolean;
  /** Read by `{{default x "there"}}`. */
  fallback: boolean;
  /** Printed without a fallback somewhere. */
  bare: boolean;
};

export type VariableUsage = ReturnType<typeof createVariableUsage>;

/** Collects the reads of a template and says what they make of each path. */
export function createVariableUsage() {
  const entries = new Map<string, Entry>();

  function entry(ref: Ref): Entry {
    const name = nameOf(ref);
    const known = entries.get(name);
    if (known) return known;
    const made = {
      ref,
      uses: new Set<Use>(),
      needed: false,
      tested: false,
      inside: false,
      fallback: false,
      bare: false,
    };
    if (ref.length > 1) entry(ref.slice(0, -1)).inside = true;
    entries.set(name, made);
    return made;
  }

  /** @param needed whether the output has a hole where the value is missing. */
  function note(ref: Ref, use: Use, needed: boolean): void {
    if (ref.length === 0) {
      entry(['this']).uses.add('whole');
      return;
    }
    const length = ref.at(-1) === 'length' && ref.length > 1;
    const noted = entry(length ? ref.slice(0, -1) : ref);
    noted.uses.add(length ? 'list' : use);
    if (use === 'test') noted.tested = true;
    else noted.bare = true;
    if (needed) noted.needed = true;
  }

  /** Notes `{{default ref "there"}}`, which leaves no hole. */
  function noteDefault(ref: Ref, use: 'print' | 'number'): void {
    const known = entries.get(nameOf(ref));
    const wasBare = known?.bare ?? false;
    note(ref, use, false);
    if (ref.length === 0) return;
    const noted = entry(ref);
    noted.bare = wasBare;
    noted.fallback = true;
  }

  /** In the order the template reads them, each after the object it is a field of. */
  function variables(): Variable[] {
    const all = [...entries.values()];
    return all.filter(isWorthNaming).map((one) => ({
      name: nameOf(one.ref),
      type: typeOf(one, all),
      required: isRequired(one, all),
      declared: false,
      ...(one.tested && { mayBeAbsent: true }),
      ...(one.fallback && !one.bare && { hasFallback: true }),
    }));
  }

  return { note, noteDefault, variables, size: () => entries.size };
}

/** `items[]` says no more than `items` unless the item itself is used. */
function isWorthNaming({ ref, uses }: Entry): boolean {
  if (ref.length === 1 && ref[0] === ROOT) return false;
  return ref.at(-1) !== ITEM || uses.has('print') || uses.has('number');
}

function isRequired(one: Entry, all: readonly Entry[]): boolean {
  if (one.needed) return true;
  if (one.tested || !one.inside) return false;
  return all.some(
    (other) =>
      other.needed && isWithin(other.ref, one.ref) && !other.ref.slice(one.ref.length).includes(ITEM),
  );
}

function isWithin(ref: Ref, outer: Ref): boolean {
  return ref.length > outer.length && outer.every((part, index) => ref[index] === part);
}

function typeOf({ ref, uses, inside }: Entry, all: readonly Entry[]): VariableType {
  if (uses.has('whole')) return 'any';
  const looped = inside && all.some((other) => isWithin(other.ref, ref) && other.ref[ref.length] === ITEM);
  if (uses.has('list') || looped) return 'array';
  if (uses.has('object') || inside) return 'object';
  if (uses.has('number')) return 'number';
  return uses.has('print') || !uses.has('test') ? 'string' : 'boolean';
}
