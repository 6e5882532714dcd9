import { Fault } from '../errors.ts';
import type { Blobs } from '../platform/blobs/blobs.ts';
import type { Sql, Tx } from '../platform/database.ts';
import { blobKeys, deleteBlobs } from './render/blob-cache.ts';
import { type FinishDeps, finishWithin } from './render/finish.ts';
import type { Compositions } from './render/render-context.ts';
import { lockAccountAndVideo } from './render/state.ts';
import { deleteChunks } from './render/step-repo.ts';
import { createVideoStore, type VideoFiles } from './store.ts';

type RemoveDeps = Pick<FinishDeps, 'queue' | 'enqueueWebhook'> & {
  readonly sql: Sql;
  readonly blobs: Blobs;
  readonly compositions: Pick<Compositions, 'remove'>;
};

/** Ends a video if it has not ended, and removes it with all its files. @throws Fault not_found.video */
export async function removeVideo(
  { sql, blobs, compositions, ...deps }: RemoveDeps,
  accountId: string,
  id: string,
): Promise<void> {
  const video = { accountId, videoId: id };
  const keys = await sql.begin(async (tx) => {
    const videos = createVideoStore(tx);
    await lockAccountAndVideo(tx, video);
    const row = await videos.find(accountId, id);
    if (!row) throw new Fault('not_found.video', { id });
    const finished = await finishWithin(tx, deps, video, { status: 'canceled' });
    const chunkKeys = await deleteChunks(tx, video);
    await videos.delete(accountId, id);
    const own = await ownFiles(tx, accountId, row.files);
    // While the account is locked no other video can reuse them.
    await deleteBlobs(blobs, own);
    return [...(finished?.unusedKeys ?? []), ...chunkKeys];
  });
  await deleteBlobs(blobs, keys);
  // After a failure the sweep removes it.
  await compositions.remove(blobKeys.composition(video)).catch(() => {});
}

/** Those that no other video has. */
async function ownFiles(tx: Tx, accountId: string, files: VideoFiles | null): Promise<string[]> {
  const keys = [files?.file, files?.poster, files?.captions].flatMap((file) => file?.key ?? []);
  const own: string[] = [];
  for (const key of keys) if (!(await createVideoStore(tx).hasFile(accountId, key))) own.push(key);
  return own;
}
