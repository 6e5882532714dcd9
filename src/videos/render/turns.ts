import type { Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import type { WorkQueue } from '../../platform/work/work-queue.ts';
import { oddChunks } from './odd-chunks.ts';
import { createStateStore } from './state-store.ts';
import type { Step } from './step.ts';
import { createStepStore } from './step-store.ts';

type StepQueue = Pick<WorkQueue<Step>, 'add'>;

type Of = { readonly accountId: string; readonly videoId: string };

/** Videos of an account that are worked at; the others wait for their turn. */
const VIDEOS_AT_ONCE = 3;
/** Chunks of a video with a ticket. As the queue is served in its order, videos take turns by them. */
const CHUNKS_AT_ONCE = 4;
/** How often the pieces of other machines may be made anew. */
const REMADE_MOST = 3;

/** Who has the next turn: in transactions that hold the lock of what they change. */
export function createTurns(queue: StepQueue) {
  return {
    /** Begins the oldest waiting videos of the account. The lock is the account's. */
    async nextVideos(tx: Tx, accountId: string): Promise<void> {
      const begun = await createStepStore(tx).queueVideos(accountId, VIDEOS_AT_ONCE);
      for (const { id, attempt } of begun) await queue.add(tx, { accountId, id, from: attempt });
    },

    /** Queues what is next of a video that has its chunks: some of them, or its end. The lock is the video's. */
    async nextSteps(tx: Tx, { accountId, videoId }: Of): Promise<void> {
      const states = createStateStore(tx);
      const steps = createStepStore(tx);
      const chunks = await steps.chunks(accountId, videoId);
      const left = chunks.filter(({ status }) => status !== 'done');
      const odd = left.length === 0 ? oddChunks(chunks) : [];
      const remakes = odd.length > 0 && (await states.remade(accountId, videoId)) <= REMADE_MOST;
      if (left.length === 0 && !remakes) return finish(tx, { accountId, videoId });
      await give(tx, accountId, remakes ? odd : firstOf(left));
      await states.seen(accountId, videoId);
    },
  };

  async function give(tx: Tx, accountId: string, next: readonly Step[]): Promise<void> {
    const ids = next.map(({ id }) => id);
    await createStepStore(tx).queue(accountId, ids);
    for (const { id, attempt } of next) await queue.add(tx, { accountId, id, from: attempt });
  }

  async function finish(tx: Tx, { accountId, videoId }: Of): Promise<void> {
    const id = newId('vst');
    await createStepStore(tx).insert(accountId, videoId, id, 'finish');
    await createStepStore(tx).queue(accountId, [id]);
    // It is short, and somebody waits for it longer than for any other step.
    await queue.add(tx, { accountId, id, from: 0 }, { ahead: true });
    await createStateStore(tx).finalizing(accountId, videoId);
  }
}

export type Turns = ReturnType<typeof createTurns>;

function firstOf(left: readonly Step[]): Step[] {
  const under = left.filter(({ status }) => status !== 'waiting').length;
  return left.filter(({ status }) => status === 'waiting').slice(0, Math.max(0, CHUNKS_AT_ONCE - under));
}
