import { localizeSyncError } from '../../language.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { Run, RunCounts } from '../runs/run.ts';
import { createBrakeCount } from './brakes.ts';
import { createChangeWriter } from './change-writer.ts';
import { createChangesStore } from './changes-store.ts';
import { compare } from './compare.ts';
import { hasOwnKey, headerChanges } from './header-changes.ts';
import { createJoinStore } from './join-store.ts';
import { matchKeys } from './match-keys.ts';
import { createMatchStore } from './match-store.ts';
import { createNotes, type Notes } from './notes.ts';
import type { Plan, Planner, PlanWork, Sides } from './planner.ts';
import { type ReadSides, readSides } from './read-sides.ts';
import { createReadsStore } from './reads-store.ts';
import { settleBase } from './settle-base.ts';
import { createSettleStore } from './settle-store.ts';
import { createTally } from './tally.ts';

/** Plans in the database: only rows that differ come into memory, a page at a time. */
export function createPlanner({ sql }: { readonly sql: Sql }): Planner {
  const reads = createReadsStore(sql);
  const matches = createMatchStore(sql);
  const joins = createJoinStore(sql);
  const changes = createChangesStore(sql);
  const settled = createSettleStore(sql);

  return {
    async plan(run, sides, work) {
      await forget(run.id);
      while (await changes.deleteSome(run));
      const read = await readSides(reads, run, sides, work);
      if (!('missing' in read)) return planRead(run, sides, work, read);
      await forget(run.id);
      return withoutHeader(read.missing);
    },
    settleEqual: (run) => settleBase(settled, run),
    forget,
  };

  async function forget(runId: string): Promise<void> {
    while (await reads.deleteSome(runId));
  }

  async function planRead(run: Run, sides: Sides, work: PlanWork, read: FoundSides): Promise<Plan> {
    const { layout, storeRows, statuses } = read;
    const { settings, direction } = run;
    const notes = createNotes();
    const writer = createChangeWriter(changes, run);
    const tally = createTally();
    const brakes = createBrakeCount(settings.options.brakes);
    const skipped = await matchKeys(matches, run, notes);
    await writer.row(headerChanges(read, settings));
    const marking = { text: staleText(run), statuses };
    const rows = { used: layout.used_rows, marking };
    await compare({ joins, writer, tally, notes, brakes }, { run, sides, work }, rows);
    const unknown = direction === 'store_to_sheet' ? 0 : tally.unknown();
    const stale =
      direction !== 'store_to_sheet' || settings.options.stale_rows === 'keep' ? 0 : tally.unknown();
    if (unknown > 0) await noteUnknown(run, notes);
    const appended = direction === 'sheet_to_store' ? 0 : await writer.append(appendedRows(run, read));
    await writer.finish();
    return {
      layout,
      counts: tally.counts({ storeRows, appended, skipped: skipped + unknown }),
      errors: notes.all(),
      brakes: run.request.confirmed
        ? []
        : brakes.hits({ rows: tally.matched() + stale, ...(await known(run)) }),
      undecided: tally.undecided(),
    };
  }

  async function noteUnknown({ id, settings }: Run, notes: Notes): Promise<void> {
    const { key } = settings.options;
    const rows = await joins.unknownRows(id, notes.room());
    notes.add(
      rows.map(({ row, key: sku }) => ({ key: 'not_in_store', params: { key }, row, sku, field: 'key' })),
    );
  }

  /** Rows known of before, and those of them that the sheet has lost. */
  async function known(run: Run): Promise<{ known: number; missing: number }> {
    const all = { known: 0, missing: 0 };
    for (let after: string | null = ''; after !== null; ) {
      const some = await joins.known(run, after);
      all.known += some.known;
      all.missing += some.missing;
      after = some.last;
    }
    return all;
  }
}

type FoundSides = Exclude<ReadSides, { readonly missing: readonly string[] }>;

function appendedRows({ settings: { mappings } }: Run, { layout, storeRows }: FoundSides) {
  const ownKey = hasOwnKey(layout);
  const fields = [...mappings.map(({ store_field }) => store_field), ...(ownKey ? ['key'] : [])];
  return { fields, ownKey, usedRows: Math.max(layout.used_rows, layout.header_row), variants: storeRows };
}

/** What marks a row of which the store has nothing. */
function staleText({ settings, locale }: Run): string {
  return localizeSyncError({ key: 'not_in_store', params: { key: settings.options.key } }, locale).message;
}

function withoutHeader(missing: readonly string[]): Plan {
  const errors = [{ key: 'header_not_found', params: { columns: missing.join(', ') } }] as const;
  return { layout: null, counts: NOTHING, errors, brakes: [], undecided: 0 };
}

const NOTHING: RunCounts = {
  store_rows: 0,
  sheet_rows: 0,
  unchanged: 0,
  to_sheet: 0,
  appended: 0,
  to_store: 0,
  conflicts: 0,
  skipped: 0,
  changed: 0,
  failed: 0,
};
