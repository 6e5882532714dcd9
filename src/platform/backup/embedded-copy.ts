/**
 * A copy of the embedded database as it is at one moment, while the process that has it open keeps running.
 * In: the data folder. Out: the database of the copy, open in this process.
 * Invariant: that process waits only for the copy of the files, and chooses the place itself.
 */
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import { connectEmbedded, type Database } from '../database/database.ts';
import { copyFolder, inspectFolder, openEmbedded } from '../database/embedded/embedded.ts';
import { lockFolder } from '../database/embedded/folder-lock.ts';
import { reachHolder } from '../shared-folder/reach-holder.ts';
import { workspaceOf } from './workspace.ts';

/** Asks the holder of the data folder for a copy. */
export const CopyAsk = z.object({ ask: z.literal('copy') });
type CopyAsk = z.infer<typeof CopyAsk>;

const CopyAnswer = z.discriminatedUnion('state', [
  z.object({ state: z.literal('copied') }),
  z.object({ state: z.literal('failed'), reason: z.string() }),
]);
export type CopyAnswer = z.infer<typeof CopyAnswer>;

const COPYING_MS = 600_000;
/**
 * The process with the folder's lock can be reached a little later, and a process that ends keeps the lock a
 * little longer.
 */
const TRIES = 25;
const PAUSE_MS = 200;

const DAY_MS = 86_400_000;
/** No one else has the copy. */
const PATIENT = { lockTimeoutMs: DAY_MS, idleTimeoutMs: DAY_MS, statementTimeoutMs: DAY_MS };

/** The holder's part: copies its database to where a backup looks for it. */
export async function answerCopy({ copyTo }: Database, dataDir: string): Promise<CopyAnswer> {
  try {
    await copyTo?.(join(workspaceOf(dataDir), 'database'));
    return { state: 'copied' };
  } catch (error) {
    return { state: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** @throws Fault not_found.database */
export async function requireDatabase(dataDir: string): Promise<void> {
  const folder = resolve(dataDir, 'database');
  if ((await inspectFolder(folder)) !== 'database') throw new Fault('not_found.database', { folder });
}

/**
 * Opens a copy of the database in the data folder.
 * @throws Fault unavailable.database_locked, unavailable.database_copy
 */
export async function withCopy<T>(
  dataDir: string,
  workspace: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  await copy(dataDir, resolve(dataDir, 'database'), join(workspace, 'database'));
  return withEmbedded(workspace, work);
}

/** Opens the embedded database in a folder that no other process uses; creates it if there is none. */
export async function withEmbedded<T>(folder: string, work: (database: Database) => Promise<T>): Promise<T> {
  const embedded = await openEmbedded(folder, PATIENT);
  try {
    const database = await connectEmbedded(embedded, { connections: 4 });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  } finally {
    await embedded.close();
  }
}

async function copy(dataDir: string, folder: string, target: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const reached = await reachHolder(dataDir, { ask: 'copy' } satisfies CopyAsk, COPYING_MS);
    reached?.socket.destroy();
    const answer = CopyAnswer.safeParse(reached?.answer).data;
    if (answer?.state === 'copied') return;
    if (answer?.state === 'failed') throw new Fault('unavailable.database_copy', { reason: answer.reason });
    try {
      const lock = await lockFolder(folder);
      return await copyFolder(folder, target).finally(lock.release);
    } catch (error) {
      const isLocked = error instanceof Fault && error.key.startsWith('unavailable.database_locked');
      if (!isLocked || tries === TRIES) throw error;
      await delay(PAUSE_MS);
    }
  }
}
