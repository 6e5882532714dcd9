import type { Blobs } from '../platform/blobs/blobs.ts';
import type { Sql } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { Queue } from '../platform/queue/queue.ts';
import type { Tracing } from '../platform/tracing/tracing.ts';
import { createWorkQueue } from '../platform/work/work.ts';
import type { WorkLimits } from '../platform/work/worker.ts';
import { removeVideo, sweepVideos } from './cleanup.ts';
import type { RenderSessions } from './frames/frames.ts';
import { blobKeys, deleteBlobs, ownerOf } from './render/blob-cache.ts';
import type { Finished } from './render/finish.ts';
import { createOpenStages } from './render/open-stages.ts';
import { createRenderHandler } from './render/render.ts';
import type { Assemble, Compositions } from './render/render-context.ts';
import { claimStep } from './render/state.ts';
import { advanceStep, checkStep, releaseStep } from './render/step-repo.ts';
import type { VideoRequest } from './request.ts';
import { openPart, type VideoPart } from './video-files.ts';
import { createVideoFrames } from './video-frames.ts';
import { accountsWithOld, listBlobKeys, listOldIds, listVideoIds } from './video-repo.ts';
import { createVideos, type Encoders, type FilledVideo } from './videos.ts';

export type VideoServiceDeps = {
  readonly sql: Sql;
  /** Of the process; closed by the caller. */
  readonly queue: Queue;
  readonly blobs: Blobs;
  /** @throws Fault 422 for what is wrong with the template or the data */
  readonly fill: (accountId: string, request: VideoRequest) => Promise<FilledVideo>;
  readonly encoders: () => Promise<Encoders>;
  readonly compositions: Compositions;
  readonly stages: RenderSessions;
  readonly assemble: Assemble;
  /** Number of video steps this process works on concurrently. */
  readonly workers: number;
  readonly log: Log;
  /** Milliseconds since 1970. Default: the machine's clock. */
  readonly now?: () => number;
  readonly metrics?: Metrics;
  readonly tracing?: Tracing;
  readonly limits?: Partial<WorkLimits>;
};

const LIMITS = { progressIntervalMs: 500 };
const SESSION_IDLE_MS = 3_000;
/** Each video is a transaction of its own. */
const MAX_REMOVED = 50;

export type VideoService = ReturnType<typeof createVideoService>;

/**
 * The service of videos. In: requests of accounts. Out: videos, their files and frames, and an event at their end.
 * Invariant: the database has the truth; any process may render any step, and each step counts once.
 */
export function createVideoService(deps: VideoServiceDeps) {
  const { sql, blobs, fill, encoders, compositions, stages, workers, log, metrics, tracing } = deps;
  const queue = createWorkQueue({
    sql,
    queue: deps.queue,
    repo: { claim: claimStep, check: checkStep, advance: advanceStep, release: releaseStep },
    name: 'videos',
    noun: 'step',
    log,
    metrics,
    tracing,
    limits: { ...LIMITS, ...deps.limits },
  });
  const openStages = createOpenStages({ stages, idleTimeoutMs: SESSION_IDLE_MS, maxIdle: workers });
  const frames = createVideoFrames({ sql, compositions, stages, places: workers });
  const finishDeps = {
    ...{ sql, queue },
    onFinished(videoId: string, { status, unusedKeys }: Finished) {
      metrics?.videoEnded({ status });
      void openStages.drop(videoId);
      void deleteBlobs(blobs, unusedKeys);
    },
  };
  const context = {
    ...finishDeps,
    ...{ blobs, compositions, stages, openStages, log },
    assemble: deps.assemble,
  };
  const { create, get, list, cancel, cancelAll, retry, follow } = createVideos({
    ...finishDeps,
    blobs,
    queue,
    fill,
    encoders,
  });

  return {
    create,
    get,
    list,
    cancel,
    cancelAll,
    retry,
    follow,

    /**
     * Cancels the video if it has not ended, and deletes it with its files.
     * @throws Fault not_found.video, unavailable.queue
     */
    async remove(accountId: string, id: string): Promise<void> {
      await queue.open();
      await removeVideo(context, accountId, id);
      await frames.forget(id);
    },

    /** Of these accounts, those that have videos from before. */
    accountsWithOld: (accountIds: readonly string[], before: Date) =>
      accountsWithOld(sql, accountIds, before),

    /** Deletes some of the account's oldest videos that ended before, with their files; returns how many. */
    async removeOld(accountId: string, before: Date, limit: number): Promise<number> {
      const ids = await listOldIds(sql, accountId, before, Math.min(limit, MAX_REMOVED));
      await queue.open();
      for (const id of ids) await removeVideo(context, accountId, id);
      return ids.length;
    },

    /** Returns undefined when the video or the part does not exist (yet). */
    openFile: (accountId: string, id: string, part: VideoPart) =>
      openPart({ sql, blobs }, { accountId, id }, part),

    frame: frames.frame,

    /** Keys of the bytes of an account's videos; read them before the account is deleted and remove them afterwards. */
    async blobsOf(accountId: string): Promise<readonly string[]> {
      const ids = await listVideoIds(sql, accountId);
      const prefixes = ids.map((videoId) => blobKeys.composition({ accountId, videoId }));
      return [...prefixes, ...(await listBlobKeys(sql, accountId))];
    },

    /** Removes the keys returned by `blobsOf`; the sweep removes what a failure leaves. */
    async removeBlobs(keys: readonly string[]): Promise<void> {
      const [whole, single] = [keys.filter(isComposition), keys.filter((key) => !isComposition(key))];
      for (const prefix of whole) await compositions.remove(prefix).catch(() => {});
      await deleteBlobs(blobs, single);
    },

    /** Renders videos in this process, until `close`. */
    start: () => queue.start({ concurrency: workers, ...createRenderHandler(context) }),

    /** Handles a notice of the channel `videos`. */
    onNotify: queue.onNotify,

    /** Called after notices may have been missed. */
    onReconnect: queue.onReconnect,

    /** Deletes unused data; call hourly. */
    sweep: () => sweepVideos({ sql, blobs, now: deps.now ?? Date.now }),

    /** True once videos can be accepted. */
    isReady: queue.isOpen,

    /** Finishes running work for a few seconds; the rest returns to the queue. All browsers end. */
    async close(): Promise<void> {
      await queue.close();
      await Promise.all([openStages.close(), frames.close()]);
    },
  };
}

function isComposition(key: string): boolean {
  return ownerOf(key)?.isComposition === true;
}
