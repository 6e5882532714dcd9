import type { Sql } from '../database.ts';

export type Maintenance = { stop(): void };

const MAINTENANCE_INTERVAL_MS = 5 * 60_000;

/**
 * Runs maintenance every 5 minutes. PGlite has no background processes: without this no checkpoint is written, so the
 * log grows and recovery slows down, and dead rows are never vacuumed. The timer does not keep the process alive.
 */
export function startMaintenance(sql: Sql, intervalMs = MAINTENANCE_INTERVAL_MS): Maintenance {
  // The next interval retries a failure, such as a vacuum that exceeded the statement timeout.
  const timer = setInterval(() => runMaintenance(sql).catch(() => {}), intervalMs).unref();
  return { stop: () => clearInterval(timer) };
}

/** Vacuums tables by the thresholds of autovacuum, then writes a checkpoint if the log has grown by 16 MB. */
export async function runMaintenance(sql: Sql): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', stats.schemaname, stats.relname) as name
    from pg_stat_user_tables stats join pg_class on pg_class.oid = stats.relid
    where stats.n_dead_tup > 50 + 0.2 * greatest(reltuples, 0)
       or stats.n_mod_since_analyze > 50 + 0.1 * greatest(reltuples, 0)`;
  for (const { name } of tables) await sql.unsafe(`vacuum (analyze) ${name}`);

  const [log] = await sql<{ grown: boolean }[]>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) > 16 * 1024 * 1024 as grown
    from pg_control_checkpoint()`;
  if (log?.grown) await sql`checkpoint`;
}
