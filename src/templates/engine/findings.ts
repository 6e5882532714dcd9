import type { Warning } from '../../language.ts';
import type { Json } from './json.ts';
import { nameOf, type Ref } from './paths.ts';
import type { Variable } from './variable.ts';

/** What a comparison of data with variables has found. */
export type Found = {
  /** Required variables the data lacks, in the order of the template. A null counts as lacking. */
  readonly missing: string[];
  /** Fields that nothing reads, each by its outermost name; the first 100. */
  readonly unused: string[];
  /** Variables that their schema's default stands in for. */
  readonly defaulted: string[];
  readonly warnings: Warning[];
};

export type Findings = ReturnType<typeof createFindings>;

const VALUES = 100_000;
const UNUSED = 100;

/** Collects findings, each once, and bounds how many values are looked at. */
export function createFindings() {
  const missing = new Set<string>();
  const unused = new Set<string>();
  const defaulted = new Set<string>();
  const warnings = new Map<string, Warning>();
  let left = VALUES;

  return {
    /** Counts a value; false when enough have been looked at. */
    mayLook: () => --left >= 0,
    isSpent: () => left <= 0,
    missing: ({ name }: Variable) => void missing.add(name),
    defaulted: ({ name }: Variable) => void defaulted.add(name),

    unused(ref: Ref): void {
      if (unused.size < UNUSED) unused.add(nameOf(ref));
    },

    wrongType(variable: Variable | undefined, value: Json): void {
      if (variable?.type !== 'array' && variable?.type !== 'object') return;
      // A section, `{{#x}}`, takes a list, an object or a boolean.
      if (variable.mayBeAbsent && typeof value === 'boolean') return;
      const found = Array.isArray(value) ? 'array' : typeof value;
      const params = { variable: variable.name, expected: variable.type, found };
      warnings.set(variable.name, { key: 'wrong_type', params });
    },

    all(): Found {
      if (left <= 0) warnings.set('', { key: 'data_partly_checked', params: { limit: VALUES } });
      return {
        missing: [...missing],
        unused: [...unused],
        defaulted: [...defaulted],
        warnings: [...warnings.values()],
      };
    },
  };
}
