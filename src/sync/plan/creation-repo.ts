import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import type { Run } from '../runs/run.ts';

const Values = z.array(z.string().nullable());

const NewRow = z.object({ row: z.number(), key: z.string(), sheet: Values, faults: Values.nullable() });

/** A row of the sheet whose item the store has never had. */
export type NewRow = z.output<typeof NewRow>;

/** The next rows that have neither a variant nor a baseline: an item that the store has lost is not created again. */
export async function listNewRows(
  sql: Sql | Tx,
  { id, config_id }: Run,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<NewRow[]> {
  const rows = await sql`
    select h.row_no as row, h.key, to_jsonb(h.vals) as sheet, to_jsonb(h.faults) as faults
    from sync_read_sheet h
    where h.run_id = ${id} and h.row_no > ${after} and h.key is not null and not h.blocked
      and not exists (select from sync_read_store s where s.run_id = ${id} and s.key = h.key)
      and not exists (select from sync_base b where b.config_id = ${config_id} and b.key = h.key)
    order by h.row_no limit ${limit}`;
  return z.array(NewRow).parse(rows);
}

const Taken = z.object({ value: z.string() });

/** Those of the values that a variant of the store has in a cell; `position` is the mapping, from 1. */
export async function listTaken(
  sql: Sql | Tx,
  runId: string,
  position: number,
  values: readonly string[],
): Promise<string[]> {
  const rows = await sql`
    select distinct vals[${position}::int] as value from sync_read_store
    where run_id = ${runId} and vals[${position}::int] = any(${[...values]}::text[])`;
  return z
    .array(Taken)
    .parse(rows)
    .map(({ value }) => value);
}
