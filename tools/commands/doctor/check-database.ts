import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../../../src/config.ts';
import { Fault } from '../../../src/errors.ts';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import { databaseTime } from '../../../src/platform/database/database-clock.ts';
import { requireMigrated } from '../../../src/platform/database/migrations.ts';
import { createSecretBox } from '../../../src/platform/secret-box.ts';
import { secretBoxKey } from '../../../src/platform/secret-box-key.ts';
import { askHolder } from '../road/command-ask.ts';
import { broken, type Finding, Findings, hint, ok, reasonOf, skipped } from './finding.ts';

/** The server goes by the database's time, but providers reject requests with a wrong one. */
const MAX_SKEW_MS = 2_000;

/** Checks that need the database. */
export const WITHOUT_DATABASE = ['schema', 'clock', 'secrets'];

/** The database, its schema, the clock beside the database's, and whether the key opens what it sealed. `now` is this machine's clock. */
export async function checkDatabase(config: Config, now: () => number = Date.now): Promise<Finding[]> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === undefined && !existsSync(resolve(dataDir, 'database'))) {
    const first = ok('database', `embedded; the first start creates it in ${dataDir}`);
    return [first, ...WITHOUT_DATABASE.map((check) => skipped(check, 'There is no database yet.'))];
  }
  const start = performance.now();
  let database: Database;
  try {
    database = await openDatabase({ url: databaseUrl, dataDir });
  } catch (error) {
    return (isLocked(error) && (await askServer(config))) || unopened(error, config);
  }
  try {
    const ms = Math.round(performance.now() - start);
    return await checkOpen(database, config, { how: `opened in ${ms} ms`, now });
  } finally {
    await database.close();
  }
}

/** The findings about a database that is open. `how`: by whom, or how fast. */
export async function checkOpen(
  database: Database,
  config: Config,
  { how, now = Date.now }: { readonly how: string; readonly now?: () => number },
): Promise<Finding[]> {
  const [row] = await database.sql<
    { version: string }[]
  >`select current_setting('server_version') as version`;
  return [
    ok('database', `${database.engine}, version ${row?.version}, ${how}`),
    await checkSchema(database, config),
    await checkClock(database, now),
    await checkSecrets(database, config),
  ];
}

/** The findings of the process that has the embedded database open; undefined when it takes no commands of this user. */
async function askServer({ dataDir }: Config): Promise<Finding[] | undefined> {
  const outcome = await askHolder(dataDir, 'doctor-database', []);
  return outcome?.done ? Findings.parse(JSON.parse(outcome.said)) : undefined;
}

function isLocked(error: unknown): error is Fault {
  return error instanceof Fault && error.key.startsWith('unavailable.database_locked');
}

function unopened(error: unknown, { databaseUrl, dataDir }: Config): Finding[] {
  const others = (reason: string) => WITHOUT_DATABASE.map((check) => skipped(check, reason));
  if (isLocked(error)) {
    const inUse = `embedded, in use by process ${error.params['pid']}: check it with GET /ready`;
    return [ok('database', inUse), ...others('The running server has the database open.')];
  }
  const advice =
    databaseUrl === undefined
      ? `Make ${dataDir} writable for the user that runs the server, or restore it from your backup.`
      : 'Check that the server in DATABASE_URL is running, and that user and password are right.';
  return [broken('database', reasonOf(error), advice), ...others('The database could not be opened.')];
}

async function checkSchema({ sql }: Database, { migrateOnStart }: Config): Promise<Finding> {
  try {
    await requireMigrated(sql);
    return ok('schema', 'up to date');
  } catch (error) {
    const isPending = error instanceof Fault && error.key === 'internal.migration_pending';
    if (isPending && migrateOnStart) return ok('schema', 'behind; the next start brings it up to date');
    const advice = isPending
      ? 'Run npm run migrate.'
      : 'Start the release that created this schema, or a newer one.';
    return broken('schema', reasonOf(error), advice);
  }
}

async function checkClock({ sql }: Database, now: () => number): Promise<Finding> {
  const before = now();
  const time = await databaseTime(sql);
  const skew = Math.round((before + now()) / 2 - time);
  if (Math.abs(skew) <= MAX_SKEW_MS) return ok('clock', `${Math.abs(skew)} ms from the database's`);
  return broken(
    'clock',
    `${Math.round(Math.abs(skew) / 1000)} seconds ${skew > 0 ? 'ahead of' : 'behind'} the database's`,
    'Turn on NTP on both machines.',
  );
}

/** Whether the key is there, and opens the newest credential of a store. Makes no key. */
async function checkSecrets({ sql, engine }: Database, config: Config): Promise<Finding> {
  const { encryptionKey, dataDir } = config;
  const file = `${resolve(dataDir)}.key`;
  const [table] = await sql<{ at: string | null }[]>`select to_regclass('sync_stores')::text as at`;
  const [sealed] = table?.at
    ? await sql<{ id: string; credentials: string }[]>`
        select id, credentials from sync_stores order by seq desc limit 1`
    : [];
  if (!encryptionKey && engine === 'postgres' && !sealed)
    return hint('secrets', 'ENCRYPTION_KEY is not set.', 'Set it before you connect stores or sheets.');
  if (!encryptionKey && engine === 'embedded' && !existsSync(file)) {
    if (!sealed) return ok('secrets', `the first connection creates the key, in ${file}`);
    return broken(
      'secrets',
      `${file} is missing.`,
      'Restore it from your backup, or connect the stores and sheets again.',
    );
  }
  try {
    const key = secretBoxKey({ encryptionKey, engine, dataDir });
    await key();
    if (!sealed) return ok('secrets', 'the key exists; no credentials are stored yet');
    const place = { table: 'sync_stores', row: sealed.id, column: 'credentials' };
    await createSecretBox({ key }).open(sealed.credentials, place);
    return ok('secrets', 'the key decrypts the stored credentials');
  } catch (error) {
    return broken('secrets', reasonOf(error), 'Set the key that this database was used with.');
  }
}
