import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { Fault } from '../../../errors.ts';
import { findNonText } from '../../../platform/json-size.ts';

/** The files of an archive by path, in the order of the archive. */
export type Files = ReadonlyMap<string, Buffer>;

type Listed = { readonly name: string; readonly entry: Entry };

/** How a zip starts, in hex: with an entry, or the end of an empty archive. */
const BEGINNING = /^504b(?:0304|0506)/;
const LINK = 0o120000;
const FILE_TYPE = 0o170000;

/**
 * Reads a zip archive into memory. Every size is checked against what the archive says of itself before anything is
 * inflated, and against what comes out.
 * @throws Fault validation_failed for an archive that is damaged or not plain, too_large over a limit
 */
export async function readArchive(bytes: Buffer, signal: AbortSignal): Promise<Files> {
  const { fromBufferPromise } = await import('yauzl');
  const archive = await fromBufferPromise(bytes, { decodeStrings: false }).catch((error: unknown) =>
    damaged('', bytes.length, error),
  );
  const entries = await list(archive);
  checkSizes(entries, bytes.length);
  const files = new Map<string, Buffer>();
  for (const { name, entry } of entries) {
    signal.throwIfAborted();
    if (!name.endsWith('/')) files.set(name, await read(archive, name, entry));
  }
  return files;
}

/** Cheap, for bytes no one has read yet. @throws Fault validation_failed when they do not even start as an archive */
export function assertArchive(bytes: Buffer): void {
  if (!BEGINNING.test(bytes.toString('hex', 0, 4))) damaged('', 0, 'it does not begin as a zip archive');
}

async function list(archive: ZipFile): Promise<Listed[]> {
  const { getFileNameLowLevel } = await import('yauzl');
  const listed: Listed[] = [];
  const names = new Set<string>();
  try {
    for await (const entry of archive.eachEntry()) {
      const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
      const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
      checkEntry(name, entry);
      if (names.has(name)) throw new Fault('validation_failed.archive_duplicate', { entry: shown(name) });
      names.add(name);
      listed.push({ name, entry });
      if (listed.length > ARCHIVE_LIMITS.bundle.entries) throw tooMany(ARCHIVE_LIMITS.bundle.entries);
    }
  } catch (error) {
    if (error instanceof Fault) throw error;
    return damaged(listed.at(-1)?.name ?? '', 0, error);
  }
  return listed;
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

function checkSizes(entries: readonly Listed[], archiveBytes: number): void {
  // Who unpacks a bundle and packs it again may have a folder around it.
  const isBundle = entries.some(({ name }) => /^(?:[^/]+\/)?([^/]+)$/.exec(name)?.[1] === MANIFEST);
  const limits = isBundle ? ARCHIVE_LIMITS.bundle : ARCHIVE_LIMITS.folder;
  if (entries.length > limits.entries) throw tooMany(limits.entries);
  let total = 0;
  for (const { name, entry } of entries) {
    const { uncompressedSize: size } = entry;
    if (size > limits.entryBytes)
      throw new Fault('too_large.archive_entry', { entry: shown(name), limit: limits.entryBytes });
    total += size;
  }
  const { bytes, ratio, innocentBytes } = ARCHIVE_LIMITS;
  if (total > bytes || (total > innocentBytes && total > archiveBytes * ratio))
    throw new Fault('too_large.archive', { limit: Math.min(bytes, archiveBytes * ratio) });
}

/** What comes out is compared with the size and the checksum that the archive's list gives. */
async function read(archive: ZipFile, name: string, entry: Entry): Promise<Buffer> {
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

/** What an archive may hold. A bundle holds more files than a folder of emails, and large ones: its list, and samples of 1 MB. */
export const ARCHIVE_LIMITS = {
  folder: { entries: 2_000, entryBytes: 1024 * 1024 },
  bundle: { entries: 20_000, entryBytes: 16 * 1024 * 1024 },
  /** Of all entries together, inflated. */
  bytes: 64 * 1024 * 1024,
  /** Archives that inflate to less than this are never taken for bombs. */
  innocentBytes: 4 * 1024 * 1024,
  /** How many times its own size an archive may inflate to; texts reach 20. */
  ratio: 100,
} as const;

/** The file that makes an archive a bundle. */
export const MANIFEST = 'stallhand.json';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A file as the text it holds. @throws Fault validation_failed for bytes that are no UTF-8 text */
export function textOf(bytes: Uint8Array, file: string): string {
  const text = decode(bytes);
  if (text === undefined || findNonText(text) !== undefined)
    throw new Fault('validation_failed.archive_text', { file });
  return text;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
