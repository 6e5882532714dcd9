/**
 * Puts a backup in place, on either engine.
 * In: a file that `saveBackup` wrote, and where a server is to keep what it has. Out: the database, files and key.
 * Invariant: nothing is changed before the whole file was read and checked, and nothing that is there is replaced. The rows
 * are read again and compared with the manifest before they count; a failure, or a killed process, leaves no rows.
 */
import { rename, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Fault } from '../../errors.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { databaseFault } from '../database/database-fault.ts';
import { inspectFolder } from '../database/embedded/embedded.ts';
import { lockFolder } from '../database/embedded/folder-lock.ts';
import { migrate, migrateNew } from '../database/migrations.ts';
import type { Log } from '../log.ts';
import { createQueue, type Queue } from '../queue/queue.ts';
import { type Manifest, readArchive } from './archive.ts';
import { withEmbedded } from './embedded-copy.ts';
import type { Kept, Progress } from './kept.ts';
import { loadDatabase, requireEmpty } from './load-database.ts';
import { parsePath } from './paths.ts';
import { createPlacing, type Placing, requireKey } from './placing.ts';
import { inWorkspace } from './workspace.ts';

type RestoreOptions = { readonly log: Log; readonly progress?: Progress };

/** Reads a backup to its end and says what it holds. @throws Fault internal.backup_unreadable */
export async function verifyBackup(file: string, progress: Progress = () => {}): Promise<Manifest> {
  let bytes = 0;
  return readable(file, () =>
    readArchive(file, async (path, content) => {
      parsePath(path);
      for await (const chunk of content) bytes += chunk.length;
      progress('MB checked', Math.floor(bytes / 1e6));
    }),
  );
}

/**
 * Restores a backup into an empty place.
 * @throws Fault conflict.database_exists and .database_used, conflict.backup_key and .backup_setting_key,
 * conflict.backup_running, internal.backup_unreadable, internal.migration_unknown
 */
export async function restoreBackup(
  kept: Kept,
  file: string,
  { log, progress = () => {} }: RestoreOptions,
): Promise<Manifest> {
  return inWorkspace(kept.dataDir, async (workspace) => {
    const placing = createPlacing(kept, workspace);
    const check = async () => {
      const manifest = await verifyBackup(file, progress);
      await requireKey(kept, manifest.key);
      return manifest;
    };
    const load = (database: Database, manifest: Manifest) =>
      fillDatabase(database, file, manifest, { placing, log, progress });
    try {
      return kept.databaseUrl === undefined
        ? await fillFolder(kept.dataDir, workspace, check, load)
        : await fillServer(kept.databaseUrl, kept.dataDir, check, load);
    } catch (error) {
      await placing.undo();
      throw error;
    }
  });
}

type Check = () => Promise<Manifest>;
type Load = (database: Database, manifest: Manifest) => Promise<void>;

/** The embedded database is made apart, and has its place once it is whole. */
async function fillFolder(dataDir: string, workspace: string, check: Check, load: Load): Promise<Manifest> {
  const folder = resolve(dataDir, 'database');
  const lock = await lockFolder(folder);
  try {
    if ((await inspectFolder(folder)) !== 'none') throw new Fault('conflict.database_exists', { folder });
    const manifest = await check();
    await withEmbedded(workspace, (database) => load(database, manifest));
    await rmdir(folder).catch(() => {});
    await rename(join(workspace, 'database'), folder);
    return manifest;
  } finally {
    await lock.release();
  }
}

async function fillServer(url: string, dataDir: string, check: Check, load: Load): Promise<Manifest> {
  const database = await openDatabase({ url, dataDir, connections: 4 });
  try {
    await requireEmpty(database.sql);
    const manifest = await check();
    await load(database, manifest);
    return manifest;
  } finally {
    await database.close();
  }
}

type FillDeps = { readonly placing: Placing; readonly log: Log; readonly progress: Progress };

async function fillDatabase(
  database: Database,
  file: string,
  manifest: Manifest,
  { placing, log, progress }: FillDeps,
): Promise<void> {
  const { sql } = database;
  const queue = createQueue({ database, log });
  try {
    await openQueues(queue, manifest);
    await readable(file, () =>
      sql.begin(async (tx) => {
        await migrateNew(tx, manifest.schema);
        await loadDatabase(tx, file, manifest, { queue, placing, progress });
      }),
    );
    await migrate(sql);
  } finally {
    await queue.close();
  }
}

/** A queue is open before the transaction that adds to it. */
async function openQueues(queue: Queue, { queues }: Manifest): Promise<void> {
  for (const name of queues) await queue.open(name);
}

async function readable<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const fault = error instanceof Fault ? error : databaseFault(error);
    if (fault) throw fault;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Fault('internal.backup_unreadable', { file, reason }, { cause: error });
  }
}
