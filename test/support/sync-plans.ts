import { afterAll, beforeAll, beforeEach } from 'vitest';
import { z } from 'zod';
import type { Sql } from '../../src/platform/database/database.ts';
import { type Direction, type Mapping, type SyncKey, SyncSettings } from '../../src/sync/config.ts';
import { createPlanner, type Plan, type Planner, type Sides } from '../../src/sync/plan/plan.ts';
import type { StoreVariant } from '../../src/sync/ports/store-client.ts';
import type { Run, RunRequest } from '../../src/sync/runs/run.ts';
import type { Canonical, StoreField } from '../../src/sync/values/field.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';
import { createLocalSheet, type LocalCell, type LocalSheet } from './local-sheet.ts';
import { createLocalStore, type LocalStore, PLACE } from './local-store.ts';

/** Header of the column and the field; what the documented layout has where nothing is given. */
export type Columns = Readonly<Record<string, StoreField>>;

export type Case = {
  readonly direction?: Direction;
  readonly columns?: Columns;
  readonly options?: Partial<SyncSettings['options']> & { readonly key?: SyncKey };
  readonly request?: RunRequest;
  readonly store?: readonly (Partial<StoreVariant> & { readonly sku: string | null })[] | LocalStore;
  /** From row 1. */
  readonly sheet?: readonly (readonly LocalCell[])[] | LocalSheet;
  /** By key: what both sides last had, in the order of the columns; null: the cell never was the same. */
  readonly base?: Readonly<Record<string, readonly Canonical[]>>;
  readonly locale?: string;
  readonly currency?: string;
};

/** A change in short: batch, key, row, side and kind, field, from, to; then what else there is of it. */
export type ShortChange = readonly [
  batch: number,
  key: string,
  row: number | null,
  what: string,
  field: string,
  from: Canonical,
  to: Canonical,
  ...more: unknown[],
];

export type Planned = Plan & { readonly changes: readonly ShortChange[] };

export type Workshop = {
  readonly planner: Planner;
  /** Plans a run of its own. */
  plan(given: Case): Promise<Planned>;
  changes(runId: string): Promise<ShortChange[]>;
  /** The base of the configuration: by key the row and the values. */
  base(): Promise<Record<string, readonly [row: number | null, ...values: Canonical[]]>>;
  prepare(given: Case): Promise<{ run: Run; sides: Sides }>;
};

const WORK = { signal: new AbortController().signal, progress: () => {} };
const STOCK: Columns = { SKU: 'sku', Stock: 'inventory_quantity' };

/** Plans runs of one configuration in a database of its own. */
export function openWorkshop(sql: Sql): Workshop {
  const planner = createPlanner({ sql });
  let runs = 0;

  const workshop: Workshop = {
    planner,
    async plan(given) {
      const { run, sides } = await workshop.prepare(given);
      const plan = await planner.plan(run, sides, WORK);
      return { ...plan, changes: await workshop.changes(run.id) };
    },

    async prepare(given) {
      await makeConfig(sql);
      const {
        direction = 'store_to_sheet',
        columns = STOCK,
        options = {},
        request = {},
        locale = 'en_US',
      } = given;
      const store = isLocalStore(given.store)
        ? given.store
        : createLocalStore({ variants: given.store ?? [] });
      const sheet = isLocalSheet(given.sheet) ? given.sheet : createLocalSheet({ rows: given.sheet ?? [] });
      const mappings = Object.entries(columns).map(
        ([sheet_column, store_field]): Mapping => ({ sheet_column, store_field }),
      );
      const settings = SyncSettings.parse({ direction, mappings, options });
      if (given.base) await fillBase(sql, given.base, store, settings.options.key);
      runs += 1;
      const run = newRun(`run_${runs}`, settings, request);
      await insertRun(sql, run);
      const sides = {
        store: store.client,
        sheet: sheet.client,
        locationId: PLACE.id,
        currency: given.currency ?? 'EUR',
        locale,
        tab: sheet.tab,
      };
      return { run, sides };
    },

    async changes(runId) {
      const rows = await sql`
        select batch, key, row_no as row, side, kind, field, from_value, to_value, base_value, state, code, params
        from sync_changes where run_id = ${runId} order by batch, seq`;
      return z.array(ChangeRow).parse(rows).map(shortened);
    },

    async base() {
      const rows = await sql`
        select key, row_no as row, to_jsonb(vals) as vals from sync_base order by key collate "C"`;
      const parsed = z.array(BaseRow).parse(rows);
      return Object.fromEntries(parsed.map(({ key, row, vals }) => [key, [row, ...vals] as const]));
    },
  };
  return workshop;
}

const ChangeRow = z.object({
  batch: z.number(),
  key: z.string(),
  row: z.number().nullable(),
  side: z.string(),
  kind: z.string(),
  field: z.string(),
  from_value: z.string().nullable(),
  to_value: z.string().nullable(),
  base_value: z.string().nullable(),
  state: z.string(),
  code: z.string().nullable(),
  params: z.record(z.string(), z.unknown()).nullable(),
});

const BaseRow = z.object({
  key: z.string(),
  row: z.number().nullable(),
  vals: z.array(z.string().nullable()),
});

function shortened(change: z.output<typeof ChangeRow>): ShortChange {
  const { batch, key, row, side, kind, field, from_value: from, to_value: to, base_value, params } = change;
  const base = base_value === null ? [] : [`base ${base_value}`];
  const state = change.state === 'planned' ? [] : [`${change.state}: ${change.code}`];
  return [
    batch,
    key,
    row,
    `${side} ${kind}`,
    field,
    from,
    to,
    ...base,
    ...state,
    ...(params ? [params] : []),
  ];
}

function isLocalStore(given: Case['store']): given is LocalStore {
  return given !== undefined && 'client' in given;
}

function isLocalSheet(given: Case['sheet']): given is LocalSheet {
  return given !== undefined && 'client' in given;
}

async function makeConfig(sql: Sql): Promise<void> {
  await sql`insert into accounts (id, name) values ('acc_1', 'test') on conflict do nothing`;
  await sql`
    insert into sync_stores (id, account_id, domain, credentials, token_hint, name, currency)
    values ('sto_1', 'acc_1', 'local.myshopify.com', '', '', 'Local', 'EUR') on conflict do nothing`;
  await sql`
    insert into sync_sheets (id, account_id, spreadsheet_id, name, sheet_name, credentials, token_hint)
    values ('she_1', 'acc_1', 'local', 'Local', 'Sheet1', '', '') on conflict do nothing`;
  await sql`
    insert into sync_configs (id, account_id, store_id, sheet_id, direction, mappings, options)
    values ('cfg_1', 'acc_1', 'sto_1', 'she_1', 'two_way', '[]', '{}') on conflict do nothing`;
}

async function fillBase(
  sql: Sql,
  base: Readonly<Record<string, readonly Canonical[]>>,
  store: LocalStore,
  key: SyncKey,
): Promise<void> {
  await sql`delete from sync_base`;
  const rows = Object.entries(base).map(([name, vals]) => {
    const variant = store.all().find((one) => key !== 'variant_id' && one[key] === name);
    return { name, vals, variant: variant?.variantId, product: variant?.productId, item: variant?.itemId };
  });
  await sql`
    insert into sync_base (config_id, key, variant_id, product_id, item_id, vals)
    select 'cfg_1', name, coalesce(variant, ''), coalesce(product, ''), coalesce(item, ''),
      array(select jsonb_array_elements_text(vals))
    from jsonb_to_recordset(${sql.json(rows)}) as row (name text, vals jsonb, variant text, product text, item text)`;
}

async function insertRun(sql: Sql, run: Run): Promise<void> {
  await sql`
    insert into sync_runs (id, account_id, config_id, store_id, sheet_id, tab, trigger, direction, dry_run, settings, actor,
      locale)
    values (${run.id}, ${run.account_id}, ${run.config_id}, ${run.store_id}, ${run.sheet_id}, ${run.sheet_id}, 'manual',
      ${run.direction}, true, ${sql.json(run.settings)}, 'test', 'en')`;
}

export function newRun(id: string, settings: SyncSettings, request: RunRequest): Run {
  return {
    seq: 1,
    id,
    account_id: 'acc_1',
    config_id: 'cfg_1',
    store_id: 'sto_1',
    sheet_id: 'she_1',
    trigger: 'manual',
    direction: settings.direction,
    dry_run: true,
    status: 'planning',
    settings,
    request,
    layout: null,
    counts: {},
    errors: [],
    safety_limits_hit: [],
    calls: {},
    progress: null,
    reverts_run: null,
    attempt: 1,
    cancel_requested: false,
    revision: 1,
    actor: 'test',
    locale: 'en',
    expires_at: null,
    created_at: new Date(0),
    started_at: null,
    finished_at: null,
  };
}

export const STOCK_HEADER = ['SKU', 'Stock'];

/** The counts of a plan: nothing but these. */
export function counted(some: object) {
  const none = { store_rows: 0, sheet_rows: 0, unchanged: 0, to_sheet: 0, appended: 0, to_store: 0 };
  return { ...none, conflicts: 0, skipped: 0, changed: 0, failed: 0, ...some };
}

/** The set-up of a test file about plans: a database, and a workshop for each test. */
export function usePlans() {
  let database: TestDatabase;
  let workshop: Workshop;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    await database.reset();
    workshop = openWorkshop(database.sql);
  });
  afterAll(() => database.close());

  return {
    get sql(): Sql {
      return database.sql;
    },
    get workshop(): Workshop {
      return workshop;
    },
  };
}
