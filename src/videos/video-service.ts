import type { Blobs } from '../platform/blobs/blobs.ts';
import type { Sql } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { Queue } from '../platform/queue/queue.ts';
import type { ServerSecret } from '../platform/server-secret.ts';
import { createWorkQueue } from '../platform/work/work.ts';
import type { WorkLimits } from '../platform/work/worker.ts';
import type { FilledPage } from './composition/composition.ts';
import type { Stages } from './frames/stage.ts';
import { removeVideo } from './remove-video.ts';
import { blobKeys, deleteBlobs, ownerOf } from './render/blob-cache.ts';
import type { Finished } from './render/finish.ts';
import { createOpenStages } from './render/open-stages.ts';
import { createRenderHandler } from './render/render.ts';
import type { Assemble, Compositions } from './render/render-context.ts';
import { claimStep } from './render/state.ts';
import { advanceStep, checkStep, releaseStep } from './render/step-repo.ts';
import type { VideoRequest } from './request.ts';
import { createVideoStore } from './store.ts';
import { sweepVideos } from './sweep-videos.ts';
import { openPart, type VideoPart } from './video-files.ts';
import { createVideoFrames } from './video-frames.ts';
import { createVideos } from './videos.ts';
import type { GuardedPost } from './webhooks/guarded-post.ts';
import { createVideoWebhooks, type PresentVideo } from './webhooks/webhooks.ts';

export type VideoServiceDeps = {
  readonly sql: Sql;
  /** Of the process; closed by the caller. */
  readonly queue: Queue;
  readonly blobs: Blobs;
  /** @throws Fault 422 for what is wrong with the template or the data */
  readonly fill: (accountId: string, request: VideoRequest) => Promise<FilledPage>;
  readonly compositions: Compositions;
  readonly stages: Stages;
  readonly assemble: Assemble;
  readonly secret: ServerSecret;
  readonly post: GuardedPost;
  /** Steps that this process runs at the same time. */
  readonly workers: number;
  readonly log: Log;
  readonly limits?: Partial<WorkLimits>;
  /** Seconds between the tries of a webhook. */
  readonly pauses?: readonly number[];
};

const LIMITS = { progressIntervalMs: 500 };
const IDLE_TIMEOUT_MS = 3_000;

export type VideoService = ReturnType<typeof createVideoService>;

/** Videos: stored in the database and rendered step by step in any process, each step counting once. */
export function createVideoService(deps: VideoServiceDeps) {
  const { sql, blobs, fill, compositions, stages, workers, log } = deps;
  const queue = createWorkQueue({
    sql,
    queue: deps.queue,
    repo: { claim: claimStep, check: checkStep, advance: advanceStep, release: releaseStep },
    name: 'videos',
    noun: 'step',
    log,
    limits: { ...LIMITS, ...deps.limits },
  });
  const webhooks = createVideoWebhooks(deps);
  const openStages = createOpenStages({ stages, idleTimeoutMs: IDLE_TIMEOUT_MS, maxIdle: workers });
  const frames = createVideoFrames({ sql, compositions, stages, places: workers });
  const finishDeps = {
    ...{ sql, queue },
    enqueueWebhook: webhooks.note,
    onFinished(videoId: string, { unusedKeys, hasWebhook }: Finished) {
      if (hasWebhook) void webhooks.work();
      void openStages.drop(videoId);
      void deleteBlobs(blobs, unusedKeys);
    },
  };
  const context = {
    ...finishDeps,
    ...{ blobs, compositions, stages, openStages, log },
    assemble: deps.assemble,
  };
  const { create, get, list, cancel, retry, follow } = createVideos({ ...finishDeps, queue, fill });

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
      await removeVideo(context, accountId, id);
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
      await deleteBlobs(blobs, single);
    },

    /** Renders videos in this process and sends their webhooks, formatted by `present`, until `close`. */
    async start({ present }: { readonly present: PresentVideo }): Promise<void> {
      webhooks.start(present);
      await queue.start({ concurrency: workers, ...createRenderHandler(context) });
    },

    /** A notice on the channel `videos`. */
    onNotify: queue.onNotify,

    /** Notices may have been missed. */
    onReconnect: queue.onReconnect,

    /** Every half minute: sends the webhooks that are due. */
    work: webhooks.work,

    /** Hourly: removes what has no further use. */
    async sweep(): Promise<void> {
      await Promise.all([sweepVideos({ sql, blobs }), webhooks.sweep()]);
    },

    /** True once videos can be added. */
    isReady: queue.isOpen,

    /** Finishes what it can in a few seconds and returns the rest to the queue. Closes every browser. */
    async close(): Promise<void> {
      await queue.close();
      await Promise.all([openStages.close(), frames.close(), webhooks.close()]);
    },
  };
}

function isComposition(key: string): boolean {
  return ownerOf(key)?.isComposition === true;
}
