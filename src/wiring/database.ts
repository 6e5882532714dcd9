import type { Config } from '../config.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { migrate } from '../platform/database/migrations.ts';
import type { Log } from '../platform/log.ts';

/** Opens the database and, unless the operator migrates it, brings its schema up to date. */
export async function openMigrated(
  config: Config,
  log: Log,
  onQuery?: (statement: string) => void,
): Promise<Database> {
  const options = { url: config.databaseUrl, dataDir: config.dataDir, ...(onQuery && { onQuery }) };
  const database = await openDatabase(options);
  if (!config.migrateOnStart) return database;
  const applied = await migrate(database.sql).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  if (applied.length > 0) log.info({ migrations: applied }, 'database schema brought up to date');
  return database;
}
