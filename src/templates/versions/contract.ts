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

/** `breaking`: whether a caller that was right before is wrong now. */
type ContractChange = { readonly variable: string } & (
  | { readonly breaking: true; readonly change: 'became_required' | 'lost_default' | 'changed_type' }
  | {
      readonly breaking: false;
      readonly change: 'added' | 'removed' | 'became_optional' | 'changed_default';
    }
);

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

/** `coupon: became_required`, the form of reasons. */
function describe({ variable, change }: Pick<ContractChange, 'variable' | 'change'>): string {
  return `${variable}: ${change}`;
}

function changesOf(variable: string, old: Demand | undefined, now: Demand | undefined): ContractChange[] {
  if (!now) return [{ variable, change: 'removed', breaking: false }];
  if (!old)
    return now.required
      ? [{ variable, change: 'became_required', breaking: true }]
      : [{ variable, change: 'added', breaking: false }];
  const changes: ContractChange[] = [];
  if (changedType(old, now)) changes.push({ variable, change: 'changed_type', breaking: true });
  if (!old.required && now.required) changes.push({ variable, change: 'became_required', breaking: true });
  if (old.required && !now.required) changes.push({ variable, change: 'became_optional', breaking: false });
  if (old.default === undefined || JSON.stringify(old.default) === JSON.stringify(now.default))
    return changes;
  return now.default === undefined
    ? [...changes, { variable, change: 'lost_default', breaking: true }]
    : [...changes, { variable, change: 'changed_default', breaking: false }];
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
