import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Fault } from '../../errors.ts';
import { lockFolder } from '../database/embedded/folder-lock.ts';

/**
 * Gives `work` an empty folder in the data folder, which is gone afterwards. One process has it at a time, and removes what
 * a killed one left.
 * @throws Fault conflict.backup_running
 */
export async function inWorkspace<T>(dataDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = workspaceOf(dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(folder).catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error;
    throw new Fault('conflict.backup_running', { pid: error.params['pid'] ?? 0 }, { cause: error });
  });
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await lock.release();
  }
}

export function workspaceOf(dataDir: string): string {
  return join(resolve(dataDir), 'backup');
}
