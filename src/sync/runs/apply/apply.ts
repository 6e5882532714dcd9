import { createHash } from 'node:crypto';
import { localizeSyncError, plainReader } from '../../../language.ts';
import type { Sql, Tx } from '../../../platform/database/database.ts';
import type { Attempt } from '../../../platform/work/attempt.ts';
import type { Change, SyncError } from '../../change.ts';
import type { Layout } from '../../plan/layout.ts';
import type { Sides } from '../../plan/plan.ts';
import { chunked, WRITE_ROWS } from '../../statement-size.ts';
import type { Canonical } from '../../values/field.ts';
import { commitToBaseline, forgetCells, forgetQuantities } from '../repositories/baseline-repo.ts';
import {
  lastRow,
  listNotes,
  listUnfinished,
  nextPlanned,
  nextUnfinished,
  readValues,
  skipPlanned,
  staleRows,
} from '../repositories/change-repo.ts';
import {
  followImages,
  followInSheet,
  insertDamage,
  keepEntered,
  markSent,
  moveRows,
  saveOutcomes,
} from '../repositories/outcome-repo.ts';
import { shareProductValues } from '../repositories/product-values-repo.ts';
import { createRunStore } from '../repositories/run-repo.ts';
import type { Run } from '../run.ts';
import type { ChangeOutcome, DamagedCell } from './change-outcome.ts';

/** A run that is applied: its sides, and how the outcomes of its changes are saved. */
export type ApplyWork = {
  /** The run that the changes belong to. */
  readonly run: Run;
  readonly sides: Sides;
  /** Changes that a transaction writes. */
  readonly writeRows: number;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Localizes a note for the status column. */
  readonly localize: (note: SyncError) => string;
  readonly unfinished: (batch: number) => Promise<Change[]>;
  /** The first of them. */
  readonly firstUnfinished: (batch: number) => Promise<Change | undefined>;
  /** Marks changes as sent, before they are. */
  readonly send: (batch: number, changes: readonly Change[]) => Promise<void>;
  /**
   * Saves the outcomes of changes and the baseline that follows from them, in one transaction. Damaged cells are saved as
   * failures and lose their baseline: a person decides.
   */
  readonly commit: (
    batch: number,
    outcomes: readonly ChangeOutcome[],
    damaged?: readonly DamagedCell[],
  ) => Promise<void>;
  /** Skips the cells of these fields that were not sent: their columns have no header. */
  readonly skipCells: (fields: readonly string[]) => Promise<void>;
  /** After the last batch: takes what products were given into the baseline of all their rows that said so. */
  readonly shareProductValues: () => Promise<void>;
  /** The values of rows as the run has read them, by folded key. */
  readonly readValues: (keys: readonly string[]) => Promise<ReadonlyMap<string, readonly Canonical[]>>;
  /** Saves where rows are appended. */
  readonly moveRows: (batch: number, moves: readonly { seq: number; row: number }[]) => Promise<void>;
  /** Saves what cells hold, before they are written: see `enteredOtherwise`. */
  readonly keepEntered: (
    batch: number,
    cells: readonly { seq: number; was: string | number }[],
  ) => Promise<void>;
  readonly lastRow: () => Promise<number>;
  /** The changes that failed or were skipped so far, and why. */
  readonly notes: () => Promise<SyncError[]>;
  /** Rows of items that are not in the store; undefined where the run has not read the tab. */
  readonly staleRows: () => Promise<ReadonlySet<number> | undefined>;
};

/** Errors that are saved with a run. */
export const MAX_ERRORS = 1_000;

type ApplyDeps = {
  readonly sql: Sql;
  /** Changes that a transaction writes. Default: WRITE_ROWS. */
  readonly writeRows?: number;
  readonly now: () => Date;
};

/**
 * `owner` is the run that the attempt holds: once another attempt has it, nothing is written any more, and this one ends.
 * `run` may be an earlier run, whose in-doubt writes are reconciled.
 * In: a run that was planned, and its sides. Out: what writing the batches needs of the database. Invariant: a change
 * is marked as sent before it is sent, so after a crash its outcome is looked up and not guessed.
 */
export function createApplyWork(
  { sql, writeRows = WRITE_ROWS, now }: ApplyDeps,
  { run, owner, sides, attempt }: { run: Run; owner: Run; sides: Sides; attempt: Attempt },
): ApplyWork {
  return {
    run,
    sides,
    writeRows,
    signal: attempt.signal,
    now,
    localize: (note) => localizeSyncError(note, plainReader(owner.locale)).message,
    unfinished: (batch) => listUnfinished(sql, run.id, batch),
    firstUnfinished: async (batch) => (await nextUnfinished(sql, run.id, batch, { after: 0, limit: 1 }))[0],
    async send(batch, sent) {
      const seqs = sent.filter(({ state }) => state === 'planned').map(({ seq }) => seq);
      for (const some of chunked(seqs, writeRows)) await asOwner((tx) => markSent(tx, run.id, batch, some));
    },
    commit: (batch, outcomes, damaged = []) =>
      asOwner(async (tx) => {
        await saveOutcomes(tx, run.id, batch, outcomes);
        await followInSheet(tx, run.id, batch, outcomes);
        const applied = outcomes.filter(({ state }) => state === 'applied').map(({ seq }) => seq);
        await commitToBaseline(tx, run, batch, applied);
        if (syncsImages(run)) await followImages(tx, run, batch, outcomes);
        const inDoubt = outcomes.filter((one) => 'inDoubt' in one && one.inDoubt).map(({ seq }) => seq);
        if (inDoubt.length > 0) await forgetQuantities(tx, run, batch, inDoubt);
        if (damaged.length > 0) await insertDamage(tx, run, batch, damaged);
        const held = damaged.flatMap(({ key, field }) =>
          field === null || key === '' ? [] : [{ key, field }],
        );
        if (held.length > 0) await forgetCells(tx, run, held);
      }),
    async skipCells(fields) {
      for (let batch = await nextPlanned(sql, run.id, 1); batch !== undefined; ) {
        const skipped = batch;
        await asOwner((tx) => skipPlanned(tx, run.id, skipped, fields));
        batch = await nextPlanned(sql, run.id, batch + 1);
      }
    },
    shareProductValues: () => shareProductValues(sql, run, { writeRows, write: asOwner }),
    readValues: (keys) => readValues(sql, run.id, keys),
    moveRows: (batch, moves) => asOwner((tx) => moveRows(tx, run.id, batch, moves)),
    keepEntered: (batch, cells) => asOwner((tx) => keepEntered(tx, run.id, batch, cells)),
    lastRow: () => lastRow(sql, run.id),
    notes: () => listNotes(sql, run.id, MAX_ERRORS),
    staleRows: async () => (run.request.items ? undefined : staleRows(sql, run.id)),
  };

  /** Writes in a transaction that holds the owner, so that no other attempt takes it over before the end. */
  async function asOwner(write: (tx: Tx) => Promise<void>): Promise<void> {
    const fence = { accountId: owner.account_id, id: owner.id, attempt: owner.attempt };
    const isOwn = await sql.begin(async (tx) => {
      const beat = await createRunStore(tx).hold(fence);
      if (!beat) return false;
      await write(tx);
      if (beat.cancel_requested) attempt.abort('canceled');
      return true;
    });
    if (isOwn) return;
    attempt.abort('superseded');
    attempt.signal.throwIfAborted();
  }
}

function syncsImages({ settings: { mappings } }: Run): boolean {
  return mappings.some(({ store_field }) => store_field === 'image');
}

/**
 * Commits the outcomes of a large batch some at a time, since a transaction holds the embedded database; those of one
 * group, such as a row, together, and damaged cells with the first. A process that dies in between leaves the others as
 * sent, whose outcome is then looked up.
 */
export async function commitGroups(
  work: ApplyWork,
  batch: number,
  groups: readonly (readonly ChangeOutcome[])[],
  damaged: readonly DamagedCell[] = [],
): Promise<void> {
  let some: ChangeOutcome[] = [];
  let held = damaged;
  for (const group of groups) {
    if (some.length > 0 && some.length + group.length > work.writeRows) await commit();
    some.push(...group);
  }
  if (some.length + held.length > 0) await commit();

  async function commit(): Promise<void> {
    await work.commit(batch, some, held);
    some = [];
    held = [];
  }
}

/**
 * The key of a write, in the form of a UUID: the same whenever this write of this batch of this run is made, also by
 * another process after a crash, and another for any other write.
 */
export function batchKey(runId: string, batch: number, write: unknown): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([runId, batch, write]))
    .digest('hex');
  const variant = '89ab'.charAt(Number.parseInt(hash.charAt(16), 16) % 4);
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`];
  return [...parts, `${variant}${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-');
}

/** @throws Error for a run that has not planned anything in the sheet */
export function layoutOf({ id, layout }: Run): Layout {
  if (!layout) throw new Error(`the run ${id} has changes of the sheet but no layout`);
  return layout;
}
