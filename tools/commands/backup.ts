import { readConfig } from '../../src/config.ts';
import { backupDatabase, restoreDatabase } from '../../src/platform/database/embedded/backup.ts';
import { command, UsageError } from './command.ts';

const USAGE = `Saves the embedded database to a file, or restores it. Stop the server first.
Files created for download are not included: they expire after a day, and the same call creates them again.
With PostgreSQL, use pg_dump and pg_restore.

  npm run backup -- save FILE.tar.gz
  npm run backup -- restore FILE.tar.gz`;

await command(USAGE, async () => {
  const [verb, file, ...rest] = process.argv.slice(2);
  if (!file || rest.length > 0) throw new UsageError('Choose save or restore, and one file.');
  const { databaseUrl, dataDir } = readConfig();
  if (databaseUrl)
    throw new UsageError('DATABASE_URL is set. Back up PostgreSQL with pg_dump and pg_restore.');
  switch (verb) {
    case 'save':
      await backupDatabase(dataDir, file);
      return `Saved ${dataDir} to ${file}.`;
    case 'restore':
      await restoreDatabase(dataDir, file);
      return `Restored ${dataDir} from ${file}.`;
    default:
      throw new UsageError(`Unknown command '${verb}'. Valid commands: save, restore.`);
  }
});
