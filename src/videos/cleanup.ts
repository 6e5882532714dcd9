import { Fault } from '../errors.ts';
import { type Blobs, dayOld } from '../platform/blobs/blobs.ts';
import type { Sql, Tx } from '../platform/database/database.ts';
import { blobKeys, deleteBlobs, ownerOf } from './render/blob-cache.ts';
import { type FinishDeps, finishWithin } from './render/finish.ts';
import type { Compositions } from './render/render-context.ts';
import { lockAccountAndVideo } from './render/state.ts';
import { deleteChunks } from './render/step-repo.ts';
import type { VideoFiles } from './video-repo.ts';
import * as videoRepo from './video-repo.ts';

type RemovalDeps = Pick<FinishDeps, 'queue'> & {
  readonly sql: Sql;
  readonly blobs: Blobs;
  readonly compositions: Pick<Compositions, 'remove'>;
};

/** Cancels a video that has not ended, and deletes it with all its data. @throws Fault not_found.video */
export async function removeVideo(
  { sql, blobs, compositions, ...deps }: RemovalDeps,
  accountId: string,
  id: string,
): Promise<void> {
  const video = { accountId, videoId: id };
  const keys = await sql.begin(async (tx) => {
    await lockAccountAndVideo(tx, video);
    const row = await videoRepo.findVideo(tx, accountId, id);
    if (!row) throw new Fault('not_found.video', { id });
    const finished = await finishWithin(tx, deps, video, { status: 'canceled' });
    const chunkKeys = await deleteChunks(tx, video);
    await videoRepo.deleteVideo(tx, accountId, id);
    const own = await unsharedFiles(tx, accountId, row.files);
    // While the account is locked, no other video can reuse these files.
    await deleteBlobs(blobs, own);
    return [...(finished?.unusedKeys ?? []), ...chunkKeys];
  });
  await deleteBlobs(blobs, keys);
  // The sweep removes what a failure leaves here.
  await compositions.remove(blobKeys.composition(video)).catch(() => {});
}

/** Files that no other video shares. */
async function unsharedFiles(tx: Tx, accountId: string, files: VideoFiles | null): Promise<string[]> {
  const keys = [files?.file, files?.poster, files?.captions].flatMap((file) => file?.key ?? []);
  const own: string[] = [];
  for (const key of keys) if (!(await videoRepo.hasFile(tx, accountId, key))) own.push(key);
  return own;
}

type SweepDeps = {
  readonly sql: Sql;
  readonly blobs: Blobs;
  readonly now: () => number;
};

const KEY_BATCH = 500;

/** Deletes bytes that no video uses. */
export async function sweepVideos({ sql, blobs, now }: SweepDeps): Promise<void> {
  let keys: string[] = [];
  // Younger blobs may belong to a running attempt.
  for await (const key of blobs.keys(dayOld(now))) {
    if (ownerOf(key)) keys.push(key);
    if (keys.length < KEY_BATCH) continue;
    await deleteBlobs(blobs, await unownedKeys(sql, keys));
    keys = [];
  }
  await deleteBlobs(blobs, await unownedKeys(sql, keys));
}

/** Keys that no video uses. */
async function unownedKeys(sql: Sql, keys: readonly string[]): Promise<string[]> {
  const owned = keys.flatMap((key) => ({ key, ...ownerOf(key) }));
  const ids = new Set(owned.flatMap(({ videoId }) => videoId ?? []));
  const kept = await videoRepo.findKept(sql, [...ids]);
  const left: string[] = [];
  for (const { key, accountId = '', videoId = '', isComposition } of owned) {
    if (isComposition ? kept.ids.has(videoId) : kept.keys.has(key)) continue;
    // Another video may have reused the file of a deleted one.
    if (isComposition || !(await videoRepo.hasFile(sql, accountId, key))) left.push(key);
  }
  return left;
}
