import type { Readable } from 'node:stream';

/** First and last byte, both included, from 0. */
export type ByteRange = { readonly start: number; readonly end: number };

/** An open blob; `size` is that of the whole blob. The caller reads the stream to its end or destroys it. */
export type OpenBlob = { readonly size: number; readonly stream: Readable };

/**
 * The port: stores bytes under keys. A key has lower-case letters, digits, `_`, `.` and `-`, in segments separated by
 * `/`. In: bytes under a key. Out: the same bytes, or a range of them. Invariant: a reader sees a whole blob, old or
 * new, never a part.
 */
export type Blobs = {
  /** Stores the bytes, replacing those under the key. @throws Fault unavailable.files_full, .files_busy, .files_store */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** As `put`, with the content of a file, which stays in place. It is never entirely in memory. */
  putFile(key: string, path: string): Promise<void>;
  /** Opens a blob or a range of it; undefined when the key has none. @throws Fault unavailable.files_busy, .files_store */
  open(key: string, range?: ByteRange): Promise<OpenBlob | undefined>;
  /** Removes the blob, if there is one. */
  delete(key: string): Promise<void>;
  /** Keys of all blobs. Changes nothing. */
  list(): AsyncIterable<string>;
  /** Keys of blobs stored before the time. Also removes the files of writes that were interrupted before it. */
  keys(before: Date): AsyncIterable<string>;
};

const DAY_MS = 86_400_000;

/** A day ago: a folder has the machine's time and a bucket its own, so by the earlier of the machine's clock and `now`. */
export function dayOld(now: () => number): Date {
  return new Date(Math.min(now(), Date.now()) - DAY_MS);
}

const KEY = /^[a-z0-9_-][a-z0-9_.-]*(?:\/[a-z0-9_-][a-z0-9_.-]*)*$/;

/** Throws for a key that no adapter accepts. Keys are generated, so a bad one is a bug. */
export function checkKey(key: string): void {
  if (key.length > 200 || !KEY.test(key)) throw new Error(`not a blob key: ${JSON.stringify(key)}`);
}
