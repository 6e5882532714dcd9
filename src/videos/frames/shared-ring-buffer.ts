import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ModeUnusable } from './capture-mode.ts';
import { SLOTS } from './frame-lookahead.ts';
import type { OpenPage } from './open-page.ts';

/** One page of memory, so that slots start on a page boundary. */
export const RING_HEADER_BYTES = 4096;

export type SharedRing = ReturnType<typeof openSharedRing>;

export function openSharedRing({ composition: { width, height }, browser }: OpenPage, name: string) {
  const slotBytes = (width * height * 3) / 2;
  // The caller holds one buffer while the next frame is read into the other.
  let current = Buffer.alloc(slotBytes);
  let spare = Buffer.alloc(slotBytes);
  let file: FileHandle | undefined;
  let isClosed = false;
  return { current: () => current, read, swap, close };

  async function read(slot: number): Promise<void> {
    file ??= await openRingFile(browser.profile, { name, size: RING_HEADER_BYTES + SLOTS * slotBytes });
    if (!file) throw new ModeUnusable('the file of the frames was not found in the profile');
    // The consumer may have stopped while the file was searched.
    if (isClosed) return file.close();
    const { bytesRead } = await file.read(spare, 0, slotBytes, RING_HEADER_BYTES + slot * slotBytes);
    if (bytesRead !== slotBytes) throw new ModeUnusable('the file of the frames is too short');
  }

  function swap(): Uint8Array {
    [current, spare] = [spare, current];
    return current;
  }

  async function close(): Promise<void> {
    isClosed = true;
    await file?.close();
  }
}

type RingFile = {
  /** Name written at the start of the file. */
  readonly name: string;
  /** File size in bytes. */
  readonly size: number;
};

/**
 * Finds and opens the ring file in a browser profile. The path of a page's private files is internal to the browser,
 * so the file is recognized by its size and first bytes; undefined when there is none.
 */
async function openRingFile(profile: string, ring: RingFile): Promise<FileHandle | undefined> {
  const entries = await readdir(profile, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // The profile is in use, so a listed file may be gone.
    const size = await stat(path).then(
      (found) => found.size,
      () => undefined,
    );
    const found = size === ring.size ? await openIfNamed(path, ring.name) : undefined;
    if (found) return found;
  }
  return undefined;
}

async function openIfNamed(path: string, name: string): Promise<FileHandle | undefined> {
  const file = await open(path, 'r');
  const expected = Buffer.from(name);
  const first = Buffer.alloc(expected.length);
  await file.read(first, 0, first.length, 0);
  if (first.equals(expected)) return file;
  await file.close();
  return undefined;
}
