import { z } from 'zod';
import type { Sql, Tx } from '../../../platform/database/database.ts';
import type { Run } from '../run.ts';
import { type BaseReader, baseReaders } from './base-readers.ts';

const Item = z.object({ item: z.string() });
const Told = z.object({
  item: z.string(),
  key: z.string(),
  side: z.enum(['store', 'sheet']),
  value: z.string().nullable(),
});

/** Applied changes of one batch, by `seq`. */
type Applied = { readonly batch: number; readonly seqs: readonly number[] };

/** Changes one statement takes into the base. */
const CHUNK = 2_000;

/**
 * The SQL by which the base follows what was applied: that of every configuration of the same cells, since what one of
 * them has brought to the other side would look to another as if both sides had changed it.
 */
export function createBaseStore(sql: Sql | Tx) {
  return {
    /** Takes applied changes into the base, in the transaction that calls them applied. Cleared rows are forgotten. */
    async commit(run: Run, batch: number, seqs: readonly number[]): Promise<void> {
      if (seqs.length === 0) return;
      const readers = await baseReaders(sql, run);
      for (let from = 0; from < seqs.length; from += CHUNK) {
        const applied = { batch, seqs: seqs.slice(from, from + CHUNK) };
        for (const reader of readers)
          await (reader.isOwn ? tellOwn(run, applied) : tell(reader, run, applied));
        await forget(readers, run, applied);
      }
    },

    /** Forgets what these quantities were: a person says which side is right, instead of a sum that may be wrong. */
    async doubt(run: Run, batch: number, seqs: readonly number[]): Promise<void> {
      for (const { id, position } of await quantityReaders(run))
        await sql`
          update sync_base b set vals[${position}::int] = null
          from sync_changes c
          where b.config_id = ${id} and b.key = c.key and c.run_id = ${run.id} and c.field = 'inventory_quantity'
            and c.batch = ${batch} and c.seq = any(${[...seqs]}::int[])`;
    },

    /** What was set for one variant is what its siblings have that share the item, where they were not told themselves. */
    async shareQuantities(run: Run): Promise<void> {
      for (const reader of await quantityReaders(run)) await shareAmong(reader, run);
    },
  };

  /** A field that was not changed gets what both sides were read to agree on, else it stays what it was. */
  async function tellOwn({ id, config_id, settings }: Run, { batch, seqs }: Applied): Promise<void> {
    const fields = settings.mappings.map(({ store_field }) => store_field);
    const [first, last] = endsOf(seqs);
    await sql`
      with touched as (
        select key, max(variant_id) as variant_id, max(product_id) as product_id, max(item_id) as item_id,
          max(row_no) as row_no, jsonb_object_agg(field, coalesce(base_value, to_value)) as told
        from sync_changes
        where run_id = ${id} and batch = ${batch} and seq between ${first} and ${last} and seq = any(${[...seqs]}::int[])
          and key <> '' and field <> 'status' and kind <> 'clear' and variant_id is not null
        group by key)
      insert into sync_base (config_id, key, variant_id, product_id, item_id, row_no, vals)
      select ${config_id}, t.key, t.variant_id, coalesce(t.product_id, ''), coalesce(t.item_id, ''), t.row_no, array(
        select case when t.told ? f.field then t.told ->> f.field
          when st.key is not null and sh.key is not null and sh.faults[f.nth] is null
            and st.vals[f.nth] is not distinct from sh.vals[f.nth] then st.vals[f.nth]
          else b.vals[f.nth] end
        from (
          select value as field, ordinality::int as nth
          from jsonb_array_elements_text(${sql.json(fields)}) with ordinality) f
        order by f.nth)
      from touched t
      left join sync_read_store st on st.run_id = ${id} and st.key = t.key and st.variant_id = t.variant_id
      left join sync_read_sheet sh on sh.run_id = ${id} and sh.row_no = t.row_no and sh.key = t.key
      left join sync_base b on b.config_id = ${config_id} and b.key = t.key
      on conflict (config_id, key) do update set variant_id = excluded.variant_id, vals = excluded.vals,
        product_id = excluded.product_id, item_id = excluded.item_id,
        row_no = coalesce(excluded.row_no, sync_base.row_no)`;
  }

  /** What it knows of before, and the run has changed: of rows it has never seen the same nothing is known. */
  async function tell({ id, fields }: BaseReader, run: Run, { batch, seqs }: Applied): Promise<void> {
    const [first, last] = endsOf(seqs);
    await sql`
      with touched as (
        select key, jsonb_object_agg(field, coalesce(base_value, to_value)) as told
        from sync_changes
        where run_id = ${run.id} and batch = ${batch} and seq between ${first} and ${last}
          and seq = any(${[...seqs]}::int[]) and key <> '' and field <> 'status' and kind <> 'clear'
          and variant_id is not null
        group by key)
      update sync_base b set vals = array(
        select case when t.told ? f.field then t.told ->> f.field else b.vals[f.nth] end
        from (
          select value as field, ordinality::int as nth
          from jsonb_array_elements_text(${sql.json(fields)}) with ordinality) f
        order by f.nth)
      from touched t
      where b.config_id = ${id} and b.key = t.key`;
  }

  async function forget(
    readers: readonly BaseReader[],
    { id }: Run,
    { batch, seqs }: Applied,
  ): Promise<void> {
    const [first, last] = endsOf(seqs);
    await sql`
      delete from sync_base b using sync_changes c
      where b.config_id = any(${readers.map((reader) => reader.id)}::text[]) and c.run_id = ${id} and c.kind = 'clear'
        and c.key = b.key and c.field <> 'status'
        and c.batch = ${batch} and c.seq between ${first} and ${last} and c.seq = any(${[...seqs]}::int[])`;
  }

  /** Those that quantities are told to, and where in their base. */
  async function quantityReaders(run: Run): Promise<{ id: string; position: number }[]> {
    const readers = await baseReaders(sql, run);
    return readers
      .map(({ id, fields }) => ({ id, position: fields.indexOf('inventory_quantity') + 1 }))
      .filter(({ position }) => position > 0);
  }

  async function shareAmong(reader: { id: string; position: number }, { id }: Run): Promise<void> {
    const shared = await sql`
      select item_id as item from sync_base where config_id = ${reader.id} group by item_id having count(*) > 1`;
    const items = z.array(Item).parse(shared);
    for (let from = 0; from < items.length; from += CHUNK) {
      const chunk = items.slice(from, from + CHUNK).map(({ item }) => item);
      const rows = await sql`
        select item_id as item, key, side, coalesce(base_value, to_value) as value from sync_changes
        where run_id = ${id} and field = 'inventory_quantity' and state = 'applied' and item_id = any(${chunk}::text[])`;
      const told = z.array(Told).parse(rows);
      const toStore = told.filter(({ side }) => side === 'store').map(({ item, value }) => [item, value]);
      const own = told.map(({ key }) => key);
      const values = sql.json(Object.fromEntries(toStore));
      await sql`
        update sync_base set vals[${reader.position}::int] = ${values}::jsonb ->> item_id
        where config_id = ${reader.id} and ${values}::jsonb ? item_id and not key = any(${own}::text[])`;
    }
  }
}

/** Without them the database goes through the whole batch for every chunk of it. */
function endsOf(seqs: readonly number[]): readonly [number, number] {
  return [Math.min(...seqs), Math.max(...seqs)];
}
