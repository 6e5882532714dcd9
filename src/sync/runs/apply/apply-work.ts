import { localizeSyncError } from '../../../language.ts';
import type { Sql } from '../../../platform/database/database.ts';
import type { Attempt } from '../../../platform/work/attempt.ts';
import type { Change, SyncError } from '../../change.ts';
import type { Sides } from '../../plan/planner.ts';
import type { Run } from '../run.ts';
import { createBaseStore } from '../store/base-store.ts';
import { createChangeStore } from '../store/change-store.ts';
import { createRunStore } from '../store/run-store.ts';
import { createSettleStore } from '../store/settle-store.ts';
import type { Settlement } from './settlement.ts';

/** What applying goes by: a run, its sides, and the writing down of what becomes of its changes. */
export type ApplyWork = {
  /** Whose changes these are. */
  readonly run: Run;
  readonly sides: Sides;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Puts a note into the words that the status column shows. */
  readonly say: (note: SyncError) => string;
  readonly unfinished: (batch: number) => Promise<Change[]>;
  /** Writes down that these are on their way, before they are. */
  readonly send: (batch: number, changes: readonly Change[]) => Promise<void>;
  /** Writes down what became of changes, with the base that follows from it: all or nothing. */
  readonly commit: (batch: number, settlements: readonly Settlement[]) => Promise<void>;
  /** Writes down where rows are appended. */
  readonly move: (batch: number, moves: readonly { seq: number; row: number }[]) => Promise<void>;
  readonly lastRow: () => Promise<number>;
  /** What has not arrived so far, and why. */
  readonly notes: () => Promise<SyncError[]>;
  /** Rows of items that the store does not have; undefined where the run has not read the tab. */
  readonly staleRows: () => Promise<ReadonlySet<number> | undefined>;
};

/** Errors that a run keeps. */
export const ERRORS_MOST = 1_000;

type Parts = {
  readonly sql: Sql;
  readonly now: () => Date;
};

/**
 * `owner` is the run that the attempt holds: once another one has it nothing is written any more, and this one ends.
 * `run` may be an earlier one, whose loose ends it ties.
 */
export function createApplyWork(
  { sql, now }: Parts,
  { run, owner, sides, attempt }: { run: Run; owner: Run; sides: Sides; attempt: Attempt },
): ApplyWork {
  const changes = createChangeStore(sql);

  return {
    run,
    sides,
    signal: attempt.signal,
    now,
    say: (note) => localizeSyncError(note, owner.locale).message,
    unfinished: (batch) => changes.unfinished(run.id, batch),
    async send(batch, sent) {
      const seqs = sent.filter(({ state }) => state === 'planned').map(({ seq }) => seq);
      if (seqs.length > 0) await held((own) => own.send(run.id, batch, seqs));
    },
    commit: (batch, settlements) =>
      held(async (own, base) => {
        await own.settle(run.id, batch, settlements);
        await own.follow(run.id, batch, settlements);
        const applied = settlements.filter(({ state }) => state === 'applied').map(({ seq }) => seq);
        await base.commit(run, batch, applied);
        const doubtful = settlements.filter((one) => 'inDoubt' in one && one.inDoubt).map(({ seq }) => seq);
        if (doubtful.length > 0) await base.doubt(run, batch, doubtful);
      }),
    move: (batch, moves) => held((own) => own.move(run.id, batch, moves)),
    lastRow: () => changes.lastRow(run.id),
    notes: () => changes.notes(run.id, ERRORS_MOST),
    staleRows: () => changes.staleRows(run.id),
  };

  async function held(
    write: (
      own: ReturnType<typeof createSettleStore>,
      base: ReturnType<typeof createBaseStore>,
    ) => Promise<void>,
  ): Promise<void> {
    const fence = { accountId: owner.account_id, id: owner.id, attempt: owner.attempt };
    const isOwn = await sql.begin(async (tx) => {
      const beat = await createRunStore(tx).hold(fence);
      if (!beat) return false;
      await write(createSettleStore(tx), createBaseStore(tx));
      if (beat.cancel_requested) attempt.end('canceled');
      return true;
    });
    if (isOwn) return;
    attempt.end('lost');
    attempt.signal.throwIfAborted();
  }
}
