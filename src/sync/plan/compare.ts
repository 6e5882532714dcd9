import type { Sql } from '../../platform/database/database.ts';
import type { Run, RunCounts } from '../runs/run.ts';
import { READ_ROWS } from '../statement-size.ts';
import { specOf } from '../values/field.ts';
import { currencyScale } from '../values/value.ts';
import type { ChangeWriter } from './change-writer.ts';
import {
  countRows,
  type JoinedRow,
  listDiffering,
  type RowCounts,
  type Window,
  windows,
} from './join-repo.ts';
import type { Notes } from './notes.ts';
import type { PlanWork, Sides } from './plan.ts';
import { type Marking, planRow, planStale, type RowPlan, unmark } from './plan-row.ts';
import type { PlannedChange } from './planned-change-repo.ts';
import type { SafetyLimitCount, StoreMove } from './safety-limits.ts';
import { createSharedValues } from './shared-values.ts';

type CompareDeps = {
  readonly sql: Sql;
  readonly writer: ChangeWriter;
  readonly tally: Tally;
  readonly notes: Notes;
  readonly safetyLimits: SafetyLimitCount;
};

type Rows = {
  readonly used: number;
  readonly marking: Marking;
  readonly sharesItems: boolean;
  /** Fields whose columns the run adds: an empty cell there means nothing, and filling it does no harm. */
  readonly newFields: ReadonlySet<string>;
};

/** Plans every row of the sheet: the equal ones are only counted, by the database. */
export async function compare(
  { sql, writer, tally, notes, safetyLimits }: CompareDeps,
  { run, sides, work }: { readonly run: Run; readonly sides: Sides; readonly work: PlanWork },
  { used, marking, sharesItems, newFields }: Rows,
): Promise<void> {
  const { direction, settings } = run;
  const { mappings, options } = settings;
  const { initial } = run.request;
  const rules = { direction, mappings, options, initial, newFields, scale: currencyScale(sides.currency) };
  const isStaleSeen = direction === 'store_to_sheet' && options.stale_rows !== 'keep';
  const told = new Set<string>();
  const shared = createSharedValues({ sql, run, sharesItems });

  for (const window of windows(0, used, READ_ROWS)) {
    work.signal.throwIfAborted();
    const counts = await countRows(sql, run, window);
    tally.window(counts);
    const marked = markedIn(window, marking);
    const isAllEqual = counts.equal === counts.matched && marked.length === 0;
    if (!isAllEqual || (isStaleSeen && counts.matched < counts.rows)) await planWindow(window, marked);
    work.progress(window.to, used, 'comparing');
  }

  async function planWindow({ after, to }: Window, marked: readonly number[]): Promise<void> {
    const more = { limit: READ_ROWS, stale: isStaleSeen, rows: marked };
    for (let from = after; from < to; ) {
      const page = await listDiffering(sql, run, { after: from, to }, more);
      const plans = await shared.settle(page.map(planOf));
      for (const plan of plans) await add(plan);
      from = page.length < READ_ROWS ? to : (page.at(-1)?.row ?? to);
    }
  }

  function planOf(row: JoinedRow): RowPlan {
    if (row.store === null) {
      const changes = planStale(row, options, { mappings, marking });
      return { row, changes, notes: [], undecided: false };
    }
    const plan = planRow(row, rules);
    return { ...plan, changes: [...plan.changes, ...unmark(row, marking)] };
  }

  /** A product that changes only in its own values, such as its title, is one change, however many rows it has. */
  function isTold(planned: readonly PlannedChange[]): boolean {
    const [{ productId } = { productId: null }] = planned;
    if (productId === null || !planned.every(isOfProduct)) return false;
    const isKnown = told.has(productId);
    told.add(productId);
    return isKnown;
  }

  async function add({ row, changes, notes: own, undecided }: RowPlan): Promise<void> {
    notes.add(own);
    const isMatched = row.store !== null;
    tally.row({ changes, isNoted: own.length > 0, isUndecided: undecided, isMatched });
    const planned = changes.filter(({ state }) => state === 'planned');
    const counted = planned.filter(({ field }) => !newFields.has(field));
    if (counted.length > 0 && !isTold(counted)) safetyLimits.row(counted.flatMap(storeMove));
    if (changes.length > 0) await writer.row(changes);
  }
}

function isOfProduct({ field }: PlannedChange): boolean {
  return field !== 'key' && field !== 'status' && specOf(field).level === 'product';
}

function markedIn({ after, to }: Window, { statuses, text }: Marking): number[] {
  const marked: number[] = [];
  for (const [row, status] of statuses ?? [])
    if (row > after && row <= to && status === text) marked.push(row);
  return marked;
}

function storeMove({ side, field, from, to }: PlannedChange): StoreMove[] {
  return side === 'store' && field !== 'key' && field !== 'status' ? [{ field, from, to }] : [];
}

type Tally = {
  /** Adds the counts of a window of rows. */
  window(counts: RowCounts): void;
  /** A row with changes, conflicts or notes. */
  row(outcome: RowOutcome): void;
  /** Rows on both sides. */
  matched(): number;
  /** Rows whose item is not in the store. */
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
  /** Variants and rows that cannot be synced and were not counted here. */
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
