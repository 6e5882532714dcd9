import { type FileHandle, open } from 'node:fs/promises';

/** Where phones keep the place, the time and the device of a recording. */
const REMOVED = new Set(['udta', 'meta', 'uuid']);
const CONTAINERS = new Set(['moov', 'trak']);
const MAX_BOXES = 5_000;

/**
 * Removes from an MP4 or MOV what says where and with what it was recorded, in place: such a box becomes free space of the
 * same size, so that everything else stays where it is. Only the heads of boxes are read, whatever the size of the file.
 */
export async function clearClipMetadata(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const { size } = await file.stat();
    await clearIn(file, 0, size, { boxes: 0 });
  } finally {
    await file.close();
  }
}

async function clearIn(file: FileHandle, start: number, end: number, seen: { boxes: number }): Promise<void> {
  const head = Buffer.alloc(16);
  for (let at = start; at + 8 <= end && seen.boxes < MAX_BOXES; seen.boxes++) {
    await file.read(head, 0, 16, at);
    const short = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short === 0 ? end - at : short;
    const body = at + (short === 1 ? 16 : 8);
    const next = at + size;
    if (size < 8 || next > end) return;
    if (REMOVED.has(type)) await clear(file, { at, body, next });
    else if (CONTAINERS.has(type)) await clearIn(file, body, next, seen);
    at = next;
  }
}

const BLOCK = Buffer.alloc(64 * 1024);

async function clear(file: FileHandle, box: { at: number; body: number; next: number }): Promise<void> {
  await file.write('free', box.at + 4, 'latin1');
  for (let at = box.body; at < box.next; at += BLOCK.length)
    await file.write(BLOCK, 0, Math.min(BLOCK.length, box.next - at), at);
}
