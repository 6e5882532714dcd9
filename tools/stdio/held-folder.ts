import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath, rm } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';

/**
 * A folder that is held open while something is written to it. On Linux its files are reached through its descriptor, so it
 * stays the folder that was checked, even if another program puts a link in its place. Elsewhere a new file is looked for at
 * its path before anything is written to it.
 */
export type HeldFolder = {
  /** Without links. */
  readonly path: string;
  /** An empty new file, at its path; undefined where the name is taken. @throws MovedFolder */
  create(name: string): Promise<FileHandle | undefined>;
  remove(name: string): Promise<void>;
  /** The folder in it, made if it is missing. @throws MovedFolder */
  enter(name: string): Promise<HeldFolder>;
  close(): Promise<void>;
};

/** A folder is, or has become, one outside of the root. */
export class MovedFolder extends Error {}

/** Holds a folder that is `root`, or is in it. @throws MovedFolder */
export async function holdFolder(root: string, path: string): Promise<HeldFolder> {
  const handle = await openFolder(path);
  // What the descriptor is, whatever the path leads to by now.
  const real = await realpath(handle ? `/proc/self/fd/${handle.fd}` : path).catch(() => '');
  const at = (name: string) => (handle ? `/proc/self/fd/${handle.fd}/${name}` : join(real, name));
  const close = async () => handle?.close();
  if (real !== root && !isInside(root, real)) {
    await close();
    throw new MovedFolder();
  }
  return {
    path: real,
    close,
    remove: (name) => rm(at(name), { force: true }),

    async create(name) {
      const file = await open(at(name), 'wx').catch(unlessTaken);
      if (!file || (await isFileAt(file, real, name))) return file;
      await file.close();
      await rm(at(name), { force: true });
      throw new MovedFolder();
    },

    async enter(name) {
      await mkdir(at(name)).catch(unlessTaken);
      return holdFolder(root, await realpath(at(name)).catch(() => ''));
    },
  };
}

/** Whether a path is below a folder. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function openFolder(path: string): Promise<FileHandle | undefined> {
  if (process.platform !== 'linux') return undefined;
  return open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(() => {
    throw new MovedFolder();
  });
}

async function isFileAt(file: FileHandle, folder: string, name: string): Promise<boolean> {
  const [own, there] = await Promise.all([
    file.stat({ bigint: true }),
    lstat(join(folder, name), { bigint: true }).catch(() => undefined),
  ]);
  const isSame = there?.ino === own.ino && there.dev === own.dev;
  return isSame && (await realpath(folder).catch(() => '')) === folder;
}

function unlessTaken(error: unknown): undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
}
