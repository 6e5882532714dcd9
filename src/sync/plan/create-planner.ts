import { saySyncError } from '../../language.ts';
import type { Sql } from '../../platform/database.ts';
import type { Run, RunCounts } from '../runs/run.ts';
import { createBrakeCount } from './brakes.ts';
import { createChangeWriter } from './change-writer.ts';
import { compare } from './compare.ts';
import { hasOwnKey, headerChanges } from './header-changes.ts';
import { countKnown, KNOWN_CHUNK, listUnknownRows } from './join-store.ts';
import { matchKeys } from './match-keys.ts';
import { findKeyOverview } from './match-store.ts';
import { createNotes, type Notes } from './notes.ts';
import type { Plan, Planner, PlanWork, Sides } from './planner.ts';
import { type ReadSides, readSides } from './read-sides.ts';
import { deleteSome, deleteSomeWithPlan } from './reads-store.ts';
import { reconcileBaseline } from './settle-base.ts';
import { createTally } from './tally.ts';

/** Plans in the database: only rows that differ come into memory, a page at a time. */
export function createPlanner({ sql }: { readonly sql: Sql }): Planner {
  return {
    async plan(run, sides, work) {
      while (await deleteSomeWithPlan(sql, run));
      const read = await readSides(sql, run, sides, work);
      if (!('missing' in read)) return planRead(sql, { run, sides, work, read });
      await deleteReads(sql, run.id);
      return withoutHeader(read.missing);
    },
    reconcileBaseline: (run) => reconcileBaseline(sql, run),
    deleteReads: (runId) => deleteReads(sql, runId),
  };
}

async function deleteReads(sql: Sql, runId: string): Promise<void> {
  while (await deleteSome(sql, runId));
}

type ReadRun = {
  readonly run: Run;
  readonly sides: Sides;
  readonly work: PlanWork;
  readonly read: FoundSides;
};

async function planRead(sql: Sql, { run, sides, work, read }: ReadRun): Promise<Plan> {
  const { layout, storeRows, statuses } = read;
  const { settings, direction } = run;
  const notes = createNotes();
  const writer = createChangeWriter(sql, run);
  const tally = createTally();
  const brakes = createBrakeCount(settings.options.brakes);
  const found = await findKeyOverview(sql, run.id);
  const skipped = await matchKeys(sql, run, found, notes);
  await writer.row(headerChanges(read, settings));
  const marking = { text: staleText(run), statuses };
  const rows = { used: layout.used_rows, marking, sharesItems: found.shared_items };
  await compare({ sql, writer, tally, notes, brakes }, { run, sides, work }, rows);
  const unknown = direction === 'store_to_sheet' ? 0 : tally.unknown();
  const stale =
    direction !== 'store_to_sheet' || settings.options.stale_rows === 'keep' ? 0 : tally.unknown();
  if (unknown > 0) await noteUnknown(sql, run, notes);
  // Where keys are unique and spelled alike, every variant is matched, without a key, or new.
  const hasNew = found.ambiguous || storeRows > tally.matched() + found.keyless_variants;
  const appends = direction !== 'sheet_to_store' && hasNew;
  const appended = appends ? await writer.append(appendedRows(run, read)) : 0;
  await writer.finish();
  const changeable = tally.matched() + stale;
  return {
    layout,
    counts: tally.counts({ storeRows, appended, skipped: skipped + unknown }),
    errors: notes.all(),
    brakes: run.request.confirmed ? [] : brakes.hits({ rows: changeable, ...(await knownRows(sql, run)) }),
    undecided: tally.undecided(),
  };
}

async function noteUnknown(sql: Sql, { id, settings }: Run, notes: Notes): Promise<void> {
  const { key } = settings.options;
  const rows = await listUnknownRows(sql, id, notes.remaining());
  notes.add(
    rows.map(({ row, key: sku }) => ({ key: 'not_in_store', params: { key }, row, sku, field: 'key' })),
  );
}

/** How many rows have a baseline, and how many of them the sheet no longer has. */
async function knownRows(sql: Sql, run: Run): Promise<{ known: number; missing: number }> {
  const all = { known: 0, missing: 0 };
  for (let after: string | null = ''; after !== null; ) {
    const some = await countKnown(sql, run, after);
    all.known += some.known;
    all.missing += some.missing;
    after = some.known < KNOWN_CHUNK ? null : some.last;
  }
  return all;
}

type FoundSides = Exclude<ReadSides, { readonly missing: readonly string[] }>;

function appendedRows({ settings: { mappings } }: Run, { layout, storeRows }: FoundSides) {
  const ownKey = hasOwnKey(layout);
  const fields = [...mappings.map(({ store_field }) => store_field), ...(ownKey ? ['key'] : [])];
  return { fields, ownKey, usedRows: Math.max(layout.used_rows, layout.header_row), variants: storeRows };
}

/** What marks a row of which the store has nothing. */
function staleText({ settings, locale }: Run): string {
  return saySyncError({ key: 'not_in_store', params: { key: settings.options.key } }, locale).message;
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
