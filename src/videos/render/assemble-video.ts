import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Fault } from '../../errors.ts';
import { makeProcessFolder } from '../../platform/process-folder.ts';
import type { Attempt } from '../../platform/work/attempt.ts';
import { webvtt } from '../composition/captions.ts';
import type { Composition } from '../composition/composition.ts';
import { storeWarnings } from '../stored-warning.ts';
import type { KeptFile, VideoFiles } from '../video-repo.ts';
import { blobKeys, readBlob, storeBlob } from './blob-cache.ts';
import { mismatchedChunks } from './chunks.ts';
import { warningsOf } from './opaque.ts';
import { compositionOf, renderOptions } from './prepare-video.ts';
import type { RenderContext } from './render-context.ts';
import type { ClaimedVideo, VideoOutcome } from './state.ts';
import { findChunks, type Step } from './step-repo.ts';

type Completed = Extract<VideoOutcome, { status: 'completed' }>;

/** Assembles the video from its chunks and its sound, with the poster and the captions beside it. */
export async function assembleVideo(
  context: RenderContext,
  video: ClaimedVideo,
  attempt: Attempt,
): Promise<Completed> {
  const { signal, fence } = attempt;
  const chunks = await findChunks(context.sql, { accountId: fence.accountId, videoId: video.id });
  const fingerprint = chunks[0]?.fingerprint;
  if (!fingerprint || mismatchedChunks(chunks).length > 0) throw new Fault('video_failed.engines');
  const composition = await compositionOf(context, video, signal);
  const file = await fileOf(context, { video, chunks, composition }, attempt);
  const poster = chunks.find((chunk) => chunk.poster)?.poster;
  const captions = await captionsOf(context, { video, composition }, attempt);
  const files: VideoFiles = { file, ...(poster && { poster }), ...(captions && { captions }) };
  const engine = chunks.find((chunk) => chunk.engine?.reason)?.engine ?? chunks[0]?.engine ?? null;
  const contentHash = context.compositions.hash(composition, { ...renderOptions(video), fingerprint });
  const warnings = storeWarnings(warningsOf(chunks));
  return { status: 'completed', files, engine, contentHash, warnings };
}

type Sources = {
  readonly video: ClaimedVideo;
  readonly chunks: readonly Step[];
  readonly composition: Composition;
};

async function fileOf(
  { blobs, assemble }: RenderContext,
  { video, chunks, composition }: Sources,
  { fence, signal }: Attempt,
): Promise<KeptFile> {
  const { format } = video;
  const key = blobKeys.step({ accountId: fence.accountId, videoId: video.id }, fence, `file.${format}`);
  const bytes = bytesOf(chunks);
  if (format === 'png') return storeBlob(blobs, key, Buffer.concat(await Array.fromAsync(bytes)));
  const folder = await makeProcessFolder('video');
  try {
    const { path } = await assemble({ composition, format, chunks: bytes, folder, signal });
    const { size } = await stat(path);
    const sha256 = await sha256Of(path, signal);
    await blobs.putFile(key, path);
    return { key, bytes: size, sha256 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }

  async function* bytesOf(steps: readonly Step[]): AsyncIterable<Uint8Array> {
    for (const { blob_key } of steps) {
      signal.throwIfAborted();
      yield await readBlob(blobs, blob_key ?? '');
    }
  }
}

async function sha256Of(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('hex');
}

async function captionsOf(
  { blobs }: RenderContext,
  { video, composition }: Omit<Sources, 'chunks'>,
  { fence }: Attempt,
): Promise<KeptFile | undefined> {
  const { captions } = composition;
  if (captions.length === 0) return undefined;
  const key = blobKeys.step({ accountId: fence.accountId, videoId: video.id }, fence, 'captions.vtt');
  return storeBlob(blobs, key, Buffer.from(webvtt(captions)));
}
