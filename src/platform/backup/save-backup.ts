/**
 * Saves everything that a server keeps to one file, while it runs: the database, the files, and the key that opens the
 * credentials of stores and sheets.
 * In: where these are. Out: one gzipped tar file, the same for both engines, with a manifest.
 * Invariant: the rows are those of one moment. Files that rows name at that moment are in the backup unless they were deleted
 * while it ran: those that were there before are saved before the rows, and those that came since, after them.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Fault } from '../../errors.ts';
import type { Blobs } from '../blobs/blobs.ts';
import { type Database, openDatabase, type Tx } from '../database/database.ts';
import { STORE_MARK } from '../nodes/nodes.ts';
import { readWaitingJobs } from '../queue/waiting-jobs.ts';
import { nameOfKey, nameOfSealer } from '../secret-box.ts';
import { keyFile, parseKey } from '../secret-box-key.ts';
import { type AddFile, type Manifest, writeArchive } from './archive.ts';
import { requireDatabase, withCopy } from './embedded-copy.ts';
import type { Kept, Progress } from './kept.ts';
import { FILES, KEY, QUEUE, SEQUENCES, tableChunk } from './paths.ts';
import { createRowSum } from './row-sum.ts';
import { findTables, prepareTransaction, readRows, readSequences, type Table } from './tables.ts';
import { inWorkspace } from './workspace.ts';

type SaveOptions = {
  readonly withKey: boolean;
  readonly now: Date;
  /** Some of the secrets that the server has sealed: they tell which key is the right one. */
  readonly sealed: (tx: Tx) => Promise<readonly string[]>;
  readonly progress?: Progress;
};

/**
 * Saves everything to one file and replaces an existing one.
 * @throws Fault not_found.database and .schema when there is none, conflict.backup_*, unavailable.*
 */
export async function saveBackup(
  kept: Kept,
  file: string,
  { withKey, now, sealed, progress = () => {} }: SaveOptions,
): Promise<Manifest> {
  const { databaseUrl, dataDir, blobs } = kept;
  if (databaseUrl === undefined) await requireDatabase(dataDir);
  return inWorkspace({ dataDir, file }, (workspace) =>
    writeArchive(resolve(file), now, async (add) => {
      const saved = new Set<string>();
      await addBlobs(blobs, saved, add, progress);
      const { sealers, ...rows } = await withDatabase(kept, workspace, ({ sql }) =>
        sql.begin('isolation level repeatable read read only', async (tx) => ({
          ...(await addDatabase(tx, add, progress)),
          sealers: (await sealed(tx)).flatMap((secret) => nameOfSealer(secret) ?? []),
        })),
      );
      await addBlobs(blobs, saved, add, progress);
      const engine = databaseUrl === undefined ? 'embedded' : 'postgres';
      return { engine, ...rows, key: await addKey(kept, { withKey, sealers }, add) };
    }),
  );
}

async function withDatabase<T>(
  { databaseUrl, dataDir }: Kept,
  workspace: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  if (databaseUrl === undefined) return withCopy(dataDir, workspace, work);
  const database = await openDatabase({ url: databaseUrl, dataDir, connections: 1 });
  return work(database).finally(database.close);
}

async function addDatabase(
  tx: Tx,
  add: AddFile,
  progress: Progress,
): Promise<Pick<Manifest, 'schema' | 'tables' | 'queues'>> {
  await prepareTransaction(tx);
  const schema = await lastMigration(tx);
  const tables: Manifest['tables'] = [];
  let count = 0;
  for (const table of await findTables(tx)) {
    tables.push(
      await addTable(tx, table, add, (rows) => {
        count += rows;
        progress('rows saved', count);
      }),
    );
  }
  await addJson(add, SEQUENCES, await readSequences(tx));
  const jobs = await readWaitingJobs(tx);
  await addJson(add, QUEUE, jobs);
  return { schema, tables, queues: [...new Set(jobs.map(({ queue }) => queue))] };
}

async function lastMigration(tx: Tx): Promise<number> {
  const [found] = await tx<{ at: string | null }[]>`select to_regclass('schema_migrations')::text as at`;
  const [row] = found?.at
    ? await tx<{ last: number | null }[]>`select max(version) as last from schema_migrations`
    : [];
  if (!row?.last) throw new Fault('not_found.schema');
  return row.last;
}

async function addTable(
  tx: Tx,
  { name, columns }: Table,
  add: AddFile,
  added: (rows: number) => void,
): Promise<Manifest['tables'][number]> {
  const sum = createRowSum();
  let chunk = 0;
  for await (const lines of readRows(tx, { name, columns })) {
    for (const line of lines) sum.add(line);
    const text = Buffer.from(`${lines.join('\n')}\n`);
    await add(tableChunk(name, ++chunk), text.length, text);
    added(lines.length);
  }
  return { name, columns: [...columns], ...sum.result() };
}

async function addJson(add: AddFile, path: string, value: unknown): Promise<void> {
  const text = Buffer.from(JSON.stringify(value));
  await add(path, text.length, text);
}

/** Adds the blobs that are not saved yet. A blob that is deleted before it is read is skipped. */
async function addBlobs(blobs: Blobs, saved: Set<string>, add: AddFile, progress: Progress): Promise<void> {
  for await (const key of blobs.list()) {
    // Says which store of files this is, and another one is another.
    if (key === STORE_MARK || saved.has(key)) continue;
    const blob = await blobs.open(key);
    if (!blob) continue;
    await add(FILES + key, blob.size, blob.stream);
    saved.add(key);
    progress('files saved', saved.size);
  }
}

/** The command may have other settings than the server: its key is only the right one if it has sealed something. */
async function addKey(
  { dataDir, encryptionKey }: Kept,
  { withKey, sealers }: { readonly withKey: boolean; readonly sealers: readonly string[] },
  add: AddFile,
): Promise<Manifest['key']> {
  const file = keyFile(dataDir);
  const text = encryptionKey ? undefined : await readFile(file).catch(undefinedIfMissing);
  const key = encryptionKey ? Buffer.from(encryptionKey) : text && parseKey(String(text), file);
  const [sealer] = sealers;
  const name = key && nameOfKey(key);
  if (sealer !== undefined && (name === undefined || !sealers.includes(name)))
    return { kept: 'elsewhere', name: sealer };
  if (name === undefined) return { kept: 'none' };
  if (!text) return { kept: 'setting', name };
  if (!withKey) return { kept: 'left out', name };
  await add(KEY, text.length, text);
  return { kept: 'here', name };
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
