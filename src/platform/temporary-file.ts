import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { machineFault } from './machine-fault.ts';
import { makeProcessFolder } from './process-folder.ts';

/**
 * Runs `work` with the path of a file that no one else can reach, and removes the file when the work ends.
 * @throws Fault unavailable.files_full, unavailable.files_busy
 */
export async function withTemporaryFile<Result>(work: (path: string) => Promise<Result>): Promise<Result> {
  const folder = await makeProcessFolder('file').catch((error: unknown) => {
    throw machineFault(error) ?? error;
  });
  try {
    return await work(join(folder, 'file'));
  } catch (error) {
    throw machineFault(error) ?? error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
