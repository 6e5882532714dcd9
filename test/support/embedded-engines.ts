import { rmSync } from 'node:fs';
import postgres from 'postgres';
import { openReconnectSafeSocket } from '../../src/platform/database/driver/reconnect-safe-socket.ts';
import { type Embedded, openEmbedded } from '../../src/platform/database/embedded/embedded.ts';
import { engineFolders } from './left-engines.ts';

/** An open embedded database with the tables of some migrations, and no rows. */
export type Engine = { readonly embedded: Embedded; readonly dataDir: string };

type OwnEngine = Engine & {
  readonly migrations: string;
  /** A connection that no test has. */
  readonly sql: postgres.Sql;
  /** Its tables, functions and triggers when it was new. */
  readonly schema: string;
  drop(): Promise<void>;
};

type Place = { readonly dataDir: string; drop(): Promise<void> };

/** What a test file of this process has given back. More than this are closed: each takes much memory. */
const MAX_IDLE = 2;
const idle: OwnEngine[] = [];
const inUse = new Map<Engine, OwnEngine>();

// What is open by then is no longer needed: its files go with the process.
process.once('exit', () => {
  for (const { dataDir } of [...idle, ...inUse.values()]) rmSync(dataDir, { recursive: true, force: true });
});

/**
 * An embedded database as if it were new. To open one takes half a second of the processor, to empty one a fiftieth of
 * that: test files of a process use the same ones, one after another.
 */
export async function takeEngine(
  migrations: string,
  makePlace: (prefix: string) => Promise<Place>,
): Promise<Engine> {
  const at = idle.findLastIndex((engine) => engine.migrations === migrations);
  const [found] = at < 0 ? [] : idle.splice(at, 1);
  const engine = found ?? (await startEngine(migrations, await makePlace(engineFolders(process.ppid))));
  inUse.set(engine, engine);
  return engine;
}

/** Empties a database, for the next one who takes it. One whose tables have been changed is closed. */
export async function returnEngine(returned: Engine): Promise<void> {
  const engine = inUse.get(returned);
  if (!engine) return;
  inUse.delete(returned);
  const isAsNew = await emptyTables(engine.sql, ['public', 'pgboss'])
    .then(() => restoreFirstRows(engine.sql))
    .then(async () => (await schemaOf(engine.sql)) === engine.schema)
    .catch(() => false);
  idle.push(engine);
  if (!isAsNew) return close(engine);
  const [oldest] = idle;
  if (oldest && idle.length > MAX_IDLE) await close(oldest);
}

async function startEngine(migrations: string, { dataDir, drop }: Place): Promise<OwnEngine> {
  const embedded = await openEmbedded(dataDir);
  // An option that the driver's types lack.
  const socket = {
    socket: () => openReconnectSafeSocket(async () => ({ stream: await embedded.socket() })),
  } as object;
  const sql = postgres({ ...socket, max: 1, max_lifetime: null, fetch_types: false, onnotice: () => {} });
  await keepFirstRows(sql);
  return { migrations, embedded, dataDir, sql, schema: await schemaOf(sql), drop };
}

async function close(engine: OwnEngine): Promise<void> {
  idle.splice(idle.indexOf(engine), 1);
  await engine.sql.end({ timeout: 1 });
  await engine.embedded.close();
  await engine.drop();
}

/**
 * Deletes all rows, and counts from the start again. Much faster than truncate,
 * which makes new files, except for what is large. Without the order of foreign keys to mind, which a superuser may.
 */
export async function emptyTables(
  sql: postgres.Sql,
  schemas: readonly ('public' | 'pgboss')[],
): Promise<void> {
  await sql.unsafe(`
    do $$ declare name text; size bigint; begin
      set local session_replication_role = replica;
      for name, size in
        select c.oid::regclass::text, pg_relation_size(c.oid) from pg_class c
        where c.relkind = 'r' and c.relnamespace::regnamespace::text = any('{${schemas}}')
          and c.oid::regclass::text not in ('schema_migrations', 'pgboss.version')
      loop
        if size > 1000000 then execute 'truncate ' || name || ' cascade';
        elsif size > 0 then execute 'delete from ' || name;
        end if;
      end loop;
      perform setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
        from pg_sequences where schemaname = any('{${schemas}}');
    end $$`);
}

/** Copies the rows that migrations have written, and how far their sequences have counted. */
async function keepFirstRows(sql: postgres.Sql): Promise<void> {
  await sql`
    do $$ declare name text; has_rows boolean; begin
      create schema first_rows;
      create table first_rows.own_sequences as
        select schemaname, sequencename, last_value from pg_sequences where last_value is not null;
      for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations' loop
        execute format('select exists (select from public.%I)', name) into has_rows;
        if has_rows then execute format('create table first_rows.%1$I as table public.%1$I', name); end if;
      end loop;
    end $$`.simple();
}

async function restoreFirstRows(sql: postgres.Sql): Promise<void> {
  await sql`
    do $$ declare name text; begin
      set local session_replication_role = replica;
      for name in select tablename from pg_tables where schemaname = 'first_rows' and tablename <> 'own_sequences' loop
        execute format('insert into public.%1$I overriding system value table first_rows.%1$I', name);
      end loop;
      perform setval(format('%I.%I', schemaname, sequencename)::regclass, last_value) from first_rows.own_sequences;
    end $$`.simple();
}

/** Differs once a table, column, function, trigger or constraint of the product has been made, changed or dropped. */
async function schemaOf(sql: postgres.Sql): Promise<string> {
  const [row] = await sql<{ schema: string }[]>`
    with own as (select oid from pg_class where relnamespace = 'public'::regnamespace)
    select concat_ws(' ',
      (select count(*) from own),
      (select count(*) || '/' || max(xmin::text::bigint) from pg_attribute where attrelid in (select oid from own)),
      (select count(*) || '/' || max(xmin::text::bigint) from pg_trigger where tgrelid in (select oid from own)),
      (select count(*) || '/' || max(xmin::text::bigint) from pg_constraint where conrelid in (select oid from own)),
      (select count(*) || '/' || max(xmin::text::bigint) from pg_proc where pronamespace = 'public'::regnamespace)
    ) as schema`;
  return row?.schema ?? '';
}
