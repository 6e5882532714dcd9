import { hash, randomUUID } from 'node:crypto';
import { constants, copyFile, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { machineFault } from '../machine-fault.ts';
import { type Blobs, checkKey } from './blobs.ts';

/** Stores blobs as files, spread over 256 subfolders. The folder is created with the first blob. */
export function createFolderBlobs(folder: string): Blobs {
  function pathOf(key: string): string {
    checkKey(key);
    // No key contains `~`, so two keys never share a path.
    return join(folder, hash('sha256', key).slice(0, 2), key.replaceAll('/', '~'));
  }

  return {
    put: (key, bytes) => fill(key, (draft) => writeFile(draft, bytes, { flush: true, mode: 0o600 })),

    putFile: (key, path) => fill(key, (draft) => copyTo(draft, path)),

    async open(key, range) {
      const file = await open(pathOf(key)).catch(undefinedIfMissing);
      if (!file) return undefined;
      try {
        const { size } = await file.stat();
        // The stream closes the file, also when it is destroyed early.
        return { size, stream: file.createReadStream(range ?? {}) };
      } catch (error) {
        await file.close();
        throw error;
      }
    },

    delete: (key) => rm(pathOf(key), { force: true }),

    async *list() {
      for await (const { name } of filesIn(folder))
        if (!name.includes(DRAFT)) yield name.replaceAll('~', '/');
    },

    async *keys(before) {
      for await (const { dir, name } of filesIn(folder)) {
        const path = join(dir, name);
        const { mtime } = (await stat(path).catch(undefinedIfMissing)) ?? {};
        if (!mtime || mtime >= before) continue;
        if (name.includes(DRAFT)) await rm(path, { force: true });
        else yield name.replaceAll('~', '/');
      }
    },
  };

  async function fill(key: string, write: (draft: string) => Promise<void>): Promise<void> {
    const path = pathOf(key);
    const draft = `${path}${DRAFT}${randomUUID()}`;
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // Flushed before the rename: after a power cut there is a whole file or none.
      await write(draft);
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw machineFault(error) ?? error;
    }
  }
}

/** No segment of a key is empty, so no blob has this in its name. */
const DRAFT = '~~';

// Copy-on-write where the file system supports it.
async function copyTo(draft: string, path: string): Promise<void> {
  await copyFile(path, draft, constants.COPYFILE_FICLONE);
  const file = await open(draft, 'r+');
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
}

const PART = /^[0-9a-f]{2}$/;

async function* filesIn(folder: string) {
  for (const part of await readdir(folder).catch(emptyIfMissing)) {
    // Such as lost+found, where the folder is a disk.
    if (!PART.test(part)) continue;
    const dir = join(folder, part);
    for (const name of await readdir(dir).catch(emptyIfMissing)) yield { dir, name };
  }
}

function emptyIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code !== 'ENOENT') throw error;
  return [];
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw machineFault(error) ?? error;
}
