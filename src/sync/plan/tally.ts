import type { RunCounts } from '../runs/run.ts';
import type { PlannedChange } from './changes-store.ts';
import type { RowCounts } from './join-store.ts';

export type Tally = {
  /** Rows of the sheet as they are, before anything of them is looked at. */
  window(counts: RowCounts): void;
  /** A row of which something is to change, is held, or cannot be synced. */
  row(outcome: RowOutcome): void;
  /** Rows that both sides have. */
  matched(): number;
  /** Rows of which the store has nothing. */
  unknown(): number;
  undecided(): number;
  counts(rest: Rest): RunCounts;
};

type RowOutcome = {
  readonly changes: readonly PlannedChange[];
  readonly isNoted: boolean;
  readonly isUndecided: boolean;
  readonly isMatched: boolean;
};

type Rest = {
  readonly storeRows: number;
  readonly appended: number;
  /** Variants and rows that cannot be synced, beside those that were counted here. */
  readonly skipped: number;
};

/** Counts rows, each once. */
export function createTally(): Tally {
  const seen = { rows: 0, keyless: 0, blocked: 0, matched: 0, equal: 0 };
  const found = { to_sheet: 0, to_store: 0, conflicts: 0, skipped: 0 };
  let undecided = 0;
  let touched = 0;

  return {
    window(counts) {
      for (const name of NAMES) seen[name] += counts[name];
    },
    row({ changes, isNoted, isUndecided, isMatched }) {
      const planned = changes.filter(({ state }) => state === 'planned');
      const isHeld = planned.length < changes.length;
      if (planned.some(({ side }) => side === 'sheet')) found.to_sheet++;
      if (planned.some(({ side }) => side === 'store')) found.to_store++;
      if (isHeld) found.conflicts++;
      if (isUndecided) undecided++;
      const isSkipped = isNoted && changes.length === 0 && !isUndecided;
      if (isSkipped) found.skipped++;
      if (isMatched && (changes.length > 0 || isUndecided || isSkipped)) touched++;
    },
    matched: () => seen.matched,
    unknown: () => seen.rows - seen.keyless - seen.blocked - seen.matched,
    undecided: () => undecided,
    counts: ({ storeRows, appended, skipped }) => ({
      store_rows: storeRows,
      sheet_rows: seen.rows,
      unchanged: seen.matched - touched,
      to_sheet: found.to_sheet + appended,
      appended,
      to_store: found.to_store,
      conflicts: found.conflicts,
      skipped: found.skipped + seen.keyless + seen.blocked + skipped,
      changed: 0,
      failed: 0,
    }),
  };
}

const NAMES = ['rows', 'keyless', 'blocked', 'matched', 'equal'] as const;
