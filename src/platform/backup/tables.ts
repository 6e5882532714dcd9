/**
 * The rows of all tables as text, the same from both engines.
 * In: a transaction. Out: chunks of lines, one for each row: a JSON array with the PostgreSQL text of each
 * column, or null.
 * Invariant: lines that are loaded into the same tables are read back as the same lines.
 */
import { z } from 'zod';
import type { Tx } from '../database/database.ts';

type Column = { readonly name: string; readonly type: string };
export type Table = { readonly name: string; readonly columns: readonly Column[] };

/** About this many bytes are in memory at the same time. */
const CHUNK_BYTES = 1_000_000;
const FIRST_ROWS = 50;
const MAX_ROWS = 10_000;

/** The record of migrations is written by the migrations themselves, and nodes are processes that serve now. */
const LEFT_OUT = ['schema_migrations', 'nodes'];

const Tables = z.array(
  z.object({ name: z.string(), columns: z.array(z.object({ name: z.string(), type: z.string() })) }),
);
const Sequences = z.record(z.string(), z.object({ last_value: z.string(), is_called: z.boolean() }));
export type Sequences = z.infer<typeof Sequences>;

/** Statements have no time limit, and values have the same text on every server. */
export async function prepareTransaction(tx: Tx): Promise<void> {
  await tx`set local statement_timeout = 0`;
  await tx`set local idle_in_transaction_session_timeout = 0`;
  await tx`set local timezone = 'UTC'`;
  await tx`set local datestyle = 'ISO, YMD'`;
  await tx`set local intervalstyle = 'postgres'`;
  await tx`set local extra_float_digits = 1`;
  await tx`set local bytea_output = 'hex'`;
}

/** The tables that are kept. Unlogged tables are lost in every crash, so they are left out. */
export async function findTables(tx: Tx): Promise<readonly Table[]> {
  const rows = await tx`
    select c.relname as name,
      json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
        as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and c.relname <> all (${LEFT_OUT})
    group by c.relname order by c.relname`;
  return Tables.parse([...rows]);
}

/** Reads the rows of a table, about a megabyte at a time. */
export async function* readRows(tx: Tx, { name, columns }: Table): AsyncGenerator<readonly string[]> {
  const fields = columns.map((column) => `${quoted(column.name)}::text`).join(', ');
  await tx.unsafe(
    `declare backup_rows no scroll cursor for select json_build_array(${fields})::text as line from ${quoted(name)}`,
  );
  for (let count = FIRST_ROWS; ; ) {
    const rows = await tx.unsafe<{ line: string }[]>(`fetch ${count} from backup_rows`);
    if (rows.length === 0) break;
    const lines = rows.map(({ line }) => line);
    yield lines;
    const bytes = lines.reduce((sum, line) => sum + line.length, 0);
    count = Math.min(MAX_ROWS, Math.max(1, Math.floor((rows.length * CHUNK_BYTES) / bytes)));
  }
  await tx`close backup_rows`;
}

/** Removes the rows that the migrations have written: every backup has them. */
export async function emptyTables(tx: Tx, tables: readonly Table[]): Promise<void> {
  await tx.unsafe(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`);
}

/** Writes rows that `readRows` gave. */
export async function writeRows(tx: Tx, { name, columns }: Table, lines: readonly string[]): Promise<void> {
  const names = columns.map((column) => quoted(column.name)).join(', ');
  // The types are from the database, never from the archive.
  const values = columns.map(({ type }, index) => `(line->>${index})::${type}`).join(', ');
  await tx.unsafe(
    `insert into ${quoted(name)} (${names}) overriding system value
     select ${values} from jsonb_array_elements($1::text::jsonb) as lines (line)`,
    [`[${lines.join(',')}]`],
  );
}

export async function readSequences(tx: Tx): Promise<Sequences> {
  const sequences: Sequences = {};
  for (const name of await sequenceNames(tx)) {
    const [row] = await tx.unsafe(`select last_value::text, is_called from ${quoted(name)}`);
    sequences[name] = Sequences.valueType.parse(row);
  }
  return sequences;
}

/** @throws Error for what `readSequences` has not read from the same schema */
export async function writeSequences(tx: Tx, given: unknown): Promise<void> {
  const sequences = Sequences.parse(given);
  for (const name of await sequenceNames(tx)) {
    const state = sequences[name];
    if (!state) throw new Error(`the sequence ${name} is missing`);
    await tx`select setval(${quoted(name)}::text::regclass, ${state.last_value}::text::bigint, ${state.is_called})`;
  }
}

async function sequenceNames(tx: Tx): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select relname as name from pg_class
    where relkind = 'S' and relpersistence = 'p' and relnamespace = current_schema()::regnamespace order by relname`;
  return rows.map(({ name }) => name);
}

/**
 * Loads tables in any order: without foreign keys and triggers, which are back afterwards, the keys checked again for all
 * rows.
 */
export async function withoutConstraints<T>(tx: Tx, load: () => Promise<T>): Promise<T> {
  const keys = await tx<{ table: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by 1, 2`;
  const triggered = await tx<{ table: string }[]>`
    select distinct tgrelid::regclass::text as table from pg_trigger join pg_class c on c.oid = tgrelid
    where not tgisinternal and c.relnamespace = current_schema()::regnamespace`;
  for (const { table, name } of keys) await tx.unsafe(`alter table ${table} drop constraint ${quoted(name)}`);
  for (const { table } of triggered) await tx.unsafe(`alter table ${table} disable trigger user`);
  const loaded = await load();
  for (const { table } of triggered) await tx.unsafe(`alter table ${table} enable trigger user`);
  for (const { table, name, definition } of keys)
    await tx.unsafe(`alter table ${table} add constraint ${quoted(name)} ${definition}`);
  return loaded;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
