import type { Sql } from '../../platform/database.ts';
import { currencyScale } from '../currency.ts';
import type { Run } from '../runs/run.ts';
import type { BrakeCount, StoreMove } from './brakes.ts';
import type { ChangeWriter } from './change-writer.ts';
import type { PlannedChange } from './changes-store.ts';
import { countRows, type JoinedRow, listDiffering } from './join-store.ts';
import type { Notes } from './notes.ts';
import { planRow, type RowPlan } from './plan-row.ts';
import { type Marking, planStale, unmark } from './plan-stale.ts';
import type { PlanWork, Sides } from './planner.ts';
import { createSharedValues } from './shared-values.ts';
import type { Tally } from './tally.ts';
import { type Window, windows } from './windows.ts';

/** Rows one statement looks at, and rows it gives at most. */
const WINDOW = 10_000;
const PAGE = 1_000;

type CompareDeps = {
  readonly sql: Sql;
  readonly writer: ChangeWriter;
  readonly tally: Tally;
  readonly notes: Notes;
  readonly brakes: BrakeCount;
};

type Rows = { readonly used: number; readonly marking: Marking; readonly sharesItems: boolean };

/** Plans every row of the sheet: the equal ones are only counted, by the database. */
export async function compare(
  { sql, writer, tally, notes, brakes }: CompareDeps,
  { run, sides, work }: { readonly run: Run; readonly sides: Sides; readonly work: PlanWork },
  { used, marking, sharesItems }: Rows,
): Promise<void> {
  const { direction, settings } = run;
  const { mappings, options } = settings;
  const { initial } = run.request;
  const rules = { direction, mappings, options, initial, scale: currencyScale(sides.currency) };
  const isStaleSeen = direction === 'store_to_sheet' && options.stale_rows !== 'keep';
  const shared = createSharedValues({ sql, runId: run.id, mappings, sharesItems });

  for (const window of windows(0, used, WINDOW)) {
    work.signal.throwIfAborted();
    const counts = await countRows(sql, run.id, window);
    tally.window(counts);
    const marked = markedIn(window, marking);
    const isAllEqual = counts.equal === counts.matched && marked.length === 0;
    if (!isAllEqual || (isStaleSeen && counts.matched < counts.rows)) await planWindow(window, marked);
    work.progress(window.to, used, 'comparing');
  }

  async function planWindow({ after, to }: Window, marked: readonly number[]): Promise<void> {
    const more = { limit: PAGE, stale: isStaleSeen, rows: marked };
    for (let from = after; from < to; ) {
      const page = await listDiffering(sql, run, { after: from, to }, more);
      const plans = await shared.settle(page.map(planOf));
      for (const plan of plans) await take(plan);
      from = page.length < PAGE ? to : (page.at(-1)?.row ?? to);
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

  async function take({ row, changes, notes: own, undecided }: RowPlan): Promise<void> {
    notes.add(own);
    const isMatched = row.store !== null;
    tally.row({ changes, isNoted: own.length > 0, isUndecided: undecided, isMatched });
    const planned = changes.filter(({ state }) => state === 'planned');
    if (planned.length > 0) brakes.row(planned.flatMap(storeMove));
    if (changes.length > 0) await writer.row(changes);
  }
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
