import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import type { Rendered } from '../rendering.ts';

// The same mail gives the same bytes, whenever it is exported.
const EPOCH = new Date(1980, 0, 1);

/** The parts of a mail as files, for a sending service that takes them one by one. */
export async function toZip({ html, text, subject, preheader }: Rendered): Promise<Uint8Array> {
  const zip = new ZipFile();
  const parts = { 'mail.html': html, 'mail.txt': text, 'subject.txt': subject, 'preheader.txt': preheader };
  for (const [name, content] of Object.entries(parts)) {
    if (content !== undefined) zip.addBuffer(Buffer.from(content), name, { mtime: EPOCH });
  }
  zip.end();
  return buffer(zip.outputStream);
}
