import type { Readable } from 'node:stream';

/** First and last byte, both included, counted from 0. */
export type ByteRange = { readonly start: number; readonly end: number };

/** Bytes being read. `size` is that of the whole blob. Whoever opens the stream reads it to the end or destroys it. */
export type OpenBlob = { readonly size: number; readonly stream: Readable };

/** The port: bytes kept under keys. A key is lower-case letters, digits, `_`, `.` and `-`, in parts divided by `/`. */
export type Blobs = {
  /**
   * Keeps the bytes under the key, in place of what was there; a reader sees the old or the new, never a part.
   * @throws Fault unavailable.files_full, unavailable.files_busy
   */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The same with the bytes of a whole file, which stays where it is. They are never all in memory. */
  putFile(key: string, path: string): Promise<void>;
  /** The bytes, or the given ones of them; undefined when there are none under the key. @throws Fault unavailable.files_busy */
  open(key: string, range?: ByteRange): Promise<OpenBlob | undefined>;
  /** Removes the bytes; nothing happens when there are none. */
  delete(key: string): Promise<void>;
  /** Keys of what was put before the time. What a put cut off by then has left is removed on the way. */
  keys(before: Date): AsyncIterable<string>;
};

const KEY = /^[a-z0-9_-][a-z0-9_.-]*(?:\/[a-z0-9_-][a-z0-9_.-]*)*$/;

/** Throws for a key that no adapter may take. Keys are made by us, so a bad one is our own mistake. */
export function checkKey(key: string): void {
  if (key.length > 200 || !KEY.test(key)) throw new Error(`not a blob key: ${JSON.stringify(key)}`);
}
