import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Fault } from '../../../errors.ts';
import { fillFolder, inspectFolder, openFolder, removeDrafts } from './embedded.ts';
import { lockFolder } from './folder-lock.ts';
import { startPglite } from './pglite.ts';

/**
 * Writes the embedded database of `dataDir` into a gzipped tar file, whole or not at all; a file of that name is
 * replaced. The database passes through memory. Throws Fault `unavailable.database_locked` when a process has it
 * open, `not_found.database` when there is none.
 */
export async function backupDatabase(dataDir: string, file: string): Promise<void> {
  const folder = resolve(dataDir, 'database');
  if ((await inspectFolder(folder)) !== 'database') throw new Fault('not_found.database', { folder });
  await locked(folder, async () => {
    const engine = await openFolder(folder);
    const dump = await engine.dump().finally(() => engine.close());
    await writeWhole(resolve(file), dump);
  });
}

/**
 * Makes the embedded database of `dataDir` from a file of `backupDatabase`. Throws Fault `conflict.database_exists`
 * when there is one, `internal.backup_unreadable` when the file is no backup; nothing is left of it then.
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
    // PGlite must not see another file: it fails on one where nobody can catch it.
    if (tar.toString('latin1', 257, 262) !== 'ustar') throw new Error('it holds no tar file');
    const engine = await startPglite(draft, new Blob([tar]));
    await engine.close();
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

/** A backup is for the day the machine breaks, so it is on the disk before it has its name. */
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
