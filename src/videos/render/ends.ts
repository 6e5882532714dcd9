import type { Sql, Tx } from '../../platform/database/database.ts';
import { createVideoStore, type VideoRow } from '../store.ts';
import { createStateStore, type VideoEnd } from './state-store.ts';
import type { Step } from './step.ts';
import { createStepStore } from './step-store.ts';
import type { Turns } from './turns.ts';

type Parts = {
  readonly sql: Sql;
  readonly turns: Turns;
  /** Notes in the transaction that somebody is to be told of the end. */
  readonly note: (tx: Tx, video: VideoRow) => Promise<void>;
  /** After the transaction: what was noted can go, and what is kept under the keys is of no more use. */
  readonly after: (videoId: string, keys: readonly string[]) => void;
};

type Of = { readonly accountId: string; readonly videoId: string };

/** How videos end: each of them once, with its news, and the turn goes to the next one of its account. */
export function createEnds({ sql, turns, note, after }: Parts) {
  return {
    /**
     * @param holds Whether it is still to end so, in the transaction.
     * @returns whether this was its end
     */
    end: (of: Of, end: VideoEnd, holds: (tx: Tx) => Promise<boolean>) =>
      settle(of, async (tx) => ((await holds(tx)) ? end : undefined)),

    /** Completes it with the files of a video of the account that is the same: false when there is none. */
    lend: (of: Of, contentHash: string, holds: (tx: Tx) => Promise<boolean>) =>
      settle(of, async (tx) => {
        const lender = await createStateStore(tx).lender(of.accountId, contentHash);
        return lender && (await holds(tx)) ? { status: 'completed', ...lender, contentHash } : undefined;
      }),

    /** The same in a transaction that holds the account's lock and the video's; answers what `after` is to be told. */
    within,
  };

  async function settle(of: Of, endOf: (tx: Tx) => Promise<VideoEnd | undefined>): Promise<boolean> {
    const keys = await sql.begin(async (tx) => {
      await createVideoStore(tx).lock(of.accountId);
      await createStateStore(tx).lock(of.videoId);
      const end = await endOf(tx);
      return end && within(tx, of, end);
    });
    if (keys) after(of.videoId, keys);
    return keys !== undefined;
  }

  async function within(tx: Tx, of: Of, end: VideoEnd): Promise<readonly string[] | undefined> {
    const { accountId, videoId } = of;
    const steps = createStepStore(tx);
    const isCompleted = end.status === 'completed';
    const chunks = isCompleted ? await steps.chunks(accountId, videoId) : [];
    await steps.drop(accountId, videoId, isCompleted ? 'nothing' : 'chunks');
    if (!(await createStateStore(tx).end(accountId, videoId, end))) return undefined;
    const video = await createVideoStore(tx).find(accountId, videoId);
    if (video) await note(tx, video);
    await turns.nextVideos(tx, accountId);
    return isCompleted ? unused(chunks, end.files.poster?.key) : [];
  }
}

export type Ends = ReturnType<typeof createEnds>;

/** What chunks have kept, but for the poster of the video. */
export function unused(chunks: readonly Step[], poster?: string): string[] {
  return chunks
    .flatMap(({ blob_key, poster: own }) => [blob_key ?? [], own?.key ?? []].flat())
    .filter((key) => key !== poster);
}
