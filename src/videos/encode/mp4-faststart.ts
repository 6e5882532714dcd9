import { createReadStream, createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** The index of an MP4 file (box `moov`) and its position. */
export type Mp4Index = { readonly bytes: Uint8Array; readonly position: number };

type Move = { readonly from: string; readonly to: string; readonly index: Mp4Index | undefined };

/**
 * Copies an MP4 with its index moved before the content, so that players need not read the end first, and clears the
 * dates in the index. A file without an index is only renamed. mediabunny's own fast start is not used: `in-memory`
 * holds the whole file, `reserve` must know the number of sound packets beforehand, and both write the date.
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

// The file starts with its box `ftyp`, whose first four bytes are its size.
async function fileTypeBoxSize(path: string): Promise<number> {
  const bytes = Buffer.concat(await Array.fromAsync(createReadStream(path, { start: 0, end: 3 })));
  return bytes.readUInt32BE(0);
}

/** The index for content that is moved back by `distance` bytes, without dates. */
function shiftedIndex(moov: Uint8Array, distance: number): Uint8Array {
  const bytes = Buffer.from(moov);
  clearDates(bytes);
  for (const { type, from } of leaves(bytes, 0, bytes.length))
    if (type === 'stco' || type === 'co64') shiftOffsets(bytes, from, type === 'co64' ? 8 : 4, distance);
  return bytes;
}

/** Clears the dates in an index. */
export function clearDates(moov: Buffer): void {
  for (const { type, from } of leaves(moov, 0, moov.length))
    if (DATED_BOXES.has(type)) clearTimes(moov, from);
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
    // Sizes 0 and 1 are special encodings, which an index never needs.
    if (size < BOX_HEADER_BYTES || at + size > to) throw new Error('the index of the video is damaged');
    const type = bytes.toString('latin1', at + 4, at + BOX_HEADER_BYTES);
    if (CONTAINER_BOXES.has(type)) yield* leaves(bytes, at + BOX_HEADER_BYTES, at + size);
    else yield { type, from: at + BOX_HEADER_BYTES };
    at += size;
  }
}

// Creation and modification time: 4 bytes each, or 8 in version 1.
function clearTimes(bytes: Buffer, from: number): void {
  const size = bytes[from] === 1 ? 16 : 8;
  bytes.fill(0, from + FULL_BOX_BYTES, from + FULL_BOX_BYTES + size);
}

// An entry count, then one file offset per entry.
function shiftOffsets(bytes: Buffer, from: number, size: 4 | 8, distance: number): void {
  const first = from + FULL_BOX_BYTES + 4;
  const end = first + bytes.readUInt32BE(from + FULL_BOX_BYTES) * size;
  for (let at = first; at < end; at += size) {
    if (size === 4) bytes.writeUInt32BE(bytes.readUInt32BE(at) + distance, at);
    else bytes.writeBigUInt64BE(bytes.readBigUInt64BE(at) + BigInt(distance), at);
  }
}
