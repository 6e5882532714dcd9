/**
 * Backup of everything that the embedded database's server keeps: the database, the files (assets, videos), and the key
 * that opens the credentials of stores and sheets.
 * In: where these are. Out: one gzipped tar file with a manifest.
 * Invariant: nothing of a backup is in place before all of it was read and checked; a failure leaves things as they were.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Fault } from '../../errors.ts';
import { fillFolder, inspectFolder, openFolder, removeDrafts } from '../database/embedded/embedded.ts';
import { lockFolder } from '../database/embedded/folder-lock.ts';
import { startPglite } from '../database/embedded/start-pglite.ts';
import { type Manifest, type Packed, readArchive, writeArchive } from './archive.ts';

export type Kept = {
  readonly dataDir: string;
  /** Folder of the blobs. */
  readonly blobsDir: string;
};

const DATABASE = 'database.tar.gz';
const KEY = 'encryption.key';
const BLOBS = 'files/';
/** As the folder of the blobs names them; drafts have `~~`. */
const BLOB = /^[0-9a-f]{2}\/[a-z0-9_-][a-z0-9_.~-]*$/;

/**
 * Saves everything to one file and replaces an existing one. The database is held in memory, the files are streamed.
 * @throws Fault unavailable.database_locked when a process has the database open, not_found.database when there is none
 */
export async function saveBackup(
  { dataDir, blobsDir }: Kept,
  file: string,
  { withKey, now }: { readonly withKey: boolean; readonly now: Date },
): Promise<Manifest> {
  const folder = resolve(dataDir, 'database');
  if ((await inspectFolder(folder)) !== 'database') throw new Fault('not_found.database', { folder });
  return locked(folder, async () => {
    const session = await openFolder(folder);
    const dump = await session.dump().finally(() => session.close());
    return writeArchive(resolve(file), everything(dump), now);
  });

  async function* everything(dump: Blob): AsyncGenerator<Packed> {
    yield { path: DATABASE, bytes: dump.size, read: () => Readable.fromWeb(dump.stream()) };
    const key = withKey ? await readFile(keyFile(dataDir)).catch(undefinedIfMissing) : undefined;
    if (key) yield { path: KEY, bytes: key.length, read: () => Readable.from([key]) };
    yield* blobsOf(blobsDir);
  }
}

async function* blobsOf(folder: string): AsyncGenerator<Packed> {
  const names = (await readdir(folder, { recursive: true }).catch(undefinedIfMissing)) ?? [];
  for (const name of names.sort()) {
    if (!BLOB.test(name) || name.includes('~~')) continue;
    const path = join(folder, name);
    const about = await stat(path).catch(undefinedIfMissing);
    if (about?.isFile()) yield { path: BLOBS + name, bytes: about.size, read: () => createReadStream(path) };
  }
}

/** Reads a backup to its end and says what it holds. @throws Fault internal.backup_unreadable */
export async function verifyBackup(file: string): Promise<Manifest> {
  return readable(file, async (_path, content) => {
    for await (const _chunk of content);
  });
}

/**
 * Puts a backup in place. What is there is never replaced: the database must not exist, and a key must be the same.
 * @throws Fault conflict.database_exists, conflict.backup_key, internal.backup_unreadable
 */
export async function restoreBackup({ dataDir, blobsDir }: Kept, file: string): Promise<Manifest> {
  const folder = resolve(dataDir, 'database');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  return locked(folder, async () => {
    if ((await inspectFolder(folder)) !== 'none') throw new Fault('conflict.database_exists', { folder });
    await removeDrafts(folder);
    const blobs = resolve(blobsDir);
    await mkdir(dirname(blobs), { recursive: true, mode: 0o700 });
    // Beside the files, so that putting them in place is a rename.
    const staging = await mkdtemp(`${blobs}-restoring-`);
    const placed: string[] = [];
    try {
      const manifest = await unpack(file, staging);
      await requireSameKey(dataDir, staging);
      await fillFolder(folder, async (draft) => {
        await loadDump(draft, join(staging, DATABASE), file);
        await placeKey(dataDir, staging, placed);
        await moveBlobs(join(staging, BLOBS), blobs, placed);
      });
      return manifest;
    } catch (error) {
      for (const path of placed) await rm(path, { force: true });
      throw error;
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  });
}

async function unpack(file: string, staging: string): Promise<Manifest> {
  return readable(file, async (path, content) => {
    const isKnown = path === DATABASE || path === KEY || isBlob(path);
    if (!isKnown) throw new Error(`it holds ${JSON.stringify(path.slice(0, 100))}`);
    const target = join(staging, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await pipeline(content, createWriteStream(target, { mode: 0o600, flush: true }));
  });
}

function isBlob(path: string): boolean {
  return path.startsWith(BLOBS) && BLOB.test(path.slice(BLOBS.length));
}

async function readable(file: string, take: Parameters<typeof readArchive>[1]): Promise<Manifest> {
  try {
    return await readArchive(file, take);
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function loadDump(draft: string, dump: string, file: string): Promise<void> {
  try {
    const session = await startPglite(draft, new Blob([await readFile(dump)]));
    await session.close();
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** A file that is there already stays: its name is never given to another content. */
async function moveBlobs(from: string, to: string, placed: string[]): Promise<void> {
  const names = (await readdir(from, { recursive: true }).catch(undefinedIfMissing)) ?? [];
  for (const name of names.filter((one) => BLOB.test(one))) {
    const place = join(to, name);
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    if (await stat(place).catch(undefinedIfMissing)) continue;
    await rename(join(from, name), place);
    placed.push(place);
  }
}

async function requireSameKey(dataDir: string, staging: string): Promise<void> {
  const place = keyFile(dataDir);
  const [saved, present] = await Promise.all(
    [join(staging, KEY), place].map((path) => readFile(path).catch(undefinedIfMissing)),
  );
  if (saved && present && !saved.equals(present)) throw new Fault('conflict.backup_key', { file: place });
}

async function placeKey(dataDir: string, staging: string, placed: string[]): Promise<void> {
  const place = keyFile(dataDir);
  const draft = `${place}.${randomUUID()}`;
  const saved = await readFile(join(staging, KEY)).catch(undefinedIfMissing);
  if (!saved || (await stat(place).catch(undefinedIfMissing))) return;
  try {
    await pipeline(Readable.from([saved]), createWriteStream(draft, { mode: 0o600, flush: true }));
    await rename(draft, place);
    placed.push(place);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Beside the data folder: see secret-box-key.ts. */
function keyFile(dataDir: string): string {
  return `${resolve(dataDir)}.key`;
}

function unreadable(file: string, error: unknown): Fault {
  if (error instanceof Fault) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new Fault('internal.backup_unreadable', { file, reason }, { cause: error });
}

async function locked<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = await lockFolder(folder);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
