import { Fault } from '../../errors.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Fence } from '../../platform/work/attempt.ts';
import type { Composition } from '../composition/composition.ts';
import { createVideoStore, type VideoRow } from '../store.ts';
import { blobKeys } from './blob-keys.ts';
import { chunkGrid } from './chunk-grid.ts';
import { unused } from './ends.ts';
import { dropBytes } from './kept-bytes.ts';
import type { Making } from './making.ts';
import { createStateStore } from './state-store.ts';
import { createStepStore } from './step-store.ts';

export type Prepared = { readonly contentHash: string };

/** Fetches what the page shows and plays, and keeps it: from now on nothing of the video can change. */
export async function prepareVideo(making: Making, video: VideoRow, signal: AbortSignal): Promise<Prepared> {
  const composition = await compositionOf(making, video, signal);
  const fingerprint = await making.stages.fingerprint();
  return { contentHash: making.compositions.hash(composition, { ...howMade(video), fingerprint }) };
}

/** What the hash of a video is made of, but for its engine. */
export function howMade({ format, quality, poster_frame: posterFrame }: VideoRow) {
  return { format, quality, posterFrame };
}

/** As it was kept, or else as it is gathered now, and kept. */
export async function compositionOf(
  { sql, compositions }: Pick<Making, 'sql' | 'compositions'>,
  { account_id: accountId, id: videoId }: Pick<VideoRow, 'account_id' | 'id'>,
  signal: AbortSignal,
): Promise<Composition> {
  const prefix = blobKeys.composition({ accountId, videoId });
  const kept = await compositions.load(prefix);
  if (kept) return kept;
  const videos = createVideoStore(sql);
  const page = await videos.page(accountId, videoId);
  if (!page) throw new Fault('not_found.video', { id: videoId });
  const composition = await compositions.gather(page, signal, accountId);
  await compositions.keep(prefix, composition);
  // Of one that was removed meanwhile nobody would know it.
  if (!(await videos.has(accountId, videoId))) await compositions.remove(prefix);
  return composition;
}

/** Lends it the files of a video that is the same, or else queues its chunks: those that are kept from before stay. */
export async function finishPreparing(
  making: Making,
  { fence, video, contentHash }: { readonly fence: Fence; readonly video: VideoRow } & Prepared,
): Promise<boolean> {
  const { sql, ends, turns, blobs } = making;
  const { accountId } = fence;
  const of = { accountId, videoId: video.id };
  const lent = await ends.lend(of, contentHash, (tx) => createStepStore(tx).hold(fence));
  if (lent) return true;
  const dropped = await sql.begin(async (tx) => {
    await createStateStore(tx).lock(video.id);
    if (!(await createStepStore(tx).hold(fence))) return undefined;
    await createStepStore(tx).done(fence);
    const old = video.content_hash === contentHash ? [] : await dropChunks(tx, of);
    const from = video.format === 'png' ? video.poster_frame : 0;
    await createStepStore(tx).insertChunks(accountId, video.id, chunkGrid({ from, to: from + video.frames }));
    await createStateStore(tx).prepared(accountId, video.id, contentHash);
    await turns.nextSteps(tx, of);
    return old;
  });
  await dropBytes(blobs, dropped ?? []);
  return dropped !== undefined;
}

/** Those of an earlier attempt, which were made of something else; answers what they had kept. */
async function dropChunks(tx: Tx, of: { accountId: string; videoId: string }): Promise<string[]> {
  const steps = createStepStore(tx);
  const chunks = await steps.chunks(of.accountId, of.videoId);
  await steps.dropChunks(of.accountId, of.videoId);
  return unused(chunks);
}
