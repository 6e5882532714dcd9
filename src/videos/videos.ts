import { Fault } from '../errors.ts';
import type { Locale, Warning } from '../language.ts';
import type { Blobs } from '../platform/blobs/blobs.ts';
import type { Also, Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { byNumber, type Page, type PageRequest, pageOf } from '../platform/paging.ts';
import type { WorkQueue } from '../platform/work/work.ts';
import type { Filled, FilledPage } from './composition/composition.ts';
import { hasBytes } from './render/blob-cache.ts';
import { type FinishDeps, finishVideo } from './render/finish.ts';
import { type StepQueue, scheduleVideos } from './render/scheduler.ts';
import { type ClaimedStep, lockAccountAndVideo, setPendingAgain } from './render/state.ts';
import { insertStep } from './render/step-repo.ts';
import { badField, type VideoRequest } from './request.ts';
import { storeWarnings } from './stored-warning.ts';
import { isEnded, toVideo, type Video, type VideoStatus } from './video.ts';
import * as videoRepo from './video-repo.ts';

/** What this machine can encode, besides the frames. */
export type Encoders = {
  readonly aac: boolean;
  /** An ffmpeg that encodes everything, which GIFs and transparent videos need. */
  readonly ffmpeg: boolean;
};

type VideosDeps = FinishDeps & {
  readonly queue: Pick<WorkQueue<ClaimedStep>, 'open' | 'watch'> & StepQueue;
  /** @throws Fault 422 for what is wrong with the template or the data */
  readonly fill: (accountId: string, request: VideoRequest) => Promise<FilledVideo>;
  readonly encoders: () => Promise<Encoders>;
  readonly blobs: Blobs;
};

/** A filled page and the version of its template; null: a built-in one. */
export type FilledVideo = Omit<Filled, 'partials'> & { readonly templateVersion: number | null };

/** Base address and language of the owner, for links and texts of a webhook. */
export type WebhookContext = { readonly baseUrl: string; readonly locale: Locale };

type VideoFilter = PageRequest & {
  readonly status?: VideoStatus | undefined;
  readonly template?: string | undefined;
};

const MAX_UNFINISHED_VIDEOS = 100;
/** Default position of the poster. Not the middle, where two, four or six scenes of equal length change. */
const POSTER_POSITION = 0.45;

export type Videos = ReturnType<typeof createVideos>;

/**
 * The videos of an account: created, followed and canceled. In: a template with data and a format. Out: a video with
 * its status. Invariant: a video and its queued steps are stored in one transaction, under the lock of its account.
 */
export function createVideos({ fill, encoders, ...deps }: VideosDeps) {
  const { sql, queue } = deps;
  return {
    /**
     * Stores the video and queues it, in one transaction.
     * @param context required with a webhook
     * @throws Fault unavailable.videos_full, unavailable.queue, validation_failed.gif_encoder,
     * not_configured.transparent, and those of `fill`
     */
    async create(
      { accountId }: { readonly accountId: string },
      request: VideoRequest,
      context: WebhookContext = { baseUrl: '', locale: 'en' },
    ): Promise<Video> {
      const { page, templateVersion, warnings, brand } = await fill(accountId, request);
      const doubts = storeWarnings([...warnings, ...(await encoderWarnings(request, page))]);
      await queue.open();
      const id = newId('vid');
      const url = request.webhook_url;
      const order = {
        ...{ id, accountId, request, page, templateVersion, brand, warnings: doubts },
        frames: request.format === 'png' ? 1 : page.frames,
        posterFrame: posterFrameOf(request, page),
        webhook: url === undefined ? null : { url, ...context },
      };
      await sql.begin(async (tx) => {
        await videoRepo.lockVideos(tx, accountId);
        if (!(await videoRepo.insertVideo(tx, order, MAX_UNFINISHED_VIDEOS))) throw tooManyVideos();
        await begin(tx, accountId, id);
      });
      return get(accountId, id);
    },

    get,

    /** Newest first. @throws Fault validation_failed.cursor */
    async list(accountId: string, { status, template, ...request }: VideoFilter): Promise<Page<Video>> {
      const { before, limit } = byNumber(request);
      const filter = { status: status ?? null, template: template ?? null, before, limit: limit + 1 };
      return pageOf(await videoRepo.listVideos(sql, accountId, filter), limit, ({ seq }) => seq, toVideo);
    },

    /**
     * Cancels a video immediately; its workers stop within a second. Canceling twice has no further effect.
     * @throws Fault not_found.video, conflict.video_ended, unavailable.queue
     */
    async cancel(accountId: string, id: string, also?: Also): Promise<Video> {
      // The account's next video may start.
      await queue.open();
      const isEnd = await finishVideo(deps, { accountId, videoId: id }, { status: 'canceled' }, { also });
      const video = await get(accountId, id);
      if (!isEnd && video.status !== 'canceled')
        throw new Fault('conflict.video_ended', { status: video.status });
      return video;
    },

    /** Cancels every video of an account that has not ended. @throws Fault unavailable.queue */
    async cancelAll(accountId: string): Promise<void> {
      const ids = await videoRepo.listUnfinishedIds(sql, accountId);
      if (ids.length > 0) await queue.open();
      // The last first: an end lets the oldest that waits begin.
      for (const videoId of ids.reverse())
        await finishVideo(deps, { accountId, videoId }, { status: 'canceled' });
    },

    /**
     * Renders a failed or canceled video again, or one whose files are gone; its finished chunks are reused.
     * @throws Fault not_found.video, conflict.video_unfinished, conflict.video_completed, unavailable.videos_full,
     * unavailable.queue
     */
    async retry(accountId: string, id: string, also?: Also): Promise<Video> {
      await queue.open();
      await sql.begin(async (tx) => {
        const video = { accountId, videoId: id };
        await lockAccountAndVideo(tx, video);
        const row = await videoRepo.findVideo(tx, accountId, id);
        if (!row) throw new Fault('not_found.video', { id });
        if (!isEnded(row)) throw new Fault('conflict.video_unfinished', { status: row.status });
        if (row.files && (await hasBytes(deps.blobs, row.files))) throw new Fault('conflict.video_completed');
        if (!(await setPendingAgain(tx, video, MAX_UNFINISHED_VIDEOS))) throw tooManyVideos();
        await begin(tx, accountId, id);
        await also?.(tx, id);
      });
      return get(accountId, id);
    },

    /**
     * Yields the video if its revision is newer than `after`, then every change until it ends, is deleted, or the
     * signal aborts. Changes faster than the reader are merged.
     * @throws Fault not_found.video
     */
    async *follow(accountId: string, id: string, after: number, signal: AbortSignal): AsyncGenerator<Video> {
      const watch = queue.watch(id, signal);
      try {
        let video: Video | undefined = await get(accountId, id);
        for (let seen = after; video && !signal.aborted; ) {
          if (video.revision > seen) yield video;
          if (isEnded(video)) return;
          seen = video.revision;
          await watch.next();
          const row = await videoRepo.findVideo(sql, accountId, id);
          video = row && toVideo(row);
        }
      } finally {
        watch.close();
      }
    },
  };

  async function get(accountId: string, id: string): Promise<Video> {
    const row = await videoRepo.findVideo(sql, accountId, id);
    if (!row) throw new Fault('not_found.video', { id });
    return toVideo(row);
  }

  /**
   * Without an AAC encoder, a sound in an MP4 is Opus.
   * @throws Fault validation_failed.gif_encoder, not_configured.transparent
   */
  async function encoderWarnings(
    { format, transparent }: VideoRequest,
    { tracks }: FilledPage,
  ): Promise<Warning[]> {
    if (format === 'gif' && !(await encoders()).ffmpeg)
      throw badField('validation_failed.gif_encoder', ['format']);
    if (transparent && !(await encoders()).ffmpeg) throw new Fault('not_configured.transparent');
    const opus = format === 'mp4' && tracks.length > 0 && !(await encoders()).aac;
    return opus ? [{ key: 'sound_opus' }] : [];
  }

  async function begin(tx: Tx, accountId: string, videoId: string): Promise<void> {
    await insertStep(tx, { accountId, videoId }, { id: newId('vst'), kind: 'prepare', status: 'waiting' });
    await scheduleVideos(tx, queue, accountId);
  }
}

function posterFrameOf({ poster_at: at, duration, fps }: VideoRequest, { frames }: FilledPage): number {
  return Math.min(frames - 1, Math.floor((at ?? duration * POSTER_POSITION) * fps));
}

function tooManyVideos(): Fault {
  return new Fault('unavailable.videos_full', { limit: MAX_UNFINISHED_VIDEOS }, { retryAfterSeconds: 60 });
}
