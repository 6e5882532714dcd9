import { createReadStream, type WriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, realpath, rm, stat } from 'node:fs/promises';
import { basename, extname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Fault } from '../../src/errors.ts';
import type { FileOnDisk, NewFile } from '../../src/files/files.ts';

/** How many files of one name a folder may have: `mail.pdf`, `mail-2.pdf`, … */
const MOST_OF_A_NAME = 1_000;

/** A file to save: its bytes, and its own name. */
export type Savable = { readonly filename: string; readonly stream: Readable };

/**
 * Writes a file below `outputDir` and returns its absolute path. Never leaves the folder, by `..`, an absolute path or a
 * symbolic link; never replaces a file: another number is added to the name. The file keeps its own extension.
 * @param saveTo A file, or a folder (an existing one, or with a slash at the end) for the file's own name.
 * @throws Fault validation_failed.save_to for a path outside, or with a part that begins with a dot
 */
export async function saveFile(
  outputDir: string,
  saveTo: string,
  { filename, stream }: Savable,
): Promise<string> {
  await mkdir(outputDir, { recursive: true });
  const root = await realpath(outputDir);
  const parts = partsOf(outputDir, root, saveTo);
  const isFolder = /[\\/]$/.test(saveTo) || (await isDirectory(join(root, ...parts)));
  const name = isFolder ? basename(filename) : withExtension(parts.pop() ?? '', extname(filename));
  const folder = await enter(root, parts, saveTo);
  const handle = await createNew(folder, name);
  try {
    await pipeline(stream, handle.stream);
  } catch (error) {
    await rm(handle.path, { force: true });
    throw error;
  }
  return handle.path;
}

/** A new file of an operation, as one to save. */
export function savable(file: NewFile | FileOnDisk): Savable {
  const stream = 'path' in file ? createReadStream(file.path) : Readable.from([file.bytes]);
  return { filename: file.filename, stream };
}

/** The parts of the path below the folder. */
function partsOf(outputDir: string, root: string, saveTo: string): string[] {
  // An absolute path may name the folder by a link that leads to it.
  const base =
    isAbsolute(saveTo) && isInside(resolve(outputDir), resolve(saveTo)) ? resolve(outputDir) : root;
  const path = resolve(base, saveTo);
  const parts = relative(base, path).split(sep).filter(Boolean);
  const isPlain = parts.every((part) => !part.startsWith('.') && !/[\p{Cc}:]/u.test(part));
  if (path !== base && (!isInside(base, path) || !isPlain)) throw outside(saveTo, outputDir);
  return parts;
}

/** Makes the folders on the way, and looks where each really is before it goes on. */
async function enter(root: string, parts: readonly string[], saveTo: string): Promise<string> {
  let folder = root;
  for (const part of parts) {
    const next = join(folder, part);
    await mkdir(next).catch((error: unknown) => {
      if (!isCode(error, 'EEXIST')) throw error;
    });
    folder = await realpath(next).catch(() => '');
    if (!isInside(root, folder)) throw outside(saveTo, root);
  }
  return folder;
}

/** Creates a file that was not there; a link of that name counts as there. */
async function createNew(folder: string, name: string): Promise<{ path: string; stream: WriteStream }> {
  const { name: stem, ext } = parse(name);
  for (let number = 1; number <= MOST_OF_A_NAME; number++) {
    const path = join(folder, number === 1 ? name : `${stem}-${number}${ext}`);
    const handle: FileHandle | undefined = await open(path, 'wx').catch((error: unknown) => {
      if (!isCode(error, 'EEXIST')) throw error;
      return undefined;
    });
    if (handle) return { path, stream: handle.createWriteStream() };
  }
  throw new Fault('validation_failed.save_to_taken', { path: join(folder, name) });
}

/** `.html` becomes no program by another name. */
function withExtension(name: string, extension: string): string {
  return extname(name).toLowerCase() === extension.toLowerCase() ? name : `${name}${extension}`;
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function outside(path: string, folder: string): Fault {
  return new Fault('validation_failed.save_to', { path, folder });
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
