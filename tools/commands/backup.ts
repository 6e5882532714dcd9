import { readConfig } from '../../src/config.ts';
import { backupDatabase, restoreDatabase } from '../../src/platform/database/embedded/backup.ts';
import { command, UsageError } from './command.ts';

const USAGE = `Saves the embedded database to one file, or brings it back. Stop the server first.
Files made for download are left out: they last a day, and are made again by the same call.
On PostgreSQL use pg_dump and pg_restore.

  npm run backup -- save FILE.tar.gz
  npm run backup -- restore FILE.tar.gz`;

await command(USAGE, async () => {
  const [verb, file, ...rest] = process.argv.slice(2);
  if (!file || rest.length > 0) throw new UsageError('Say save or restore, and one file.');
  const { databaseUrl, dataDir } = readConfig();
  if (databaseUrl) throw new UsageError('DATABASE_URL is set, so the database is a PostgreSQL.');
  switch (verb) {
    case 'save':
      await backupDatabase(dataDir, file);
      return `Saved ${dataDir} to ${file}.`;
    case 'restore':
      await restoreDatabase(dataDir, file);
      return `Restored ${dataDir} from ${file}.`;
    default:
      throw new UsageError(`There is no command ${verb}.`);
  }
});
