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

type Box = { readonly type: string; readonly at: number; readonly body: number; readonly next: number };

async function clearIn(file: FileHandle, start: number, end: number, seen: { boxes: number }): Promise<void> {
  let at = start;
  while (at + 8 <= end && seen.boxes < MAX_BOXES) {
    const box = await readBox(file, at, end);
    if (!box) return;
    seen.boxes += 1;
    if (REMOVED.has(box.type)) await clear(file, box);
    else if (CONTAINERS.has(box.type)) await clearIn(file, box.body, box.next, seen);
    at = box.next;
  }
}

/** Undefined where the size makes no sense: what follows can't be read. */
async function readBox(file: FileHandle, at: number, end: number): Promise<Box | undefined> {
  const head = Buffer.alloc(16);
  await file.read(head, 0, 16, at);
  const short = head.readUInt32BE(0);
  const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short === 0 ? end - at : short;
  if (size < 8 || at + size > end) return undefined;
  const body = at + (short === 1 ? 16 : 8);
  return { type: head.toString('latin1', 4, 8), at, body, next: at + size };
}

const BLOCK = Buffer.alloc(64 * 1024);

async function clear(file: FileHandle, box: Box): Promise<void> {
  await file.write('free', box.at + 4, 'latin1');
  for (let at = box.body; at < box.next; at += BLOCK.length)
    await file.write(BLOCK, 0, Math.min(BLOCK.length, box.next - at), at);
}
