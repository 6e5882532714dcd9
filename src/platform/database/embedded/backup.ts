import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Fault } from '../../../errors.ts';
import { fillFolder, inspectFolder, openFolder, removeDrafts } from './embedded.ts';
import { lockFolder } from './folder-lock.ts';
import { startPglite } from './start-pglite.ts';

/**
 * Writes the embedded database of `dataDir` to a gzipped tar file, atomically; replaces an existing file.
 * Holds the whole database in memory. Throws Fault `unavailable.database_locked` when a process has it open,
 * `not_found.database` when there is none.
 */
export async function backupDatabase(dataDir: string, file: string): Promise<void> {
  const folder = resolve(dataDir, 'database');
  if ((await inspectFolder(folder)) !== 'database') throw new Fault('not_found.database', { folder });
  await locked(folder, async () => {
    const session = await openFolder(folder);
    const dump = await session.dump().finally(() => session.close());
    await writeWhole(resolve(file), dump);
  });
}

/**
 * Creates the embedded database of `dataDir` from a file written by `backupDatabase`. Throws Fault
 * `conflict.database_exists` when there already is one, `internal.backup_unreadable` when the file is not a backup;
 * a failure leaves nothing behind.
 */
export async function restoreDatabase(dataDir: string, file: string): Promise<void> {
  const folder = resolve(dataDir, 'database');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await locked(folder, async () => {
    if ((await inspectFolder(folder)) !== 'none') throw new Fault('conflict.database_exists', { folder });
    await removeDrafts(folder);
    await fillFolder(folder, (draft) => unpack(draft, file));
  });
}

async function unpack(draft: string, file: string): Promise<void> {
  try {
    const tar = await promisify(gunzip)(await readFile(file));
    // On any other file PGlite throws where no one can catch it.
    if (tar.toString('latin1', 257, 262) !== 'ustar') throw new Error('it holds no tar file');
    const session = await startPglite(draft, new Blob([tar]));
    await session.close();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Fault('internal.backup_unreadable', { file, reason }, { cause: error });
  }
}

async function locked(folder: string, work: () => Promise<void>): Promise<void> {
  const lock = await lockFolder(folder);
  try {
    await work();
  } finally {
    await lock.release();
  }
}

/** Syncs the file to disk before renaming it, so a backup survives a crash of the machine. */
async function writeWhole(file: string, content: Blob): Promise<void> {
  const draft = `${file}.tmp-${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(content.stream());
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
