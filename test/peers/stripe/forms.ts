import { z } from 'zod';
import { malformed } from './refusal.ts';

export type Params = Readonly<Record<string, unknown>>;

type Branch = Map<string, Branch | string>;

/** Reads `a[b][0]=c`, the form Stripe takes: brackets become objects, and arrays where the keys count from 0. */
export function readForm(text: string): Params {
  const root: Branch = new Map();
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[');
    const leaf = path.pop() ?? '';
    let branch = root;
    for (const step of path) {
      const next = branch.get(step);
      const below: Branch = next instanceof Map ? next : new Map();
      branch.set(step, below);
      branch = below;
    }
    branch.set(leaf === '' ? String(branch.size) : leaf, value);
  }
  return Object.fromEntries([...root].map(([key, value]) => [key, grown(value)]));
}

function grown(value: Branch | string): unknown {
  if (typeof value === 'string') return value;
  const counts = [...value.keys()].every((key, index) => key === String(index));
  if (counts) return [...value.values()].map(grown);
  return Object.fromEntries([...value].map(([key, below]) => [key, grown(below)]));
}

/** A request by the schema of its endpoint. @throws Refusal in Stripe's words for unknown, missing and bad parameters. */
export function readParams<T>(schema: z.ZodType<T>, params: Params): T {
  const read = schema.safeParse(params);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const path = issue?.path.map(String) ?? [];
  if (issue?.code === 'unrecognized_keys') {
    const name = bracketed([...path, issue.keys[0] ?? '']);
    throw malformed('parameter_unknown', name, `Received unknown parameter: ${name}`);
  }
  const name = bracketed(path);
  const absent = valueAt(params, path) === undefined;
  throw absent
    ? malformed('parameter_missing', name, `Missing required param: ${name}.`)
    : malformed('parameter_invalid', name, `Invalid ${name}: ${issue?.message}`);
}

function bracketed([first = '', ...rest]: readonly string[]): string {
  return first + rest.map((step) => `[${step}]`).join('');
}

function valueAt(params: Params, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    params,
  );
}

export const Text = z.string().min(1).max(5000);
export const Whole = z
  .string()
  .regex(/^-?\d+$/, 'must be an integer')
  .transform(Number);
export const Flag = z.enum(['true', 'false']).transform((text) => text === 'true');
export const Url = z.url({ protocol: /^https?$/ });
/** Empty text unsets. */
export const Unset = z.literal('').transform(() => null);
export const Metadata = z.record(z.string().max(40), z.string().max(500));
/** Merges into the object's; an empty value takes a key out, an empty text takes all out. */
export const MetadataChange = z.union([Metadata, z.literal('')]);
export const Range = z.union([
  Whole.transform((at) => ({ gte: at, lte: at })),
  z.strictObject({
    gt: Whole.optional(),
    gte: Whole.optional(),
    lt: Whole.optional(),
    lte: Whole.optional(),
  }),
]);
export const Paging = {
  limit: Whole.pipe(z.number().min(1).max(100)).default(10),
  starting_after: Text.optional(),
  ending_before: Text.optional(),
};

export function mergedMetadata(
  before: Readonly<Record<string, string>>,
  change: z.infer<typeof MetadataChange> | undefined,
): Record<string, string> {
  if (change === '') return {};
  return Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== ''));
}

/** True where `at` is within the range; a range that is absent holds everything. */
export function within(range: z.infer<typeof Range> | undefined, at: number): boolean {
  const { gt, gte, lt, lte }: { gt?: number; gte?: number; lt?: number; lte?: number } = compact(range ?? {});
  return (
    (gt === undefined || at > gt) &&
    (gte === undefined || at >= gte) &&
    (lt === undefined || at < lt) &&
    (lte === undefined || at <= lte)
  );
}

/** Without what is undefined. */
export function compact<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept = Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
  // The entries are the object's own, less those that are undefined.
  return kept as { [K in keyof T]?: Exclude<T[K], undefined> };
}
