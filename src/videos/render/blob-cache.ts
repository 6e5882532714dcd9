import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Blobs } from '../../platform/blobs/blobs.ts';
import type { KeptFile, VideoFiles } from '../video-repo.ts';
import type { VideoRef } from './state.ts';

/** Keys of the blobs of a video. An attempt never overwrites what an earlier one stored. */
export const blobKeys = {
  /** Prefix of everything a video has. */
  video: ({ accountId, videoId }: VideoRef) => `videos/${accountId}/${videoId}`,
  composition: (video: VideoRef) => `${blobKeys.video(video)}/composition`,
  /** A file of one attempt at a step, such as a chunk or the poster. */
  step: (video: VideoRef, { id, attempt }: { readonly id: string; readonly attempt: number }, name: string) =>
    `${blobKeys.video(video)}/${id}-${attempt}-${name}`,
};

const KEY = /^videos\/(acc_\w+)\/(vid_\w+)\/(composition)?/;

/** The video a key belongs to; undefined for other keys. */
export function ownerOf(key: string): (VideoRef & { readonly isComposition: boolean }) | undefined {
  const [, accountId, videoId, composition] = KEY.exec(key) ?? [];
  return accountId && videoId ? { accountId, videoId, isComposition: composition !== undefined } : undefined;
}

/** Stores a blob and returns its size and hash. */
export async function storeBlob(blobs: Blobs, key: string, bytes: Uint8Array): Promise<KeptFile> {
  await blobs.put(key, bytes);
  return { key, bytes: bytes.length, sha256: hash('sha256', bytes) };
}

/** @throws Error when the blob is missing */
export async function readBlob(blobs: Blobs, key: string): Promise<Buffer> {
  const blob = await blobs.open(key);
  if (!blob) throw new Error(`no blob under ${key}`);
  return buffer(blob.stream);
}

/** Whether the bytes of all files of a video are stored. A backup without files, or a lost disk, leaves a video without. */
export async function hasBytes(blobs: Blobs, { file, poster, captions }: VideoFiles): Promise<boolean> {
  for (const part of [file, poster, captions]) {
    const blob = part && (await blobs.open(part.key));
    blob?.stream.destroy();
    if (part && !blob) return false;
  }
  return true;
}

/** Deletes blobs and ignores failures: the hourly sweep finds what remains. */
export async function deleteBlobs(blobs: Blobs, keys: readonly string[]): Promise<void> {
  for (const key of keys) await blobs.delete(key).catch(() => {});
}
