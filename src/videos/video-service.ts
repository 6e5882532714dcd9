import type { Blobs } from '../platform/blobs/blobs.ts';
import type { Database } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import type { ServerSecret } from '../platform/server-secret.ts';
import type { WorkLimits } from '../platform/work/limits.ts';
import { createWorkQueue } from '../platform/work/work-queue.ts';
import type { FilledPage } from './composition/composition.ts';
import type { Stages } from './frames/stage.ts';
import { removeVideo } from './remove-video.ts';
import { blobKeys, ownerOf } from './render/blob-keys.ts';
import { createEnds } from './render/ends.ts';
import { dropBytes } from './render/kept-bytes.ts';
import type { Assemble, Compositions } from './render/making.ts';
import { createOpenStages } from './render/open-stages.ts';
import { createRenderWork } from './render/render-work.ts';
import { createStepWorkStore } from './render/step-work-store.ts';
import { createTurns } from './render/turns.ts';
import type { VideoRequest } from './request.ts';
import { createVideoStore } from './store.ts';
import { sweepVideos } from './sweep-videos.ts';
import { openPart, type VideoPart } from './video-files.ts';
import { createVideoFrames } from './video-frames.ts';
import { createVideos } from './videos.ts';
import type { GuardedPost } from './webhooks/guarded-post.ts';
import { createVideoWebhooks, type PresentVideo } from './webhooks/webhooks.ts';

export type VideoServiceParts = {
  readonly database: Pick<Database, 'sql' | 'engine'>;
  readonly blobs: Blobs;
  /** @throws Fault 422 for what is wrong with the template or the data */
  readonly fill: (accountId: string, request: VideoRequest) => Promise<FilledPage>;
  readonly compositions: Compositions;
  readonly stages: Stages;
  readonly assemble: Assemble;
  readonly secret: ServerSecret;
  readonly post: GuardedPost;
  /** Steps of videos that this process does at once. */
  readonly workers: number;
  readonly log: Log;
  readonly limits?: Partial<WorkLimits>;
  /** Seconds between the tries of a webhook. */
  readonly pauses?: readonly number[];
};

/** A chunk may take minutes; a cancelation whose notice was lost is found by the next beat. */
const LIMITS = { beatMs: 1_000, progressMs: 500 };
const IDLE_MS = 3_000;

export type VideoService = ReturnType<typeof createVideoService>;

/** Videos: kept in the database, made in pieces by any process, each piece of them counting once. */
export function createVideoService(parts: VideoServiceParts) {
  const { database, blobs, fill, compositions, stages, workers, log } = parts;
  const { sql } = database;
  const queue = createWorkQueue({
    database,
    storeOf: createStepWorkStore,
    name: 'videos',
    words: { noun: 'step', queue: 'the queue of videos' },
    log,
    limits: { ...LIMITS, ...parts.limits },
  });
  const webhooks = createVideoWebhooks({ ...parts, sql });
  const openStages = createOpenStages({ stages, idleMs: IDLE_MS, most: workers });
  const frames = createVideoFrames({ sql, compositions, stages, places: workers });
  const turns = createTurns(queue);
  const ends = createEnds({
    sql,
    turns,
    note: webhooks.note,
    after(videoId, keys) {
      void webhooks.work();
      void openStages.drop(videoId);
      void dropBytes(blobs, keys);
    },
  });
  const making = {
    ...{ sql, blobs, compositions, stages, openStages, turns, ends, log },
    assemble: parts.assemble,
  };
  const { create, get, list, cancel, retry, follow } = createVideos({ sql, queue, fill, turns, ends });

  return {
    create,
    get,
    list,
    cancel,
    retry,
    follow,

    /** Ends it if it has not ended, and removes it with its files. @throws Fault not_found.video, unavailable.queue */
    async remove(accountId: string, id: string): Promise<void> {
      await queue.open();
      await removeVideo(making, accountId, id);
      await frames.forget(id);
      void webhooks.work();
    },

    /** Undefined when there is no such video, or no such part of it yet. */
    openFile: (accountId: string, id: string, part: VideoPart) =>
      openPart({ sql, blobs }, { accountId, id }, part),

    frame: frames.frame,

    /** What receivers of the account's webhooks check signatures with. */
    webhookSecret: webhooks.secretOf,

    /** Where the bytes of an account's videos are; to be read before the account is deleted, and removed after. */
    async blobsOf(accountId: string): Promise<readonly string[]> {
      const store = createVideoStore(sql);
      const ids = await store.idsOf(accountId);
      const prefixes = ids.map((videoId) => blobKeys.composition({ accountId, videoId }));
      return [...prefixes, ...(await store.blobsOf(accountId))];
    },

    /** Removes what `blobsOf` has told of; the sweep finds what a failure leaves. */
    async removeBlobs(keys: readonly string[]): Promise<void> {
      const [whole, single] = [keys.filter(isComposition), keys.filter((key) => !isComposition(key))];
      for (const prefix of whole) await compositions.remove(prefix).catch(() => {});
      await dropBytes(blobs, single);
    },

    /** Makes videos in this process, and tells of their ends in the words of `present`, until `close`. */
    async start({ present }: { readonly present: PresentVideo }): Promise<void> {
      webhooks.start(present);
      await queue.start({ concurrency: workers, ...createRenderWork(making) });
    },

    /** A notice on the channel `videos`. */
    onNotify: queue.heard,

    /** Notices may have been missed. */
    onReconnect: queue.heardAgain,

    /** Every half minute: delivers the news that are due. */
    work: webhooks.work,

    /** Hourly: queues what the queue has lost, and forgets what is of no more use. */
    async sweep(): Promise<void> {
      await Promise.all([sweepVideos({ sql, blobs, queue, log }), webhooks.sweep()]);
    },

    /** True once videos can be taken in. */
    isReady: queue.isOpen,

    /** Finishes what it can in some seconds; the rest goes back to the queue. Every browser has ended then. */
    async close(): Promise<void> {
      await queue.close();
      await Promise.all([openStages.close(), frames.close(), webhooks.close()]);
    },
  };
}

function isComposition(key: string): boolean {
  return ownerOf(key)?.isComposition === true;
}
