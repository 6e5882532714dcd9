import { localizeSyncError, plainReader } from '../../language.ts';
import { closest } from '../../platform/closest.ts';
import type { Sql } from '../../platform/database/database.ts';
import { isRemark, type SyncError } from '../change.ts';
import type { Mapping, SyncSettings } from '../config.ts';
import type { SheetClient } from '../ports/sheet-client.ts';
import type { StoreClient } from '../ports/store-client.ts';
import { listRevertedRows } from '../runs/repositories/reverted-repo.ts';
import type { Run, RunCounts, SafetyLimitHit } from '../runs/run.ts';
import { READ_ROWS, WRITE_ROWS } from '../statement-size.ts';
import { foldKey } from '../values/sync-key.ts';
import { currencyScale } from '../values/value.ts';
import { createChangeWriter } from './change-writer.ts';
import { compare, createTally } from './compare.ts';
import { countBaseline, countKnown, listUnknownRows } from './join-repo.ts';
import { cellName, type FoundLayout, type Layout, type MissingHeaders } from './layout.ts';
import { findKeyOverview, matchKeys } from './match-keys.ts';
import { createNotes, type Notes } from './notes.ts';
import { type Creations, NO_CREATIONS, planCreations, writtenBack } from './plan-creations.ts';
import type { PlannedChange } from './planned-change-repo.ts';
import { readItems } from './read-items.ts';
import { deleteSome, deleteSomeWithPlan } from './read-repo.ts';
import { type ReadSides, readSides } from './read-sides.ts';
import { reconcileBaseline } from './reconcile-baseline.ts';
import { countSafetyLimits, type PlanTotals, type SafetyLimitCount } from './safety-limits.ts';

/** The clients of both sides, and the location and tab that a run uses. */
export type Sides = {
  readonly store: StoreClient;
  readonly sheet: SheetClient;
  readonly locationId: string;
  /** ISO 4217, of the store. */
  readonly currency: string;
  readonly tab: { readonly title: string; readonly id: number | null };
  /** The public addresses of files of the account, by their paths or ids; absent: it has none. */
  readonly addressesOf?: (
    references: readonly string[],
  ) => Promise<ReadonlyMap<string, { readonly url: string } | undefined>>;
};

/** The result of planning a run; its changes are in `sync_changes`. */
export type Plan = {
  /** Null where the header was not found. */
  readonly layout: Layout | null;
  readonly counts: RunCounts;
  readonly errors: readonly SyncError[];
  readonly safetyLimitsHit: readonly SafetyLimitHit[];
  /** False where only the items were read that the run names. */
  readonly readAll: boolean;
  /** Rows that differ without a baseline, in two-way runs without an initial side: nothing was planned for them. */
  readonly undecided: number;
  /** How many changes were planned, conflicts among them. */
  readonly changeCount: number;
  /** How many rows of the baseline the sheet no longer has; undefined: they were not counted. */
  readonly missing: number | undefined;
};

export type Planner = {
  /**
   * Reads both sides and saves the changes of the run, in place of those of an earlier plan. Throws the Faults of the
   * clients; header_not_found is in `errors`, with nothing planned.
   */
  plan(run: Run, sides: Sides, work: PlanWork): Promise<Plan>;
  /**
   * Takes what the two sides agree on into the baseline. Only for a run that is applied. `missing`: as the plan has it, if it
   * has just been made.
   */
  reconcileBaseline(run: Run, missing?: number): Promise<void>;
  /** Deletes what the run has read. */
  deleteReads(runId: string): Promise<void>;
};

export type PlanWork = {
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number, message: string) => void;
};

/**
 * Plans runs. In: a run with its settings, and its two sides. Out: the changes of the run, numbered and in batches, in
 * `sync_changes`, with the counts, errors and tripped limits of the plan. Both sides are read into the database and
 * compared there with the baseline: only rows that differ come into memory, a page at a time. Invariant: planning changes
 * neither side, and planning a run again replaces its plan.
 */
type PlannerDeps = {
  readonly sql: Sql;
  /** Rows that a statement writes. Default: WRITE_ROWS. */
  readonly writeRows?: number;
};

export function createPlanner({ sql, writeRows = WRITE_ROWS }: PlannerDeps): Planner {
  return {
    async plan(run, sides, work) {
      const some = run.request.items && (await planItems(sql, { run, sides, work, writeRows }));
      return some ?? planAll(sql, { run, sides, work, writeRows });
    },
    reconcileBaseline: (run, missing) => reconcileBaseline(sql, run, writeRows, missing),
    deleteReads: (runId) => deleteReads(sql, runId),
  };
}

type Planning = {
  readonly run: Run;
  readonly sides: Sides;
  readonly work: PlanWork;
  readonly writeRows: number;
};

async function planAll(sql: Sql, { run, sides, work, writeRows }: Planning): Promise<Plan> {
  while (await deleteSomeWithPlan(sql, run));
  const read = await readSides(sql, run, sides, work);
  if (!('missing' in read)) return planRead(sql, { run, sides, work, writeRows, read, readAll: true });
  await deleteReads(sql, run.id);
  return withoutHeader(read);
}

/** The plan of a run that names items, where nothing about them needs a person; else undefined, and all has to be read. */
async function planItems(sql: Sql, { run, sides, work, writeRows }: Planning): Promise<Plan | undefined> {
  while (await deleteSomeWithPlan(sql, run));
  const read = await readItems(sql, run, sides, work);
  if (!read || 'missing' in read) return undefined;
  const plan = await planRead(sql, { run, sides, work, writeRows, read, readAll: false });
  const { errors, undecided, safetyLimitsHit, counts } = plan;
  const isClear =
    errors.every(isRemark) && undecided + safetyLimitsHit.length + counts.conflicts + counts.appended === 0;
  return isClear ? plan : undefined;
}

async function deleteReads(sql: Sql, runId: string): Promise<void> {
  while (await deleteSome(sql, runId));
}

type ReadRun = Planning & { readonly read: FoundSides; readonly readAll: boolean };

async function planRead(sql: Sql, { run, sides, work, writeRows, read, readAll }: ReadRun): Promise<Plan> {
  const { layout, storeRows, statuses } = read;
  const { settings, direction } = run;
  const notes = createNotes();
  const writer = createChangeWriter(sql, run, { maxDirect: sides.store.directProducts(), writeRows });
  const tally = createTally();
  const safetyLimits = countSafetyLimits(settings.options.safety_limits);
  const found = await findKeyOverview(sql, run.id);
  const skipped = await matchKeys(sql, run, found, notes);
  const added = addedMappings(settings, layout);
  notes.add(added.map((mapping) => addedNote(mapping, run, layout)));
  await writer.header(headerChanges(read, settings), { alone: added.length > 0 });
  const marking = { text: staleText(run), statuses };
  const newFields = new Set(added.map(({ store_field }) => store_field));
  const rows = { used: layout.used_rows, marking, sharesItems: found.shared_items, newFields };
  await compare({ sql, writer, tally, notes, safetyLimits }, { run, sides, work }, rows);
  const made = readAll ? await planCreations(sql, run, currencyScale(sides.currency)) : NO_CREATIONS;
  const created = addCreations(made, { tally, notes, safetyLimits });
  const unknown = direction === 'store_to_sheet' ? 0 : tally.unknown() - made.rows;
  const stale =
    direction !== 'store_to_sheet' || settings.options.stale_rows === 'keep' ? 0 : tally.unknown();
  if (unknown > 0) await noteUnknown(sql, run, notes, made.rows > 0);
  await writer.create(made.products);
  await writer.cells(writtenBack(made, run));
  // Where keys are unique and spelled alike, every variant is matched, without a key, or new.
  const hasNew = found.ambiguous || storeRows > tally.matched() + found.keyless_variants;
  const appends = direction !== 'sheet_to_store' && hasNew;
  const appended = appends ? await writer.append(appendedRows(run, read)) : 0;
  const isHeld = appends && storeRows > tally.matched() + found.keyless_variants + appended;
  if (isHeld) notes.add(await listRevertedRows(sql, run, notes.remaining()));
  const changeCount = await writer.finish();
  const changeable = tally.matched() + stale + created;
  const known = readAll && !run.request.confirmed ? await knownRows(sql, run) : undefined;
  return {
    layout,
    counts: tally.counts({ storeRows, appended, skipped: skipped + unknown }),
    errors: notes.all(),
    safetyLimitsHit: run.request.confirmed
      ? []
      : safetyLimits.hits(known ? { rows: changeable, ...known } : await allRows(sql, run)),
    undecided: tally.undecided(),
    readAll,
    changeCount,
    missing: known?.missing,
  };
}

type Counting = {
  readonly tally: ReturnType<typeof createTally>;
  readonly notes: Notes;
  readonly safetyLimits: SafetyLimitCount;
};

/** Counts the rows of new products as changes of the store; returns how many there are. */
function addCreations(
  { products, notes: own, rows }: Creations,
  { tally, notes, safetyLimits }: Counting,
): number {
  notes.add(own);
  const created = products.flatMap((changes) => [...Map.groupBy(changes, ({ key }) => key).values()]);
  for (const changes of created) {
    tally.row({ changes, isNoted: false, isUndecided: false, isMatched: false });
    safetyLimits.row([]);
  }
  for (let held = created.length; held < rows; held++)
    tally.row({ changes: [], isNoted: true, isUndecided: false, isMatched: false });
  return created.length;
}

/** `known`: only those that have a baseline. */
async function noteUnknown(sql: Sql, run: Run, notes: Notes, known: boolean): Promise<void> {
  const { key } = run.settings.options;
  const rows = await listUnknownRows(sql, run, { known, limit: notes.remaining() });
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
    after = some.known < READ_ROWS ? null : some.last;
  }
  return all;
}

/** Where not all was read: shares are of all rows with a baseline, and none of them counts as missing. */
async function allRows(sql: Sql, run: Run): Promise<PlanTotals> {
  const known = await countBaseline(sql, run.config_id);
  return { rows: known, known, missing: 0 };
}

type FoundSides = Exclude<ReadSides, MissingHeaders>;

function appendedRows({ settings: { mappings } }: Run, { layout, storeRows }: FoundSides) {
  const ownKey = hasOwnKey(layout);
  const fields = [...mappings.map(({ store_field }) => store_field), ...(ownKey ? ['key'] : [])];
  return { fields, ownKey, usedRows: Math.max(layout.used_rows, layout.header_row), variants: storeRows };
}

/** The status of a row whose item is not in the store. */
function staleText({ settings, locale }: Run): string {
  return localizeSyncError(
    { key: 'not_in_store', params: { key: settings.options.key } },
    plainReader(locale),
  ).message;
}

function withoutHeader({ missing, found, canAdd }: MissingHeaders): Plan {
  const names = new Map(found.map((header) => [foldKey(header), header]));
  const near = missing
    .flatMap((header) => names.get(closest(foldKey(header), [...names.keys()]) ?? '') ?? [])
    .join(', ');
  const [alone, beside] = canAdd
    ? (['header_not_found.add', 'header_not_found.add_closest'] as const)
    : (['header_not_found', 'header_not_found.closest'] as const);
  const said = { columns: missing.join(', '), found: found.join(', ') || '–' };
  const errors = [
    near === '' ? { key: alone, params: said } : { key: beside, params: { ...said, closest: near } },
  ];
  const nothing = { counts: NOTHING, safetyLimitsHit: [], undecided: 0, changeCount: 0, missing: undefined };
  return { ...nothing, layout: null, errors, readAll: true };
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

/** The mappings whose columns the run adds to a tab that has others. */
function addedMappings({ mappings }: Pick<SyncSettings, 'mappings'>, { added, columns }: Layout): Mapping[] {
  return mappings.filter((_, nth) => added.includes(columns[nth] ?? -1));
}

function addedNote({ sheet_column, store_field }: Mapping, { settings }: Run, layout: Layout): SyncError {
  const column = layout.columns[settings.mappings.findIndex((one) => one.store_field === store_field)] ?? 0;
  const params = { column: sheet_column, cell: cellName(layout.header_row, column) };
  return { key: 'column_added', params, row: layout.header_row, field: store_field };
}

/** The header of an empty tab, and those of new columns. */
function headerChanges(
  { layout, writesStatus }: Extract<FoundLayout, { layout: Layout }>,
  { mappings, options }: SyncSettings,
): PlannedChange[] {
  const headersOf = (some: readonly Mapping[]) =>
    some.map(({ store_field, sheet_column }) => header(layout, store_field, sheet_column));
  const key = header(layout, 'key', options.key_column ?? options.key);
  const added = headersOf(addedMappings({ mappings }, layout));
  const all = [...headersOf(mappings), ...(hasOwnKey(layout) ? [key] : [])];
  const status = writesStatus ? [header(layout, 'status', options.status_column ?? null)] : [];
  return [...(layout.writes_header ? all : added), ...status];
}

/** Whether the key has a column that no field is mapped to. */
function hasOwnKey({ columns, key_column }: Layout): boolean {
  return !columns.includes(key_column);
}

function header(layout: Layout, field: PlannedChange['field'], to: PlannedChange['to']): PlannedChange {
  const nothing = { variantId: null, productId: null, itemId: null, from: null, base: null } as const;
  const planned = { side: 'sheet', kind: 'append', state: 'planned', code: null, params: null } as const;
  return { ...nothing, ...planned, key: '', row: layout.header_row, field, to };
}
