import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { migrate } from '../../src/platform/database/migrations.ts';
import { command } from './command.ts';

const USAGE = `Brings the database schema up to date.

  npm run migrate`;

await command(USAGE, async () => {
  const { databaseUrl, dataDir } = readConfig();
  const database = await openDatabase({ url: databaseUrl, dataDir });
  try {
    const applied = await migrate(database.sql);
    return applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The schema is up to date.';
  } finally {
    await database.close();
  }
});
