import { randomUUID } from 'node:crypto';
import { chmod, constants, cp, mkdir, readdir, rename, rm, rmdir, statfs } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Duplex } from 'node:stream';
import { Fault } from '../../../errors.ts';
import { type BridgeLimits, createBridge } from './bridge.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { unpackNewDatabase } from './new-database/unpack.ts';
import { type PgliteSession, startPglite } from './start-pglite.ts';

/** Statements are limited to 5 s because all others wait for them. */
const LIMITS: BridgeLimits = {
  lockTimeoutMs: 10_000,
  idleTimeoutMs: 15_000,
  statementTimeoutMs: 5_000,
  patienceMs: 100,
};

/** Size of a write-ahead log file. */
const LOG_FILE_BYTES = 16 * 1024 * 1024;

export type Embedded = {
  /**
   * Opens a connection that speaks PostgreSQL's protocol; one in the background lets all others go first. Rejects when a
   * crashed database cannot be reopened.
   */
  socket(precedence?: 'background'): Promise<Duplex>;
  /**
   * Copies the database into a folder that does not exist, as it is at one moment. Others wait until it is
   * done, which takes almost no time on a file system that copies on write.
   */
  copyTo(folder: string): Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens the database in `dataDir/database`; creates it if it does not exist. A crash of PGlite ends its
 * connections; the next one reopens the database, as after the crash of a server.
 * Throws Fault `unavailable.database_locked` when another process has it open, `internal.database_unreadable` when
 * it is damaged.
 * In: a folder. Out: connections that speak PostgreSQL's protocol. Invariant: one process at a time has the folder
 * open.
 */
export async function openEmbedded(dataDir: string, limits: Partial<BridgeLimits> = {}): Promise<Embedded> {
  const folder = resolve(dataDir, 'database');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(folder);
  try {
    return await serveFolder(folder, lock, { ...LIMITS, ...limits });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function serveFolder(folder: string, lock: FolderLock, limits: BridgeLimits): Promise<Embedded> {
  let current = await open();
  let reopening: Promise<void> | undefined;
  return {
    async socket(precedence) {
      if (current.bridge.stopped) {
        reopening ??= reopen().finally(() => {
          reopening = undefined;
        });
        await reopening;
      }
      return current.bridge.socket(precedence);
    },
    copyTo: (copy) => current.bridge.still(() => copyFolder(folder, copy)),
    async close() {
      await reopening?.catch(() => {});
      await current.bridge.close();
      try {
        await current.session.close();
      } finally {
        await lock.release();
      }
    },
  };

  async function open() {
    const session = await openFolder(folder);
    return { session, bridge: createBridge(session, limits) };
  }

  async function reopen(): Promise<void> {
    await current.session.close().catch(() => {});
    current = await open();
  }
}

/** Copies the files of a database that is at rest. The copy has its name only once it is whole. */
export async function copyFolder(folder: string, copy: string): Promise<void> {
  await fillFolder(copy, (draft) => cp(folder, draft, { recursive: true, mode: constants.COPYFILE_FICLONE }));
}

/** Opens the database in a folder that the caller has locked; creates it if there is none. */
async function openFolder(folder: string): Promise<PgliteSession> {
  await removeDrafts(folder);
  const found = await inspectFolder(folder);
  if (found === 'something else') throw unreadableFault(folder, 'it has no PG_VERSION');
  try {
    if (found === 'none') await fillFolder(folder, unpackNewDatabase);
    return await startPglite(folder);
  } catch (error) {
    if (isNoSpaceError(error) || (await isDiskFull(folder))) {
      throw new Fault('unavailable.database_full', {}, { retryAfterSeconds: 60, cause: error });
    }
    throw unreadableFault(folder, error instanceof Error ? error.message : JSON.stringify(error), error);
  }
}

/** PGlite's file system does not throw an Error; 51 is WebAssembly's number for ENOSPC. */
function isNoSpaceError(error: unknown): boolean {
  return error instanceof Object && 'errno' in error && error.errno === 51;
}

/** PGlite does not report why it cannot start. It needs space for one log file. */
async function isDiskFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(dirname(folder));
  return bavail * bsize < LOG_FILE_BYTES;
}

function unreadableFault(folder: string, reason: string, cause?: unknown): Fault {
  return new Fault('internal.database_unreadable', { folder, reason }, { cause });
}

type FolderContent = 'none' | 'database' | 'something else';

/** Inspects the folder without changing it. */
export async function inspectFolder(folder: string): Promise<FolderContent> {
  const names: string[] = await readdir(folder).catch(() => []);
  if (names.includes('PG_VERSION')) return 'database';
  return names.length === 0 ? 'none' : 'something else';
}

/**
 * Creates the database in a temporary sibling folder and renames it into place, so a killed process leaves no partial
 * database. The caller holds the folder's lock.
 */
async function fillFolder(folder: string, fill: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${folder}.tmp-${randomUUID()}`;
  try {
    await fill(draft);
    await chmod(draft, 0o700);
    await rmdir(folder).catch(() => {});
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Removes temporary folders of killed processes. The caller holds the folder's lock, so none is in use. */
async function removeDrafts(folder: string): Promise<void> {
  const start = `${basename(folder)}.tmp-`;
  const drafts = (await readdir(dirname(folder))).filter((name) => name.startsWith(start));
  await Promise.all(drafts.map((name) => rm(join(dirname(folder), name), { recursive: true, force: true })));
}
