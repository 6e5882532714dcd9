import type { LedgerEntry } from './store.ts';

/** How long units stay held without a sign of life: longer than any call may take. */
export const HOLD_MS = 120_000;

/** Units held for work that has not been delivered yet. */
type Reservation = {
  readonly id: string;
  /** Units that may be delivered: what was asked for, or what is left. */
  readonly granted: number;
  readonly requested: number;
  /** A key that was used before can give one that is settled: its work was delivered and charged. */
  readonly state: 'held' | 'settled';
};

/** What an account has used of its month, as GET /user/usage shows it. */
type Usage = {
  /** YYYY-MM, UTC. */
  readonly month: string;
  readonly hooks_used: number;
  /** -1 means unlimited. */
  readonly hooks_limit: number;
  /** What is left of the plan, plus credits; -1 when unlimited. */
  readonly remaining: number;
  /** Of the plan's part, 0 to 100; 0 when unlimited. */
  readonly percent_used: number;
  readonly credits: number;
  /** ISO 8601; when the next month begins. */
  readonly resets_at: string;
  /** Hooks delivered by day, YYYY-MM-DD, of this month, days without any left out. */
  readonly by_day: readonly { readonly date: string; readonly hooks: number }[];
};

/** What is used of the month, and the credits there are. */
export type Balance = { readonly used: number; readonly credits: number };

export type Left = Pick<Usage, 'hooks_used' | 'hooks_limit' | 'remaining' | 'percent_used' | 'credits'>;

/** Units of a month: reserved before the work, settled by what was delivered, the rest given back. */
export type Quota = {
  /**
   * Holds units, the plan's first, then credits. `key` makes it once: the same key gets the reservation there is,
   * unless that was refunded whole. `units` is at least 1.
   * @throws Fault quota_exhausted when nothing is left, subscription_past_due when nothing is left for that reason
   */
  reserve(accountId: string, request: { units: number; key?: string | undefined }): Promise<Reservation>;
  /**
   * Charges what was delivered, at most what was granted, and gives back the rest. False, and without effect, when the
   * reservation has ended before, be it by the sweep. Who stores what is delivered calls `quota_settle` of the database in
   * the same statement instead: then both hold, or neither.
   */
  settle(accountId: string, reservationId: string, delivered: number): Promise<boolean>;
  usage(accountId: string): Promise<Usage>;
  /** What a balance of just now leaves. */
  leftOf(accountId: string, balance: Balance): Promise<Left>;
  /** Adds credits once for a source, such as the id of a purchase. False when it has been granted before. */
  grantCredits(accountId: string, grant: { credits: number; source: string }): Promise<boolean>;
  /** Takes credits back once for a source, never below zero; answers how many that took, also when it is repeated. */
  takeBackCredits(accountId: string, request: { credits: number; source: string }): Promise<number>;
  /** Gives back what was held by work that never ended. */
  sweep(): Promise<void>;
  /** The account's ledger, oldest first. */
  entries(accountId: string): AsyncIterable<LedgerEntry>;
};

/** The allowance of visitors without an account: a few hooks a UTC day each, and all together no more than a ceiling. */
export type VisitorQuota = {
  /** Lets work begin that takes none of it, unless visitors get nothing at all. @throws Fault anonymous_limit */
  requireAny(): void;
  /** @throws Fault anonymous_limit */
  reserve(visitor: string, request: { units: number }): Promise<Reservation>;
  /** Gives back what was not delivered. False when the reservation has ended before. */
  settle(visitor: string, reservationId: string, delivered: number): Promise<boolean>;
  sweep(): Promise<void>;
};
