import { z } from 'zod';

/** Days that accounts keep what only grows, by kind; null: as long as the account exists. */
export const DEFAULT_DAYS = {
  videos: null,
  hooks: null,
  sync_runs: 400,
  audit_events: 400,
  usage: 400,
} as const satisfies Record<string, number | null>;

export type RetentionKind = keyof typeof DEFAULT_DAYS;

// Object.keys is typed string[].
const KINDS = Object.keys(DEFAULT_DAYS) as RetentionKind[];

const Days = z.int().min(1).max(36_500).nullable();

/** One number of days for all accounts, or one by plan. */
export const RetentionDays = z.partialRecord(
  z.enum(KINDS),
  z.union([Days, z.strictObject({ free: Days, paid: Days })], 'days, null, or {"free": days, "paid": days}'),
);
export type RetentionDays = z.output<typeof RetentionDays>;

export type PaidOrFree = 'free' | 'paid';

/** Days that an account of the plan keeps rows of the kind; null: all of them. */
export function daysOf(set: RetentionDays | undefined, kind: RetentionKind, plan: PaidOrFree): number | null {
  const days = set?.[kind];
  if (days === undefined) return DEFAULT_DAYS[kind];
  return typeof days === 'object' && days !== null ? days[plan] : days;
}

/** Days of the plan that keeps rows of the kind for the shortest time; null: every plan keeps all of them. */
export function shortestTerm(set: RetentionDays | undefined, kind: RetentionKind): number | null {
  const terms = (['free', 'paid'] as const).flatMap((plan) => daysOf(set, kind, plan) ?? []);
  return terms.length > 0 ? Math.min(...terms) : null;
}
