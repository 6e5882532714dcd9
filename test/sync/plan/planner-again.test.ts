import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { DIRECTIONS } from '../../../src/sync/config.ts';
import type { Plan } from '../../../src/sync/plan/plan.ts';
import type { Run } from '../../../src/sync/runs/run.ts';
import type { StoreField } from '../../../src/sync/values/field.ts';
import { sheetCell, variantFields } from '../../../src/sync/values/value.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createLocalSheet, type LocalSheet } from '../../support/local-sheet.ts';
import { createLocalStore, type LocalStore } from '../../support/local-store.ts';
import { samples } from '../../support/samples.ts';
import { openWorkshop } from '../../support/sync-plans.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const COLUMNS = {
  SKU: 'sku',
  Stock: 'inventory_quantity',
  Title: 'title',
  Price: 'price',
  Code: 'barcode',
} as const;
const WORK = { signal: new AbortController().signal, progress: () => {} };
const KEYS = ['A', 'B', 'C', 'D', 'b', 'E'];

const key = fc.constantFrom(...KEYS);
const text = fc.constantFrom('x', 'y', 'z');
const variant = fc.record({
  sku: fc.option(key),
  available: fc.option(fc.integer({ min: -1, max: 4 })),
  title: text,
  price: fc.constantFrom('1.00', '2.50', '3.999'),
  barcode: fc.option(text),
});
const row = fc.tuple(
  fc.oneof(key, fc.constant('')),
  fc.oneof(fc.integer({ min: -1, max: 4 }), fc.constantFrom('', 'many')),
  fc.oneof(text, fc.constant('')),
  fc.constantFrom('', 1, 2.5, 'dear'),
  fc.oneof(text, fc.constant('')),
);
const known = fc.tuple(
  fc.option(fc.constantFrom('0', '1', '2', '3')),
  fc.option(text),
  fc.option(fc.constantFrom('1.00', '2.50')),
  fc.option(text),
);
const world = fc.record({
  variants: fc.array(variant, { maxLength: 6 }),
  rows: fc.array(row, { maxLength: 6 }),
  base: fc.dictionary(key, known),
  request: fc.record({ initial: fc.constantFrom('store', 'sheet') }, { requiredKeys: [] }),
  options: fc.record({
    conflict_policy: fc.constantFrom('ask', 'store_wins', 'sheet_wins'),
    quantity_merge: fc.boolean(),
    blank_means: fc.constantFrom('nothing', 'clear'),
    stale_rows: fc.constantFrom('keep', 'clear'),
  }),
});

test.each(DIRECTIONS)('a plan that was applied leaves nothing to plan: %s', async (direction) => {
  const workshop = openWorkshop(database.sql);
  await fc.assert(
    fc.asyncProperty(world, async ({ variants, rows, base, options, request }) => {
      await database.reset();
      // Where blanks are meant, the base cannot tell a cell that never was the same from one that was empty on both sides.
      const meant = direction === 'two_way' ? { ...options, blank_means: 'nothing' as const } : options;
      const store = createLocalStore({ variants });
      const sheet = createLocalSheet({ rows: [Object.keys(COLUMNS), ...rows] });
      const knownBefore = Object.fromEntries(
        Object.entries(base).map(([name, vals]) => [name, [name, ...vals]]),
      );
      const given = { direction, columns: COLUMNS, options: meant, request, store, sheet };
      const first = await workshop.prepare({ ...given, base: knownBefore });
      const plan = await workshop.planner.plan(first.run, first.sides, WORK);
      await workshop.planner.reconcileBaseline(first.run);
      await apply(first.run, plan, { store, sheet });
      const second = await workshop.plan(given);
      expect(second.changes.filter(([batch]) => batch > 0)).toEqual([]);
      expect(second.undecided).toBe(plan.undecided);
      const { store_rows, sheet_rows, unchanged, skipped, conflicts } = second.counts;
      if (direction === 'two_way')
        expect([conflicts <= plan.counts.conflicts, sheet_rows <= store_rows + rows.length]).toEqual([
          true,
          true,
        ]);
      expect(unchanged + skipped).toBeLessThanOrEqual(store_rows + sheet_rows);
    }),
    { numRuns: samples(20, 6), seed: 20261121 },
  );
});

const ChangeRow = z.object({
  seq: z.number(),
  batch: z.number(),
  side: z.string(),
  field: z.custom<StoreField>((field) => typeof field === 'string'),
  row: z.number(),
  key: z.string(),
  variant_id: z.string().nullable(),
  base: z.string().nullable(),
  to: z.string().nullable(),
});

/** Does what a plan says, batch by batch, without a look at anything. */
async function apply(run: Run, { layout }: Plan, { store, sheet }: { store: LocalStore; sheet: LocalSheet }) {
  const { sql } = database;
  const rows = await sql`
    select seq, batch, side, field, row_no as row, key, variant_id, to_value as "to", base_value as base from sync_changes
    where run_id = ${run.id} and state = 'planned' order by batch, seq`;
  const fields: string[] = Object.values(COLUMNS);
  const byBatch = Map.groupBy(z.array(ChangeRow).parse(rows), ({ batch }) => batch);
  for (const changes of byBatch.values()) {
    for (const { side, field, row: at, variant_id, to } of changes) {
      const column = layout?.columns[fields.indexOf(field)] ?? -1;
      if (side === 'sheet') sheet.set(at, column, sheetCell(field, to));
      else if (field === 'inventory_quantity') store.change(variant_id ?? '', { available: Number(to) });
      else store.change(variant_id ?? '', variantFields(field, to, null));
    }
    for (const [name, own] of Map.groupBy(changes, ({ key }) => key))
      await commit(run, name, new Map(own.map(({ field, to, base }) => [field, base ?? to])));
  }
}

const Values = z.array(z.string().nullable());
const Sides = z.object({ store: Values, sheet: Values.nullable(), base: Values.nullable() });

/** The base of one item, once these fields of it have been told. */
async function commit(run: Run, name: string, told: ReadonlyMap<string, string | null>): Promise<void> {
  const { sql } = database;
  const [row] = await sql`
    select to_jsonb(s.vals) as store, to_jsonb(h.vals) as sheet, to_jsonb(b.vals) as base
    from sync_read_store s
    left join sync_read_sheet h on h.run_id = s.run_id and h.key = s.key
    left join sync_base b on b.config_id = ${run.config_id} and b.key = s.key
    where s.run_id = ${run.id} and s.key = ${name}`;
  if (!row) return;
  const { store, sheet, base } = Sides.parse(row);
  const vals = run.settings.mappings.map(({ store_field: field }, nth) => {
    if (told.has(field)) return told.get(field) ?? null;
    return store[nth] === sheet?.[nth] ? (store[nth] ?? null) : (base?.[nth] ?? null);
  });
  await sql`
    insert into sync_base (config_id, key, variant_id, product_id, item_id, vals)
    values (${run.config_id}, ${name}, '', '', '', ${vals}::text[])
    on conflict (config_id, key) do update set vals = excluded.vals`;
}
