import { closeSync, createReadStream, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';

/** A new database of the PGlite of this version, as `make.ts` has packed it. */
export const NEW_DATABASE = fileURLToPath(new URL('./pglite-0.5.16.tar.br', import.meta.url));

const BLOCK = 512;

/**
 * Writes a new database into a folder that does not exist. PGlite would need several seconds and hundreds of
 * megabytes to create one; this holds one piece of a file in memory at a time.
 */
export async function unpackNewDatabase(folder: string): Promise<void> {
  mkdirSync(folder, { mode: 0o700 });
  const file = createReadStream(NEW_DATABASE);
  const tar = createBrotliDecompress();
  file.on('error', (error) => tar.destroy(error)).pipe(tar);
  let open: { readonly descriptor: number; left: number } | undefined;
  for await (const block of blocksOf(tar)) {
    if (open === undefined) open = create(folder, block);
    else open.left -= writeSync(open.descriptor, block, 0, Math.min(open.left, BLOCK));
    if (open?.left !== 0) continue;
    closeSync(open.descriptor);
    open = undefined;
  }
}

/** Makes what the header of an entry names; undefined for what has no content: a folder, or the end of the tar. */
function create(folder: string, header: Buffer): { descriptor: number; left: number } | undefined {
  if (header[0] === 0) return undefined;
  const path = join(folder, textOf(header.subarray(345, 500)), textOf(header.subarray(0, 100)));
  const left = Number.parseInt(textOf(header.subarray(124, 136)), 8);
  if (textOf(header.subarray(156, 157)) !== '5') return { descriptor: openSync(path, 'wx', 0o600), left };
  mkdirSync(path, { mode: 0o700 });
  return undefined;
}

/** A tar file is made of blocks of equal size; the pieces of the stream are not. */
async function* blocksOf(stream: Readable): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of stream as AsyncIterable<Buffer>) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    const whole = bytes.length - (bytes.length % BLOCK);
    for (let at = 0; at < whole; at += BLOCK) yield bytes.subarray(at, at + BLOCK);
    rest = bytes.subarray(whole);
  }
}

function textOf(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString('latin1', 0, end < 0 ? field.length : end);
}
