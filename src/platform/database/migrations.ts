import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
};

const FOLDER = fileURLToPath(new URL('../../../migrations/', import.meta.url));

/** An arbitrary number that stands for "migrations of this product" among the locks of the database. */
const LOCK = 7_741_903;

/** Statements that would end the transaction a file is applied in. */
const TRANSACTION = /^(begin|start|commit|end|rollback|abort|prepare transaction)\b/;

/**
 * Brings the database to the newest of the folder's `NNNN_name.sql` files, each in one transaction of its own.
 * Any number of processes may do so at once. Returns the names applied by this call, such as `0001_identity`.
 * Throws Fault `internal.migration_*` naming the file that is at fault; nothing of that file is then kept.
 */
export async function migrate(sql: Sql, folder = FOLDER): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const applied = await sql.begin((tx) => prepare(tx, migrations));
  const names: string[] = [];
  for (const migration of migrations.slice(applied)) {
    if (await sql.begin((tx) => apply(tx, migration))) names.push(nameOf(migration));
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

/** Checks that nothing is left to migrate, and changes nothing. @throws Fault internal.migration_pending */
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
  const rows = found?.at
    ? await sql<Applied[]>`select version, sha256 from schema_migrations order by version`
    : [];
  const applied = compareApplied(rows, migrations);
  return { applied, pending: migrations.slice(applied).map(nameOf) };
}

function nameOf({ file }: Migration): string {
  return file.replace(/\.sql$/, '');
}

type Applied = { readonly version: number; readonly sha256: string };

async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
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
}

/** Checks what was applied against the files. Returns how many were applied. */
async function prepare(tx: Tx, migrations: readonly Migration[]): Promise<number> {
  await lock(tx);
  await tx`
    create table if not exists schema_migrations (
      version integer primary key,
      sha256 text not null,
      applied_at timestamptz not null default now()
    )`;
  const rows = await tx<Applied[]>`select version, sha256 from schema_migrations order by version`;
  return compareApplied(rows, migrations);
}

/** Returns how many were applied. */
function compareApplied(rows: readonly Applied[], migrations: readonly Migration[]): number {
  for (const [index, { version, sha256 }] of rows.entries()) {
    const migration = migrations[index];
    if (version !== index + 1) throw new Fault('internal.migration_unrecorded', { version: index + 1 });
    if (!migration) throw new Fault('internal.migration_unknown', { version });
    if (migration.sha256 !== sha256) throw new Fault('internal.migration_changed', { file: migration.file });
  }
  return rows.length;
}

/** False when another process was faster. */
async function apply(tx: Tx, { version, file, text, sha256 }: Migration): Promise<boolean> {
  await lock(tx);
  const done = await tx`select from schema_migrations where version = ${version}`;
  if (done.length > 0) return false;
  try {
    await tx.unsafe(text).simple();
  } catch (error) {
    const reason = reasonOf(error, text);
    throw databaseFault(error) ?? new Fault('internal.migration_failed', { file, reason }, { cause: error });
  }
  await tx`insert into schema_migrations (version, sha256) values (${version}, ${sha256})`;
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
