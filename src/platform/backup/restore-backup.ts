/**
 * Puts a backup in place, on either engine.
 * In: a file that `saveBackup` wrote, and where a server is to keep what it has. Out: the database, files and key.
 * Invariant: nothing is changed before the whole file was read and checked, and nothing that is there is replaced. The rows
 * are read again and compared with the manifest before they count; a failure, or a killed process, leaves no rows. Files and
 * key are only removed again while it is certain that there are no rows.
 */
import { rename, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Fault } from '../../errors.ts';
import { type Database, openDatabase, type Tx } from '../database/database.ts';
import { databaseFault } from '../database/database-fault.ts';
import { inspectFolder } from '../database/embedded/embedded.ts';
import { lockFolder } from '../database/embedded/folder-lock.ts';
import { migrateNew, migrateWithin } from '../database/migrations.ts';
import type { Log } from '../log.ts';
import { createQueue, type Queue } from '../queue/queue.ts';
import { type Manifest, readArchive } from './archive.ts';
import { withEmbedded } from './embedded-copy.ts';
import type { Kept, Progress } from './kept.ts';
import { loadDatabase, requireEmpty } from './load-database.ts';
import { parsePath } from './paths.ts';
import { createPlacing, type Placing, requireKey } from './placing.ts';
import { inWorkspace } from './workspace.ts';

type RestoreOptions<T> = {
  readonly log: Log;
  /**
   * Stops the work that must not continue after a restore, in the transaction that loaded the rows, with the
   * schema up to date.
   */
  readonly settle: (tx: Tx) => Promise<T>;
  readonly progress?: Progress;
  /** Of the migrations. Default: the product's. */
  readonly migrations?: string;
};

/** Reads a backup to its end and returns its manifest. @throws Fault internal.backup_unreadable */
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

export type Restored<T> = { readonly manifest: Manifest; readonly settled: T };

/**
 * Restores a backup into an empty place.
 * @throws Fault conflict.database_exists and .database_used, conflict.backup_key and .backup_setting_key,
 * conflict.backup_running, internal.backup_unreadable, internal.migration_unknown, unavailable.backup_commit
 */
export async function restoreBackup<T>(
  kept: Kept,
  file: string,
  { progress = () => {}, ...options }: RestoreOptions<T>,
): Promise<Restored<T>> {
  return inWorkspace({ dataDir: kept.dataDir, file }, async (workspace) => {
    const placing = createPlacing(kept, workspace);
    const check = async () => {
      const manifest = await verifyBackup(file, progress);
      await requireKey(kept, manifest.key);
      return manifest;
    };
    const { databaseUrl: url, dataDir } = kept;
    const load = (database: Database, manifest: Manifest) =>
      fillDatabase(database, file, manifest, { ...options, placing, progress });
    try {
      return url === undefined
        ? await fillFolder(dataDir, workspace, check, load)
        : await fillServer({ url, dataDir, log: options.log }, check, load);
    } catch (error) {
      await placing.undo();
      throw error;
    }
  });
}

type Check = () => Promise<Manifest>;
type Load<T> = (database: Database, manifest: Manifest) => Promise<T>;

/** The embedded database is created in another folder, and moved to its place once it is complete. */
async function fillFolder<T>(
  dataDir: string,
  workspace: string,
  check: Check,
  load: Load<T>,
): Promise<Restored<T>> {
  const folder = resolve(dataDir, 'database');
  const lock = await lockFolder(folder);
  try {
    if ((await inspectFolder(folder)) !== 'none') throw new Fault('conflict.database_exists', { folder });
    const manifest = await check();
    const settled = await withEmbedded(workspace, (database) => load(database, manifest));
    await rmdir(folder).catch(() => {});
    await rename(join(workspace, 'database'), folder);
    return { manifest, settled };
  } finally {
    await lock.release();
  }
}

async function fillServer<T>(
  { url, dataDir, log }: { readonly url: string; readonly dataDir: string; readonly log: Log },
  check: Check,
  load: Load<T>,
): Promise<Restored<T>> {
  const database = await openDatabase({ url, dataDir, connections: 4 });
  try {
    await requireEmpty(database.sql);
    const manifest = await check();
    return { manifest, settled: await load(database, manifest) };
  } finally {
    await closed(database.close(), log);
  }
}

type FillDeps<T> = RestoreOptions<T> & { readonly placing: Placing; readonly progress: Progress };

async function fillDatabase<T>(
  database: Database,
  file: string,
  manifest: Manifest,
  { placing, log, progress, settle, migrations }: FillDeps<T>,
): Promise<T> {
  const queue = createQueue({ database, log });
  const commit = { sent: false };
  try {
    await openQueues(queue, manifest);
    const { settled } = await readable(file, () =>
      database.sql.begin(async (tx) => {
        await migrateNew(tx, manifest.schema, migrations);
        await loadDatabase(tx, file, manifest, { queue, placing, progress });
        await migrateWithin(tx, migrations);
        const settled = await settle(tx);
        // The embedded database counts once it has its place.
        if (database.engine === 'postgres') placing.keep();
        commit.sent = database.engine === 'postgres';
        return { settled };
      }),
    );
    return settled;
  } catch (cause) {
    if (!commit.sent || !databaseFault(cause)) throw cause;
    throw new Fault('unavailable.backup_commit', {}, { cause });
  } finally {
    await closed(queue.close(), log);
  }
}

/** A failure after the commit does not undo the rows. */
async function closed(closing: Promise<void>, log: Log): Promise<void> {
  await closing.catch((error: unknown) => log.warn({ err: error }, 'a connection was not closed in order'));
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
