import type { Config } from '../config.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { migrate, requireMigrated } from '../platform/database/migrations.ts';
import type { Log } from '../platform/log.ts';

/**
 * Opens the database and brings its schema up to date.
 * @throws Fault internal.migration_pending where the operator migrates it and has not yet
 */
export async function openMigrated(
  config: Config,
  log: Log,
  onQuery?: (statement: string) => void,
): Promise<Database> {
  const options = { url: config.databaseUrl, dataDir: config.dataDir, ...(onQuery && { onQuery }) };
  const database = await openDatabase(options);
  try {
    if (!config.migrateOnStart) {
      await requireMigrated(database.sql);
      return database;
    }
    const applied = await migrate(database.sql);
    if (applied.length > 0) log.info({ migrations: applied }, 'database schema brought up to date');
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
