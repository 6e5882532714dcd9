import { mkdir, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { Fault } from '../../errors.ts';
import { lockFolder } from '../database/embedded/folder-lock.ts';
import { removeAtExit } from './remove-at-exit.ts';

/** Name of a file in folders that a backup has made, and may therefore remove with everything in them. */
const MARK = 'made-by-backup';

/**
 * Gives `work` an empty folder in the data folder and removes it afterwards. One process has it at a time, and
 * removes the files of a killed one, but never a folder that no backup made. `file` is the backup, which must
 * not be in it.
 * @throws Fault conflict.backup_file_inside, conflict.backup_running, conflict.backup_folder
 */
export async function inWorkspace<T>(
  { dataDir, file }: { readonly dataDir: string; readonly file: string },
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = workspaceOf(dataDir);
  await requireOutside(folder, file);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(folder).catch((error: unknown) => {
    const isHeld = error instanceof Fault && error.key.startsWith('unavailable.database_locked');
    if (!isHeld) throw error;
    throw new Fault('conflict.backup_running', { pid: error.params['pid'] ?? 0 }, { cause: error });
  });
  try {
    await removeOwn(folder);
    await mkdir(folder, { mode: 0o700 });
    const forget = removeAtExit(folder);
    try {
      await writeFile(join(folder, MARK), '', { mode: 0o600 });
      return await work(folder);
    } finally {
      await removeOwn(folder);
      forget();
    }
  } finally {
    await lock.release();
  }
}

export function workspaceOf(dataDir: string): string {
  return join(resolve(dataDir), '.backup-work');
}

async function requireOutside(folder: string, file: string): Promise<void> {
  const [inside, own] = [await followed(resolve(file)), await followed(folder)];
  if (inside === own || inside.startsWith(own + sep))
    throw new Fault('conflict.backup_file_inside', { folder });
}

/** A path without links, as far as it exists. */
async function followed(path: string): Promise<string> {
  const found = await realpath(path).catch(() => undefined);
  if (found !== undefined || dirname(path) === path) return found ?? path;
  return join(await followed(dirname(path)), basename(path));
}

/** The mark is removed last: a folder that a killed process left still has it, or is empty. */
async function removeOwn(folder: string): Promise<void> {
  const names = await readdir(folder).catch(noneIfMissing);
  if (names.length > 0 && !names.includes(MARK)) throw new Fault('conflict.backup_folder', { folder });
  for (const name of names.filter((one) => one !== MARK))
    await rm(join(folder, name), { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}

function noneIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
