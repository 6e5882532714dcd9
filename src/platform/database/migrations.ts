import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Fault } from '../../errors.ts';
import type { Sql, Tx } from './database.ts';
import { databaseFault } from './database-fault.ts';
import { statementHeads } from './statement-heads.ts';

type Migration = {
  readonly version: number;
  readonly file: string;
  readonly text: string;
  readonly sha256: string;
  /** The newest migration that a program must know to work on the schema after this one. */
  readonly minProgram: number;
};

const FOLDER = fileURLToPath(new URL('../../../migrations/', import.meta.url));

/** An arbitrary number that stands for "migrations of this product" among the locks of the database. */
const LOCK = 7_741_903;

/**
 * A statement that waits for a lock, for instance behind a dump, makes all others on its table wait too. So it
 * gives up and is tried again.
 */
const LOCK_TIMEOUT = '2s';
const LOCK_TRIES = 60;
const LOCK_PAUSE_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** Statements that would end the transaction a file is applied in. */
const TRANSACTION = /^(begin|start|commit|end|rollback|abort|prepare transaction)\b/;

/**
 * Brings the database to the newest of the folder's `NNNN_name.sql` files, each in one transaction of its own.
 * Any number of processes may do so at once. Returns the names applied by this call, such as `0001_identity`.
 * Throws Fault `internal.migration_*` naming the faulty file; nothing of that file is kept.
 */
export async function migrate(sql: Sql, folder = FOLDER): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const applied = await sql.begin((tx) => prepare(tx, migrations));
  const names: string[] = [];
  for (const migration of migrations.slice(applied)) {
    if (await applyUnlocked(sql, migration)) names.push(nameOf(migration));
  }
  return names;
}

/**
 * Applies the migrations up to a number to a database that has none, in the caller's transaction.
 * @throws Fault internal.migration_unknown where this release has no such migration, conflict.database_used
 */
export async function migrateNew(tx: Tx, upTo: number, folder = FOLDER): Promise<void> {
  const migrations = await readMigrations(folder);
  if (upTo > migrations.length) throw new Fault('internal.migration_unknown', { version: upTo });
  if ((await prepare(tx, migrations)) > 0) throw new Fault('conflict.database_used');
  for (const migration of migrations.slice(0, upTo)) await apply(tx, migration);
}

/** Applies the migrations that are pending in the caller's transaction: all of them, or none. */
export async function migrateWithin(tx: Tx, folder = FOLDER): Promise<void> {
  const migrations = await readMigrations(folder);
  const applied = await prepare(tx, migrations);
  for (const migration of migrations.slice(applied)) await apply(tx, migration);
}

/**
 * Checks that nothing is left to migrate, and changes nothing. @throws Fault internal.migration_pending; and
 * internal.migration_unknown where a newer release has migrated beyond what this one works on
 */
export async function requireMigrated(sql: Sql, folder = FOLDER): Promise<void> {
  const { applied, pending } = await migrationState(sql, folder);
  if (pending.length > 0)
    throw new Fault('internal.migration_pending', { applied, needed: applied + pending.length });
}

/** How many migrations are applied, and the names of those that are not. Changes nothing. */
export async function migrationState(
  sql: Sql,
  folder = FOLDER,
): Promise<{ readonly applied: number; readonly pending: readonly string[] }> {
  const migrations = await readMigrations(folder);
  const [found] = await sql<{ at: string | null }[]>`select to_regclass('schema_migrations')::text as at`;
  const rows = found?.at ? await readApplied(sql) : [];
  const applied = compareApplied(rows, migrations);
  return { applied, pending: migrations.slice(applied).map(nameOf) };
}

function nameOf({ file }: Migration): string {
  return file.replace(/\.sql$/, '');
}

type Applied = { readonly version: number; readonly sha256: string; readonly min_program: number | null };

// As JSON, since the column came with 0024.
function readApplied(sql: Sql | Tx): Promise<Applied[]> {
  return sql<Applied[]>`
    select version, sha256, (to_jsonb(one) ->> 'min_program')::integer as min_program
    from schema_migrations one order by version`;
}

/** A line of a migration that removes or changes what an older program uses: it must know at least that migration. */
const MIN_PROGRAM = /^-- min_program: (\d+)$/m;

async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  const migrations = await Promise.all(
    files.map(async (file, index) => {
      const version = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1]);
      if (Number.isNaN(version)) throw new Fault('internal.migration_name', { file });
      if (version !== index + 1) throw new Fault('internal.migration_number', { file, expected: index + 1 });
      // A checkout on Windows may have other line ends; the statements are the same.
      const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n');
      const statement = statementHeads(text).find((head) => TRANSACTION.test(head));
      if (statement) throw new Fault('internal.migration_transaction', { file, statement });
      return { version, file, text, sha256: createHash('sha256').update(text).digest('hex') };
    }),
  );
  // Those after it need that program too.
  let minProgram = 0;
  return migrations.map((migration) => {
    minProgram = Number(MIN_PROGRAM.exec(migration.text)?.[1] ?? minProgram);
    return { ...migration, minProgram };
  });
}

/** Checks what was applied against the files. Returns how many were applied. */
async function prepare(tx: Tx, migrations: readonly Migration[]): Promise<number> {
  await lock(tx);
  await tx`
    create table if not exists schema_migrations (
      version integer primary key,
      sha256 text not null,
      applied_at timestamptz not null default now(),
      min_program integer
    )`;
  return compareApplied(await readApplied(tx), migrations);
}

/**
 * Returns how many were applied. More than the files are those of a newer release: this one works on as long as all of them
 * say so.
 */
function compareApplied(rows: readonly Applied[], migrations: readonly Migration[]): number {
  for (const [index, { version, sha256, min_program }] of rows.entries()) {
    const migration = migrations[index];
    if (version !== index + 1) throw new Fault('internal.migration_unrecorded', { version: index + 1 });
    if (!migration) {
      if ((min_program ?? version) > migrations.length)
        throw new Fault('internal.migration_unknown', { version });
      continue;
    }
    if (migration.sha256 !== sha256) throw new Fault('internal.migration_changed', { file: migration.file });
  }
  return rows.length;
}

/** As `apply`, again and again while others hold what it needs. @throws Fault unavailable.database_busy */
async function applyUnlocked(sql: Sql, migration: Migration): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      return await sql.begin((tx) => apply(tx, migration));
    } catch (error) {
      if (!isLockedOut(error) || tries === LOCK_TRIES) throw error;
      await delay(LOCK_PAUSE_MS);
    }
  }
}

function isLockedOut(error: unknown): boolean {
  const cause = error instanceof Fault ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === LOCK_NOT_AVAILABLE;
}

/** False when another process was faster. */
async function apply(tx: Tx, { version, file, text, sha256, minProgram }: Migration): Promise<boolean> {
  await lock(tx);
  const done = await tx`select from schema_migrations where version = ${version}`;
  if (done.length > 0) return false;
  await tx`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`;
  try {
    await tx.unsafe(text).simple();
  } catch (error) {
    const reason = reasonOf(error, text);
    throw databaseFault(error) ?? new Fault('internal.migration_failed', { file, reason }, { cause: error });
  }
  const row = { version, sha256, min_program: minProgram };
  // Before 0024 there is no min_program, which is left out then.
  await tx`
    insert into schema_migrations
    select given.* from jsonb_populate_record(null::schema_migrations,
      ${tx.json(row)}::jsonb || jsonb_build_object('applied_at', now())) given`;
  return true;
}

async function lock(tx: Tx): Promise<void> {
  await tx`set local statement_timeout = 0`;
  await tx`select pg_advisory_xact_lock(${LOCK})`;
}

function reasonOf(error: unknown, text: string): string {
  if (!(error instanceof Error)) return String(error);
  if (!('position' in error)) return error.message;
  const line = text.slice(0, Number(error.position)).split('\n').length;
  return `line ${line}: ${error.message}`;
}
