import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

type Ring = {
  /** What it begins with. */
  readonly name: string;
  /** Of all of it, in bytes. */
  readonly size: number;
};

/**
 * Opens the file of a browser's profile that is the ring. Where a browser keeps the files of a page is its own affair, so it
 * is known by its size and its first bytes; undefined when there is none.
 */
export async function openRingFile(profile: string, ring: Ring): Promise<FileHandle | undefined> {
  const entries = await readdir(profile, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // A profile is in use: what was there may be gone.
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
