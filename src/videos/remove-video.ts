import { Fault } from '../errors.ts';
import type { Blobs } from '../platform/blobs/blobs.ts';
import type { Sql, Tx } from '../platform/database/database.ts';
import { blobKeys } from './render/blob-keys.ts';
import { type Ends, unused } from './render/ends.ts';
import { dropBytes } from './render/kept-bytes.ts';
import type { Compositions } from './render/making.ts';
import { createStateStore } from './render/state-store.ts';
import { createStepStore } from './render/step-store.ts';
import { createVideoStore, type VideoFiles } from './store.ts';

type Parts = {
  readonly sql: Sql;
  readonly blobs: Blobs;
  readonly compositions: Pick<Compositions, 'remove'>;
  readonly ends: Pick<Ends, 'within'>;
};

/** Ends a video if it has not ended, and removes it with all it has kept. @throws Fault not_found.video */
export async function removeVideo(
  { sql, blobs, compositions, ends }: Parts,
  accountId: string,
  id: string,
): Promise<void> {
  const of = { accountId, videoId: id };
  const keys = await sql.begin(async (tx) => {
    const videos = createVideoStore(tx);
    await videos.lock(accountId);
    await createStateStore(tx).lock(id);
    const row = await videos.find(accountId, id);
    if (!row) throw new Fault('not_found.video', { id });
    await ends.within(tx, of, { status: 'canceled' });
    const chunks = await createStepStore(tx).chunks(accountId, id);
    await videos.delete(accountId, id);
    const own = await ownFiles(tx, accountId, row.files);
    // While the account is locked no other video can be lent them.
    await dropBytes(blobs, own);
    return unused(chunks);
  });
  await dropBytes(blobs, keys);
  // What a failure leaves here, the sweep finds.
  await compositions.remove(blobKeys.composition(of)).catch(() => {});
}

/** Those that no other video has. */
async function ownFiles(tx: Tx, accountId: string, files: VideoFiles | null): Promise<string[]> {
  const keys = [files?.file, files?.poster, files?.captions].flatMap((file) => file?.key ?? []);
  const own: string[] = [];
  for (const key of keys) if (!(await createVideoStore(tx).hasFile(accountId, key))) own.push(key);
  return own;
}
