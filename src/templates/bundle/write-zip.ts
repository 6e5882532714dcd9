import { buffer } from 'node:stream/consumers';
import { ARCHIVE_LIMITS } from '../importing/archive/limits.ts';

const MODE = 0o100644;

/** A zip archive whose bytes depend on nothing but its files: sorted by path, all of the first day of 1980. */
export async function writeZip(files: ReadonlyMap<string, Buffer>): Promise<Buffer> {
  const zip = await pack(files, true);
  const total = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  // What shrinks as much as a bomb would be refused as one.
  const { ratio, innocentBytes } = ARCHIVE_LIMITS;
  return total > innocentBytes && total > zip.length * ratio ? pack(files, false) : zip;
}

async function pack(files: ReadonlyMap<string, Buffer>, compress: boolean): Promise<Buffer> {
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  // The format has local time and no zone; this is the same day everywhere.
  const options = { mtime: new Date(1980, 0, 1), mode: MODE, compress, forceDosTimestamp: true };
  for (const path of [...files.keys()].sort()) {
    const bytes = files.get(path);
    if (bytes) zip.addBuffer(bytes, path, options);
  }
  zip.end();
  return buffer(zip.outputStream);
}
