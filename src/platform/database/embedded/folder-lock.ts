import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { Fault } from '../../../errors.ts';
import { ownIdentity, ProcessIdentity, processState } from './process-identity.ts';

export type FolderLock = { release(): Promise<void> };

type LockTiming = {
  /** How often the holder updates its lock file. */
  readonly heartbeatMs: number;
  /** How long to watch for an update when the holder is on another machine or in another container. */
  readonly watchMs: number;
};

const LockNote = ProcessIdentity.extend({ held: z.boolean() });
type LockNote = z.infer<typeof LockNote>;

/** A busy event loop may delay the holder's heartbeat. */
const DEFAULT_TIMING: LockTiming = { heartbeatMs: 2_000, watchMs: 10_000 };

/**
 * Ensures that one process at a time has the folder open, with lock files `<folder>.lock.<n>` beside it.
 *
 * Each holder creates the file with the next number, which only one process can; the highest number counts. The file
 * remains, marked free on release or stale after a kill; the next holder goes one higher and deletes lower ones.
 * So no process ever deletes a lock that another may just have taken.
 *
 * Throws Fault `unavailable.database_locked` when a living process holds the folder, `internal.data_of_another_user` when this user
 * may not read or write the lock files.
 */
export async function lockFolder(folder: string, timing: LockTiming = DEFAULT_TIMING): Promise<FolderLock> {
  try {
    return await takeLock(folder, timing);
  } catch (cause) {
    if (codeOf(cause) !== 'EACCES' && codeOf(cause) !== 'EPERM') throw cause;
    throw new Fault('internal.data_of_another_user', { folder: dirname(folder) }, { cause });
  }
}

async function takeLock(folder: string, timing: LockTiming): Promise<FolderLock> {
  const note = { ...(await ownIdentity()), held: true };
  for (;;) {
    const last = await lastNumber(folder);
    if (last > 0) await assertNotHeld(folder, last, timing);
    if (await createLockFile(folder, last + 1, note)) return keepLock(folder, last + 1, note, timing);
  }
}

async function keepLock(
  folder: string,
  number: number,
  note: LockNote,
  pace: LockTiming,
): Promise<FolderLock> {
  for (const lower of await numbers(folder)) {
    if (lower < number) await rm(lockFile(folder, lower), { force: true });
  }
  const file = lockFile(folder, number);
  const beat = setInterval(() => {
    const now = new Date();
    // A single missed heartbeat is harmless.
    utimes(file, now, now).catch(() => {});
  }, pace.heartbeatMs).unref();
  return {
    async release() {
      clearInterval(beat);
      // If this fails, the lock becomes stale when the process ends.
      await free(folder, file, note).catch(() => {});
    },
  };
}

async function free(folder: string, file: string, note: LockNote): Promise<void> {
  await rename(await writeDraft(folder, { ...note, held: false }), file);
}

/** Returns false when another process was first. */
async function createLockFile(folder: string, number: number, note: LockNote): Promise<boolean> {
  const draft = await writeDraft(folder, note);
  const file = lockFile(folder, number);
  try {
    // Unlike writing, linking creates the file atomically.
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  // If another process deleted this number concurrently, it may be created twice; then a higher one exists.
  if ((await lastNumber(folder)) === number) return true;
  await rm(file, { force: true });
  return false;
}

async function assertNotHeld(folder: string, number: number, pace: LockTiming): Promise<void> {
  const file = lockFile(folder, number);
  const note = await readNote(file);
  if (!note?.held) return;
  const state = await processState(note);
  const held = state === 'elsewhere' ? await hasHeartbeat(file, pace.watchMs) : state === 'running';
  if (!held) return;
  const key = state === 'elsewhere' ? 'unavailable.database_locked_elsewhere' : 'unavailable.database_locked';
  throw new Fault(key, { pid: note.pid, folder });
}

/** Whether the holder updates its file. Clocks of two machines may differ, so only a change counts. */
async function hasHeartbeat(file: string, watchMs: number): Promise<boolean> {
  const first = await modifiedAt(file);
  for (const end = Date.now() + watchMs; Date.now() < end; await delay(watchMs / 20)) {
    if ((await modifiedAt(file)) !== first) return true;
  }
  return false;
}

async function modifiedAt(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
}

/** Undefined when the file is missing or unreadable, as after a power cut. */
async function readNote(file: string): Promise<LockNote | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  });
  try {
    return LockNote.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

async function writeDraft(folder: string, note: LockNote): Promise<string> {
  const draft = `${folder}.lock-${randomUUID()}`;
  await writeFile(draft, JSON.stringify(note), { mode: 0o600 });
  return draft;
}

async function lastNumber(folder: string): Promise<number> {
  return Math.max(0, ...(await numbers(folder)));
}

async function numbers(folder: string): Promise<number[]> {
  const start = `${basename(folder)}.lock.`;
  const names = (await readdir(dirname(folder))).filter((name) => name.startsWith(start));
  return names.map((name) => Number(name.slice(start.length))).filter(Number.isSafeInteger);
}

function lockFile(folder: string, number: number): string {
  return join(dirname(folder), `${basename(folder)}.lock.${number}`);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
