import { createReadStream, createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** The index of an MP4 file, its box `moov`, and where it stands. */
export type Mp4Index = { readonly bytes: Uint8Array; readonly position: number };

type Move = { readonly from: string; readonly to: string; readonly index: Mp4Index | undefined };

/**
 * Writes an MP4 file again with its index, which was written last, before its content, so that a player need not read the
 * end first; the dates in the index are taken out. A file without an index is only renamed.
 */
export async function writeFaststart({ from, to, index }: Move): Promise<void> {
  if (!index) return rename(from, to);
  const head = await fileTypeBoxSize(from);
  await pipeline(async function* () {
    yield* createReadStream(from, { start: 0, end: head - 1 });
    yield shiftedIndex(index.bytes, index.bytes.length);
    yield* createReadStream(from, { start: head, end: index.position - 1 });
  }, createWriteStream(to));
}

// The file begins with its box `ftyp`, whose first four bytes are its size.
async function fileTypeBoxSize(path: string): Promise<number> {
  const bytes = Buffer.concat(await Array.fromAsync(createReadStream(path, { start: 0, end: 3 })));
  return bytes.readUInt32BE(0);
}

/** The same index for content that lies further back in the file by so many bytes, without dates. */
function shiftedIndex(moov: Uint8Array, distance: number): Uint8Array {
  const bytes = Buffer.from(moov);
  for (const { type, from } of leaves(bytes, 0, bytes.length)) {
    if (DATED_BOXES.has(type)) clearDates(bytes, from);
    if (type === 'stco' || type === 'co64') shiftOffsets(bytes, from, type === 'co64' ? 8 : 4, distance);
  }
  return bytes;
}

const CONTAINER_BOXES = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);
const DATED_BOXES = new Set(['mvhd', 'tkhd', 'mdhd']);
/** Size and type. */
const BOX_HEADER_BYTES = 8;
/** Version and flags. */
const FULL_BOX_BYTES = 4;

function* leaves(bytes: Buffer, from: number, to: number): Generator<{ type: string; from: number }> {
  for (let at = from; at < to; ) {
    const size = bytes.readUInt32BE(at);
    // A size of 0 or 1 means another way of writing it, which an index never needs.
    if (size < BOX_HEADER_BYTES || at + size > to) throw new Error('the index of the video is damaged');
    const type = bytes.toString('latin1', at + 4, at + BOX_HEADER_BYTES);
    if (CONTAINER_BOXES.has(type)) yield* leaves(bytes, at + BOX_HEADER_BYTES, at + size);
    else yield { type, from: at + BOX_HEADER_BYTES };
    at += size;
  }
}

// When it was made and changed: two numbers of 4 bytes, or of 8 in version 1.
function clearDates(bytes: Buffer, from: number): void {
  const size = bytes[from] === 1 ? 16 : 8;
  bytes.fill(0, from + FULL_BOX_BYTES, from + FULL_BOX_BYTES + size);
}

// Their number, then a place in the file each.
function shiftOffsets(bytes: Buffer, from: number, size: 4 | 8, distance: number): void {
  const first = from + FULL_BOX_BYTES + 4;
  const end = first + bytes.readUInt32BE(from + FULL_BOX_BYTES) * size;
  for (let at = first; at < end; at += size) {
    if (size === 4) bytes.writeUInt32BE(bytes.readUInt32BE(at) + distance, at);
    else bytes.writeBigUInt64BE(bytes.readBigUInt64BE(at) + BigInt(distance), at);
  }
}
