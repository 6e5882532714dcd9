import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Blobs } from '../../platform/blobs/blobs.ts';
import type { KeptFile } from '../video-repo.ts';

/** Keeps bytes under a key, and tells of them. */
export async function keepBytes(blobs: Blobs, key: string, bytes: Uint8Array): Promise<KeptFile> {
  await blobs.put(key, bytes);
  return { key, bytes: bytes.length, sha256: hash('sha256', bytes) };
}

/** @throws Error when they are gone */
export async function keptBytes(blobs: Blobs, key: string): Promise<Buffer> {
  const blob = await blobs.open(key);
  if (!blob) throw new Error(`nothing is kept under ${key}`);
  return buffer(blob.stream);
}

/** Removes blobs, whatever becomes of it: what is left the sweep finds. */
export async function dropBytes(blobs: Blobs, keys: readonly string[]): Promise<void> {
  for (const key of keys) await blobs.delete(key).catch(() => {});
}
