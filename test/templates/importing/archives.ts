import { Buffer } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { type Files, openArchive, readArchive } from '../../../src/templates/importing/archive/archive.ts';

type Content = string | Buffer;
type Options = { readonly compress?: boolean; readonly mode?: number };

/** A zip archive of the files, in their order. */
export async function zipOf(
  files: Readonly<Record<string, Content>>,
  options: Options = {},
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path, options);
  zip.end();
  return buffer(zip.outputStream);
}

/** All files of an archive. */
export async function readZip(archive: Buffer | string): Promise<Files> {
  const opened = await openArchive(archive);
  try {
    return await readArchive(opened, new AbortController().signal);
  } finally {
    opened.close();
  }
}

/** The archive with one name in place of another of the same length, wherever it stands: yazl itself refuses bad ones. */
export function renamed(archive: Buffer, from: string, to: string): Buffer {
  return Buffer.from(archive.toString('latin1').replaceAll(from, to), 'latin1');
}
