import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { Fault } from '../../../errors.ts';
import { hasNonText } from '../../../platform/json-size.ts';
import { ARCHIVE_LIMITS, MANIFEST, PICTURE_ENDINGS } from './limits.ts';

/** The files of an archive by path, in the order of the archive. */
export type Files = ReadonlyMap<string, Buffer>;

/** A zip archive whose list was read. Its files are read when they are asked for. */
export type Archive = {
  /** In its order, without folders. */
  readonly paths: readonly string[];
  /** What stands before the files of a bundle; undefined for an archive that is none. */
  readonly bundleRoot: string | undefined;
  /** A file's bytes; undefined for a path that it does not have. @throws Fault validation_failed */
  read(path: string): Promise<Buffer | undefined>;
  close(): void;
};

/** How a zip starts, in hex: with an entry, or the end of an empty archive. */
const BEGINNING = /^504b(?:0304|0506)/;
const PICTURE = new RegExp(`\\.(?:${PICTURE_ENDINGS})$`, 'i');
const LINK = 0o120000;
const FILE_TYPE = 0o170000;

/**
 * Opens a zip archive: its bytes, or the path of a file. Every size is checked against what the archive says of itself
 * before anything is inflated, and against what comes out.
 * In: a zip. Out: its paths and files. Invariant: no path leads out of the archive, and nothing is inflated beyond its
 * limits.
 * @throws Fault validation_failed for an archive that is damaged or not plain, too_large over a limit
 */
export async function openArchive(source: Buffer | string): Promise<Archive> {
  const { fromBufferPromise, openPromise } = await import('yauzl');
  const options = { decodeStrings: false, autoClose: false };
  const opening =
    typeof source === 'string' ? openPromise(source, options) : fromBufferPromise(source, options);
  const archive = await opening.catch((error: unknown) => damaged('', 0, error));
  try {
    const entries = await list(archive);
    const paths = [...entries.keys()].filter((name) => !name.endsWith('/'));
    const bundleRoot = findBundleRoot(paths);
    checkSizes(entries, archive.fileSize, bundleRoot === undefined ? 'folder' : 'bundle');
    return {
      paths,
      bundleRoot,
      async read(path) {
        const entry = entries.get(path);
        return entry && readEntry(archive, path, entry);
      },
      close: () => archive.close(),
    };
  } catch (error) {
    archive.close();
    throw error;
  }
}

/** Reads all files of an archive into memory. @throws Fault as `openArchive` */
export async function readArchive(archive: Archive, signal: AbortSignal): Promise<Files> {
  const files = new Map<string, Buffer>();
  for (const path of archive.paths) {
    signal.throwIfAborted();
    const bytes = await archive.read(path);
    if (bytes) files.set(path, bytes);
  }
  return files;
}

/** What systems add to archives by themselves. */
export function isLitter(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.') || part === '__MACOSX' || part === 'Thumbs.db');
}

/** Who unpacks a bundle and packs it again may have a folder around it. */
function findBundleRoot(paths: readonly string[]): string | undefined {
  const own = paths.filter((path) => !isLitter(path));
  const [root = '', ...more] = new Set(own.map((path) => path.slice(0, path.indexOf('/') + 1)));
  const roots = more.length === 0 ? ['', root] : [''];
  return roots.find((one) => paths.includes(one + MANIFEST));
}

/** Cheap, for bytes no one has read yet. @throws Fault validation_failed when they do not even start as an archive */
export function assertArchive(bytes: Buffer): void {
  if (!BEGINNING.test(bytes.toString('hex', 0, 4))) damaged('', 0, 'it does not begin as a zip archive');
}

/** The entries by name. */
async function list(archive: ZipFile): Promise<Map<string, Entry>> {
  const { getFileNameLowLevel } = await import('yauzl');
  const entries = new Map<string, Entry>();
  let last = '';
  try {
    for await (const entry of archive.eachEntry()) {
      const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
      last = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
      checkEntry(last, entry);
      if (entries.has(last)) throw new Fault('validation_failed.archive_duplicate', { entry: shown(last) });
      entries.set(last, entry);
      if (entries.size > ARCHIVE_LIMITS.bundle.entries) throw tooMany(ARCHIVE_LIMITS.bundle.entries);
    }
  } catch (error) {
    if (error instanceof Fault) throw error;
    return damaged(last, 0, error);
  }
  return entries;
}

function checkEntry(name: string, entry: Entry): void {
  const isSafe =
    name !== '' && !/^[/\\]|^[A-Za-z]:|[\\\0]/.test(name) && !name.split('/').some((part) => part === '..');
  if (!isSafe) throw new Fault('validation_failed.archive_name', { entry: shown(name) });
  if (entry.isEncrypted()) throw new Fault('validation_failed.archive_encrypted', { entry: shown(name) });
  // The upper half holds the mode where the archive was made on Unix, and nothing like a link elsewhere.
  const isLink = ((entry.externalFileAttributes >>> 16) & FILE_TYPE) === LINK;
  if (isLink) throw new Fault('validation_failed.archive_link', { entry: shown(name) });
}

function checkSizes(
  entries: ReadonlyMap<string, Entry>,
  archiveBytes: number,
  kind: 'bundle' | 'folder',
): void {
  const limits = ARCHIVE_LIMITS[kind];
  if (entries.size > limits.entries) throw tooMany(limits.entries);
  let total = 0;
  for (const [name, { uncompressedSize: size }] of entries) {
    const limit = PICTURE.test(name) ? limits.pictureBytes : limits.entryBytes;
    if (size > limit) throw new Fault('too_large.archive_entry', { entry: shown(name), limit });
    total += size;
  }
  const { ratio, innocentBytes } = ARCHIVE_LIMITS;
  if (total > limits.bytes || (total > innocentBytes && total > archiveBytes * ratio))
    throw new Fault('too_large.archive', { limit: Math.min(limits.bytes, archiveBytes * ratio) });
}

/** What comes out is compared with the size and the checksum that the archive's list gives. */
async function readEntry(archive: ZipFile, name: string, entry: Entry): Promise<Buffer> {
  const { relativeOffsetOfLocalHeader: offset } = entry;
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(chunk);
  } catch (error) {
    return damaged(name, offset, error);
  }
  const bytes = Buffer.concat(chunks);
  if (crc32(bytes) !== entry.crc32)
    throw new Fault('validation_failed.archive_checksum', { entry: shown(name), offset });
  return bytes;
}

function tooMany(limit: number): Fault {
  return new Fault('too_large.archive_entries', { limit });
}

function damaged(entry: string, offset: number, cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause);
  throw new Fault('validation_failed.archive', { entry: shown(entry) || '-', offset, reason }, { cause });
}

/** A name for a sentence: short, and without what no text holds. */
function shown(name: string): string {
  return name
    .toWellFormed()
    .replace(/\p{Cc}/gu, '?')
    .slice(0, 200);
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A file as the text it holds. @throws Fault validation_failed for bytes that are no UTF-8 text */
export function textOf(bytes: Uint8Array, file: string): string {
  const text = decode(bytes);
  if (text === undefined || hasNonText(text)) throw new Fault('validation_failed.archive_text', { file });
  return text;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
