import { createHash, hash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { Fault } from '../errors.ts';
import type { QueueCaller } from '../platform/fair-queue.ts';
import { mediaTypeOf, SNIFFED_BYTES } from '../platform/media-type.ts';
import type { Content } from './asset.ts';
import { LIMITS } from './asset.ts';
import { readClipFacts } from './clip-facts.ts';
import { clearClipMetadata } from './clip-metadata.ts';
import { type Judged, judgeType, SVG } from './judge-type.ts';
import type { Pictures } from './pictures.ts';

/** A file as it is to be stored: small ones in memory, others where they are on disk. */
export type ExaminedFile = Content & ({ readonly content: Buffer } | { readonly file: string });

/**
 * Says what a file is by its bytes and makes it fit to be served to anyone: metadata is removed, and SVG is sanitized. A
 * file on disk may be changed.
 * @throws Fault unsupported_media_type.asset, too_large.asset…, validation_failed.asset…, unavailable.pictures_full
 */
export async function examineFile(
  pictures: Pictures,
  file: string,
  path: string,
  caller: QueueCaller,
): Promise<ExaminedFile> {
  const { head, size } = await readHead(file);
  const judged = size > 0 && judgeType((await mediaTypeOf(head)) ?? '');
  if (!judged) throw new Fault('unsupported_media_type.asset', { path });
  const limit = limitOf(judged);
  if (size > limit) throw new Fault('too_large.asset', { path, type: judged.type, limit: limit / MB });
  if (judged.type === 'image') {
    const { bytes: content, ...shown } = await pictures.clean(
      await readFile(file),
      judged.mediaType,
      path,
      caller,
    );
    return { ...judged, ...shown, content, bytes: content.length, sha256: hash('sha256', content) };
  }
  if (judged.type === 'font') return { ...judged, file, bytes: size, sha256: await hashFile(file) };
  if (/mp4|quicktime/.test(judged.mediaType)) await clearClipMetadata(file);
  const facts = await readClipFacts(file);
  return { ...judged, ...facts, file, bytes: size, sha256: await hashFile(file) };
}

const MB = 1024 * 1024;

function limitOf({ type, mediaType }: Judged): number {
  return mediaType === SVG.mediaType ? LIMITS.bytes.svg : LIMITS.bytes[type];
}

async function readHead(path: string): Promise<{ head: Buffer; size: number }> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0);
    return { head: buffer.subarray(0, bytesRead), size: (await file.stat()).size };
  } finally {
    await file.close();
  }
}

/** With one block of memory: a stream takes a new one for each read, and holds tens of megabytes of them. */
async function hashFile(path: string): Promise<string> {
  const digest = createHash('sha256');
  const block = Buffer.alloc(256 * 1024);
  const file = await open(path);
  try {
    for (let read = block.length; read > 0; ) {
      read = (await file.read(block, 0, block.length, null)).bytesRead;
      digest.update(block.subarray(0, read));
    }
  } finally {
    await file.close();
  }
  return digest.digest('hex');
}
