import type { SyncError } from '../change.ts';
import type { SheetClient } from '../ports/sheet-client.ts';
import type { StoreClient } from '../ports/store-client.ts';
import type { BrakeHit, Run, RunCounts } from '../runs/run.ts';
import type { Layout } from './layout.ts';

/** What both sides are asked through, and where they are. */
export type Sides = {
  readonly store: StoreClient;
  readonly sheet: SheetClient;
  readonly locationId: string;
  /** ISO 4217, of the store. */
  readonly currency: string;
  readonly tab: { readonly title: string; readonly id: number | null };
};

/** What a plan comes to; its cells are in `sync_changes`. */
export type Plan = {
  /** Null where the header was not found. */
  readonly layout: Layout | null;
  readonly counts: RunCounts;
  readonly errors: readonly SyncError[];
  readonly brakes: readonly BrakeHit[];
  /** Rows that differ where nothing is known of before, in both directions, and no side was named: nothing was planned for them. */
  readonly undecided: number;
};

export type Planner = {
  /**
   * Reads both sides and saves the changes of the run, in place of those of an earlier plan. Throws the Faults of the
   * clients; header_not_found is in `errors`, with nothing planned.
   */
  plan(run: Run, sides: Sides, work: PlanWork): Promise<Plan>;
  /** Takes what the two sides agree on into the baseline. Only for a run that is applied. */
  reconcileBaseline(run: Run): Promise<void>;
  /** Deletes what the run has read. */
  deleteReads(runId: string): Promise<void>;
};

export type PlanWork = {
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number, message: string) => void;
};
