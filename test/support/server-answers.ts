import postgres from 'postgres';
import { testServer } from './database.ts';

// Entry: fails, with a sentence, where the PostgreSQL the tests are to run on does not answer.
if (!testServer)
  throw new Error('DATABASE_URL is not set: name a PostgreSQL server on which databases may be created.');
const sql = postgres(testServer, { max: 1, connect_timeout: 10 });
const [row] = await sql`select version() as version`;
process.stdout.write(`${row?.['version']}\n`);
await sql.end();
