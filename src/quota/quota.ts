import type { LedgerEntry } from './quota-repo.ts';

/**
 * Quota of hooks and of templates by AI: monthly units of a plan plus purchased credits, and a daily allowance for anonymous
 * callers.
 *
 * In: an account and a number of units. Out: a reservation, settled by what was delivered; the rest is refunded.
 *
 * The accounting is about 200 lines of PL/pgSQL in migrations/0006_hooks.sql, not TypeScript, for three reasons: each
 * operation locks the balance first and is one statement, so no lock is held across network round trips; any number of
 * processes share one implementation and cannot over-admit; and `quota_settle` runs inside the statement that stores the
 * hooks, so the charge and the delivery commit together or not at all.
 *
 * Invariants: used + reserved units never exceed the plan's limit plus credits; every change has a ledger entry, and the
 * balances equal the ledger's sums; a reservation ends once, by settlement or by the sweep.
 */

/** How long units stay reserved without a sign of life: longer than any call may take. */
export const HOLD_MS = 120_000;

/** Units reserved for work that is not delivered yet. */
type Reservation = {
  readonly id: string;
  /** Units that may be delivered: as requested, or fewer when fewer are left. */
  readonly granted: number;
  readonly requested: number;
  /** `settled` when the key was used before: its work was delivered and charged. */
  readonly state: 'held' | 'settled';
};

/** The account's usage of this month, as GET /user/usage shows it. */
type Usage = {
  /** YYYY-MM, UTC. */
  readonly month: string;
  readonly hooks_used: number;
  /** -1 means unlimited. */
  readonly hooks_limit: number;
  /** Units left in the plan; -1 when unlimited. Credits come on top, and are used when none are left. */
  readonly remaining: number;
  /** Of the plan's part, 0 to 100; 0 when unlimited. */
  readonly percent_used: number;
  readonly credits: number;
  /** ISO 8601; start of the next month. */
  readonly resets_at: string;
  /** Units that generating and editing templates with AI used this month. */
  readonly template_units: number;
  /** Hooks delivered per day (YYYY-MM-DD) of this month; days without hooks are omitted. */
  readonly by_day: readonly { readonly date: string; readonly hooks: number }[];
};

/** What units are used for; default: hooks. */
export type UnitPurpose = 'hooks' | 'templates';

/** Units used this month, and credits left. */
export type Balance = { readonly used: number; readonly credits: number };

export type Left = Pick<Usage, 'hooks_used' | 'hooks_limit' | 'remaining' | 'percent_used' | 'credits'>;

export type Quota = {
  /**
   * Reserves units, the plan's first, then credits. `key` is an idempotency key: the same key returns the existing
   * reservation, unless it was refunded completely. `units` is at least 1.
   * @throws Fault quota_exhausted when nothing is left, subscription_past_due when nothing is left for that reason
   */
  reserve(
    accountId: string,
    request: { units: number; key?: string | undefined; purpose?: UnitPurpose },
  ): Promise<Reservation>;
  /** A sign of life of work that takes longer than units stay reserved. */
  keep(accountId: string, reservationId: string): Promise<void>;
  /**
   * Charges delivered units, at most those granted, and refunds the rest. False, without effect, when the reservation has
   * already ended. To store the delivery atomically, call the SQL function `quota_settle` in the storing statement instead.
   */
  settle(accountId: string, reservationId: string, delivered: number): Promise<boolean>;
  usage(accountId: string): Promise<Usage>;
  /** The units left by a fresh balance. */
  leftOf(accountId: string, balance: Balance): Promise<Left>;
  /** Adds credits once per source, such as a purchase id. False when they were granted before. */
  grantCredits(accountId: string, grant: { credits: number; source: string }): Promise<boolean>;
  /** Takes credits back once per source, never below zero. Returns how many, also when repeated. */
  takeBackCredits(accountId: string, request: { credits: number; source: string }): Promise<number>;
  /** Refunds reservations of work that never ended. */
  sweep(): Promise<void>;
  /** Of these accounts, those that have ended reservations or past days from before. */
  accountsWithOld(accountIds: readonly string[], before: Date): Promise<string[]>;
  /** Deletes some ended reservations and past days from before; the ledger, months and balance stay. Returns how many. */
  removeOld(accountId: string, before: Date, limit: number): Promise<number>;
  /** The account's ledger, oldest first. */
  entries(accountId: string): AsyncIterable<LedgerEntry>;
};

/**
 * The allowance of anonymous callers: a few hooks per UTC day each, a few times as many for the wider network they are in, and
 * no more than `ceiling` together.
 */
export type VisitorQuota = {
  /** Allows unmetered work, unless anonymous callers get nothing at all. @throws Fault anonymous_limit */
  requireAny(): void;
  /** @throws Fault anonymous_limit */
  reserve(visitor: string, request: { units: number; network: string }): Promise<Reservation>;
  /** Refunds undelivered units. False when the reservation has already ended. */
  settle(visitor: string, reservationId: string, delivered: number): Promise<boolean>;
  sweep(): Promise<void>;
};
