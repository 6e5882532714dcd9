import { mkdir, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Duplex } from 'node:stream';
import { Fault } from '../../../errors.ts';
import { type BridgeLimits, createBridge } from './bridge.ts';
import { fillFolder, lookAt, removeDrafts } from './data-folder.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { type PgliteEngine, startPglite } from './pglite.ts';

/** Five seconds: a statement keeps the whole process waiting. */
const LIMITS: BridgeLimits = { waitMs: 10_000, idleMs: 15_000, statementMs: 5_000 };

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
  let served = await open();
  let reopening: Promise<void> | undefined;
  return {
    async socket() {
      if (served.bridge.stopped) {
        reopening ??= reopen().finally(() => {
          reopening = undefined;
        });
        await reopening;
      }
      return served.bridge.socket();
    },
    async close() {
      await reopening?.catch(() => {});
      await served.bridge.close();
      try {
        await served.engine.close();
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
    await served.engine.close().catch(() => {});
    served = await open();
  }
}

/** Opens the database of a folder, which the caller has locked. */
export async function openFolder(folder: string): Promise<PgliteEngine> {
  await removeDrafts(folder);
  const found = await lookAt(folder);
  if (found === 'something else') throw unreadable(folder, 'it has no PG_VERSION');
  try {
    if (found === 'none') await fillFolder(folder, makeDatabase);
    return await startPglite(folder);
  } catch (error) {
    if (isNoSpace(error) || (await isFull(folder))) {
      throw new Fault('unavailable.database_full', {}, { retryAfterSeconds: 60, cause: error });
    }
    throw unreadable(folder, error instanceof Error ? error.message : JSON.stringify(error), error);
  }
}

async function makeDatabase(draft: string): Promise<void> {
  const engine = await startPglite(draft);
  await engine.close();
}

/** How PGlite's file system fails: no Error, with the number that WebAssembly has for ENOSPC. */
function isNoSpace(error: unknown): boolean {
  return error instanceof Object && 'errno' in error && error.errno === 51;
}

/** PGlite does not say why it cannot start. It needs room for a new file of its log. */
async function isFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(dirname(folder));
  return bavail * bsize < LOG_FILE_BYTES;
}

function unreadable(folder: string, reason: string, cause?: unknown): Fault {
  return new Fault('internal.database_unreadable', { folder, reason }, { cause });
}
