import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, realpath, stat } from 'node:fs/promises';
import { basename, extname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Fault } from '../../src/errors.ts';
import type { FileOnDisk, NewFile } from '../../src/files/files.ts';
import { type HeldFolder, holdFolder, isInside, MovedFolder } from './held-folder.ts';

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
  const folder = await enter(root, parts).catch((error: unknown) => {
    throw error instanceof MovedFolder ? outside(saveTo, root) : error;
  });
  try {
    return await write(stream, folder, name);
  } catch (error) {
    throw error instanceof MovedFolder ? outside(saveTo, root) : error;
  } finally {
    await folder.close();
  }
}

async function write(stream: Readable, folder: HeldFolder, wanted: string): Promise<string> {
  const { name, file } = await createNew(folder, wanted);
  try {
    await pipeline(stream, file.createWriteStream());
  } catch (error) {
    await folder.remove(name);
    throw error;
  }
  return join(folder.path, name);
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
async function enter(root: string, parts: readonly string[]): Promise<HeldFolder> {
  let folder = await holdFolder(root, root);
  for (const part of parts) {
    const parent = folder;
    folder = await parent.enter(part).finally(parent.close);
  }
  return folder;
}

/** Creates a file that was not there; a link of that name counts as there. */
async function createNew(folder: HeldFolder, wanted: string): Promise<{ name: string; file: FileHandle }> {
  const { name: stem, ext } = parse(wanted);
  for (let number = 1; number <= MOST_OF_A_NAME; number++) {
    const name = number === 1 ? wanted : `${stem}-${number}${ext}`;
    const file = await folder.create(name);
    if (file) return { name, file };
  }
  throw new Fault('validation_failed.save_to_taken', { path: join(folder.path, wanted) });
}

/** `.html` becomes no program by another name. */
function withExtension(name: string, extension: string): string {
  return extname(name).toLowerCase() === extension.toLowerCase() ? name : `${name}${extension}`;
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
