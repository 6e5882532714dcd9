import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, rename, rm, rmdir, statfs } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Duplex } from 'node:stream';
import { Fault } from '../../../errors.ts';
import { type BridgeLimits, createBridge } from './bridge.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { type PgliteSession, startPglite } from './pglite.ts';

/** Five seconds: a statement keeps the whole process waiting. */
const LIMITS: BridgeLimits = { lockTimeoutMs: 10_000, idleTimeoutMs: 15_000, statementTimeoutMs: 5_000 };

const LOG_FILE_BYTES = 16 * 1024 * 1024;

export type Embedded = {
  /** A new connection, spoken to like a TCP connection to PostgreSQL. Rejects when a crashed engine cannot be opened anew. */
  socket(): Promise<Duplex>;
  close(): Promise<void>;
};

/**
 * Opens the database in `dataDir/database`, which is made if it is not there. A crash of the engine ends its
 * connections; the next one opens the database anew, as after the crash of a server.
 * Throws Fault `unavailable.database_locked` when a process has it open, `internal.database_unreadable` when it is damaged.
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
    async socket() {
      if (current.bridge.stopped) {
        reopening ??= reopen().finally(() => {
          reopening = undefined;
        });
        await reopening;
      }
      return current.bridge.socket();
    },
    async close() {
      await reopening?.catch(() => {});
      await current.bridge.close();
      try {
        await current.engine.close();
      } finally {
        await lock.release();
      }
    },
  };

  async function open() {
    const engine = await openFolder(folder);
    return { engine, bridge: createBridge(engine, limits) };
  }

  async function reopen(): Promise<void> {
    await current.engine.close().catch(() => {});
    current = await open();
  }
}

/** Opens the database of a folder, which the caller has locked. */
export async function openFolder(folder: string): Promise<PgliteSession> {
  await removeDrafts(folder);
  const found = await inspectFolder(folder);
  if (found === 'something else') throw unreadableFault(folder, 'it has no PG_VERSION');
  try {
    if (found === 'none') await fillFolder(folder, createDatabase);
    return await startPglite(folder);
  } catch (error) {
    if (isNoSpaceError(error) || (await isDiskFull(folder))) {
      throw new Fault('unavailable.database_full', {}, { retryAfterSeconds: 60, cause: error });
    }
    throw unreadableFault(folder, error instanceof Error ? error.message : JSON.stringify(error), error);
  }
}

async function createDatabase(draft: string): Promise<void> {
  const engine = await startPglite(draft);
  await engine.close();
}

/** How PGlite's file system fails: no Error, with the number that WebAssembly has for ENOSPC. */
function isNoSpaceError(error: unknown): boolean {
  return error instanceof Object && 'errno' in error && error.errno === 51;
}

/** PGlite does not say why it cannot start. It needs room for a new file of its log. */
async function isDiskFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(dirname(folder));
  return bavail * bsize < LOG_FILE_BYTES;
}

function unreadableFault(folder: string, reason: string, cause?: unknown): Fault {
  return new Fault('internal.database_unreadable', { folder, reason }, { cause });
}

export type FolderContent = 'none' | 'database' | 'something else';

/** What is at the place of the database. */
export async function inspectFolder(folder: string): Promise<FolderContent> {
  const names: string[] = await readdir(folder).catch(() => []);
  if (names.includes('PG_VERSION')) return 'database';
  return names.length === 0 ? 'none' : 'something else';
}

/**
 * Has `fill` make the database in a folder beside and puts it in its place whole,
 * so that a process killed on the way leaves no half database. The caller holds the folder's lock.
 */
export async function fillFolder(folder: string, fill: (draft: string) => Promise<void>): Promise<void> {
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

/** Removes what killed processes left of a beginning. The caller holds the folder's lock, so no other is making one. */
export async function removeDrafts(folder: string): Promise<void> {
  const start = `${basename(folder)}.tmp-`;
  const drafts = (await readdir(dirname(folder))).filter((name) => name.startsWith(start));
  await Promise.all(drafts.map((name) => rm(join(dirname(folder), name), { recursive: true, force: true })));
}
