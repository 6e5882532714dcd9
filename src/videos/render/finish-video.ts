import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Fault } from '../../errors.ts';
import type { Attempt } from '../../platform/work/attempt.ts';
import { webvtt } from '../composition/captions.ts';
import type { Composition } from '../composition/composition.ts';
import type { KeptFile, VideoFiles, VideoRow } from '../video-repo.ts';
import { blobKeys } from './blob-keys.ts';
import { keepBytes, keptBytes } from './kept-bytes.ts';
import type { Making } from './making.ts';
import { oddChunks } from './odd-chunks.ts';
import { compositionOf, howMade } from './prepare-video.ts';
import type { VideoEnd } from './state-store.ts';
import type { Step } from './step.ts';
import { createStepStore } from './step-store.ts';

type Completed = Extract<VideoEnd, { status: 'completed' }>;

/** Makes the video out of its chunks, with its sound, its poster and its captions beside it. */
export async function finishVideo(making: Making, video: VideoRow, attempt: Attempt): Promise<Completed> {
  const { signal, fence } = attempt;
  const chunks = await createStepStore(making.sql).chunks(fence.accountId, video.id);
  const fingerprint = chunks[0]?.fingerprint;
  if (!fingerprint || oddChunks(chunks).length > 0) throw new Fault('video_failed.engines');
  const composition = await compositionOf(making, video, signal);
  const file = await fileOf(making, { video, chunks, composition }, attempt);
  const poster = chunks.find((chunk) => chunk.poster)?.poster;
  const captions = await captionsOf(making, { video, composition }, attempt);
  const files: VideoFiles = { file, ...(poster && { poster }), ...(captions && { captions }) };
  const engine = chunks.find((chunk) => chunk.engine?.reason)?.engine ?? chunks[0]?.engine ?? null;
  const contentHash = making.compositions.hash(composition, { ...howMade(video), fingerprint });
  return { status: 'completed', files, engine, contentHash };
}

type Whole = {
  readonly video: VideoRow;
  readonly chunks: readonly Step[];
  readonly composition: Composition;
};

async function fileOf(
  { blobs, assemble }: Making,
  { video, chunks, composition }: Whole,
  { fence, signal }: Attempt,
): Promise<KeptFile> {
  const { format } = video;
  const key = blobKeys.step({ accountId: fence.accountId, videoId: video.id }, fence, `file.${format}`);
  const parts = bytesOf(chunks);
  if (format === 'png') return keepBytes(blobs, key, Buffer.concat(await Array.fromAsync(parts)));
  const folder = await mkdtemp(join(tmpdir(), 'stallhand-video-'));
  try {
    const { path } = await assemble({ composition, format, chunks: parts, folder, signal });
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
      yield await keptBytes(blobs, blob_key ?? '');
    }
  }
}

async function sha256Of(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('hex');
}

async function captionsOf(
  { blobs }: Making,
  { video, composition }: Omit<Whole, 'chunks'>,
  { fence }: Attempt,
): Promise<KeptFile | undefined> {
  const { captions } = composition;
  if (captions.length === 0) return undefined;
  const key = blobKeys.step({ accountId: fence.accountId, videoId: video.id }, fence, 'captions.vtt');
  return keepBytes(blobs, key, Buffer.from(webvtt(captions)));
}
