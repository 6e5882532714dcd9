import type { Bump } from '../schema.ts';

/** What a template asks of its callers, as far as comparing two versions needs it. */
type Demand = {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** True when the schema names the type, false when it was read off the template. */
  readonly declared: boolean;
  readonly default?: unknown;
};

type ContractChange = {
  readonly variable: string;
  readonly change:
    | 'added'
    | 'removed'
    | 'became_required'
    | 'became_optional'
    | 'lost_default'
    | 'changed_default'
    | 'changed_type';
  /** True when a caller that was right before is wrong now. */
  readonly breaking: boolean;
};

/** What callers must know between two versions, in the order of the variables' names. */
export function compareContracts(before: readonly Demand[], after: readonly Demand[]): ContractChange[] {
  const old = new Map(before.map((variable) => [variable.name, variable]));
  const now = new Map(after.map((variable) => [variable.name, variable]));
  const names = [...new Set([...old.keys(), ...now.keys()])].sort();
  return names.flatMap((name) => changesOf(name, old.get(name), now.get(name)));
}

/** The bump semantic versioning asks for, and the change that asks for it. */
export function bumpFor(changes: readonly ContractChange[]): { bump: Exclude<Bump, 'auto'>; reason: string } {
  const breaking = changes.find((change) => change.breaking);
  if (breaking) return { bump: 'major', reason: describe(breaking) };
  const added = changes.find((change) => change.change === 'added');
  if (added) return { bump: 'minor', reason: describe(added) };
  return { bump: 'patch', reason: 'callers see the same variables' };
}

/** `coupon: became_required`, the form of reasons and of breaking changes. */
export function describe({ variable, change }: Pick<ContractChange, 'variable' | 'change'>): string {
  return `${variable}: ${change}`;
}

function changesOf(variable: string, old: Demand | undefined, now: Demand | undefined): ContractChange[] {
  const change = (what: ContractChange['change'], breaking = false) => ({ variable, change: what, breaking });
  if (!now) return [change('removed')];
  if (!old) return now.required ? [change('became_required', true)] : [change('added')];
  const changes: ContractChange[] = [];
  if (changedType(old, now)) changes.push(change('changed_type', true));
  if (!old.required && now.required) changes.push(change('became_required', true));
  if (old.required && !now.required) changes.push(change('became_optional'));
  if (old.default === undefined || JSON.stringify(old.default) === JSON.stringify(now.default))
    return changes;
  return [...changes, now.default === undefined ? change('lost_default', true) : change('changed_default')];
}

function changedType(old: Demand, now: Demand): boolean {
  if (old.declared && now.declared) return old.type !== now.type;
  const before = shape(old);
  const after = shape(now);
  return before !== 'unknown' && after !== 'unknown' && before !== after;
}

// A type read off the template only tells lists, objects and printed values apart; `{{#if x}}` alone tells nothing.
function shape({ type, declared }: Demand): 'array' | 'object' | 'scalar' | 'unknown' {
  if (type === 'array' || type === 'object') return type;
  return type === 'any' || (type === 'boolean' && !declared) ? 'unknown' : 'scalar';
}
