import { Fault } from '../errors.ts';
import type { Locale } from '../language.ts';
import type { Sql, Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { byNumber, type Page, type PageRequest, pageOf } from '../platform/paging.ts';
import type { WorkQueue } from '../platform/work/work-queue.ts';
import { asVideo } from './as-video.ts';
import type { FilledPage } from './composition/composition.ts';
import type { Ends } from './render/ends.ts';
import { createStateStore } from './render/state-store.ts';
import type { Step } from './render/step.ts';
import { createStepStore } from './render/step-store.ts';
import type { Turns } from './render/turns.ts';
import type { VideoRequest } from './request.ts';
import { createVideoStore } from './store.ts';
import { isEnded, type Video, type VideoStatus } from './video.ts';

type Parts = {
  readonly sql: Sql;
  readonly queue: Pick<WorkQueue<Step>, 'open' | 'watch'>;
  /** @throws Fault 422 for what is wrong with the template or the data */
  readonly fill: (accountId: string, request: VideoRequest) => Promise<FilledPage>;
  readonly turns: Turns;
  readonly ends: Ends;
};

/** How the owner reaches the server, and reads: for the links and words of a webhook. */
export type Told = { readonly baseUrl: string; readonly locale: Locale };

type VideoFilter = PageRequest & {
  readonly status?: VideoStatus | undefined;
  readonly template?: string | undefined;
};

/** Unfinished videos an account may have. */
const MOST = 100;
/**
 * What part of the video the poster shows, unless one says a moment. Not the middle: there, two, four or six scenes of equal
 * length change.
 */
const POSTER_AT = 0.45;

/** The videos of an account: asked for, watched and ended. */
export function createVideos({ sql, queue, fill, turns, ends }: Parts) {
  const store = createVideoStore(sql);

  return {
    /**
     * Keeps the video and queues it: both happen, or neither.
     * @param told Needed with a webhook.
     * @throws Fault unavailable.videos_full, unavailable.queue, and those of `fill`
     */
    async create(
      { accountId }: { readonly accountId: string },
      request: VideoRequest,
      told: Told = { baseUrl: '', locale: 'en' },
    ): Promise<Video> {
      const page = await fill(accountId, request);
      await queue.open();
      const id = newId('vid');
      const url = request.webhook_url;
      const order = {
        ...{ id, accountId, request, page },
        frames: request.format === 'png' ? 1 : page.frames,
        posterFrame: posterFrameOf(request, page),
        webhook: url === undefined ? null : { url, ...told },
      };
      await sql.begin(async (tx) => {
        const own = createVideoStore(tx);
        await own.lock(accountId);
        if (!(await own.insert(order, MOST))) throw full();
        await begin(tx, accountId, id);
      });
      return get(accountId, id);
    },

    get,

    /** Newest first. @throws Fault validation_failed.cursor */
    async list(accountId: string, { status, template, ...request }: VideoFilter): Promise<Page<Video>> {
      const { before, limit } = byNumber(request);
      const filter = { status: status ?? null, template: template ?? null, before, limit: limit + 1 };
      return pageOf(await store.list(accountId, filter), limit, ({ seq }) => seq, asVideo);
    },

    /**
     * Ends a video at once; who works at it stops within a second. Canceling twice is canceling once.
     * @throws Fault not_found.video, conflict.video_ended, unavailable.queue
     */
    async cancel(accountId: string, id: string): Promise<Video> {
      // The next one of the account may get its turn.
      await queue.open();
      const isEnd = await ends.end({ accountId, videoId: id }, { status: 'canceled' }, async () => true);
      const video = await get(accountId, id);
      if (!isEnd && video.status !== 'canceled')
        throw new Fault('conflict.video_ended', { status: video.status });
      return video;
    },

    /**
     * Makes a video that has failed or was canceled once more; the chunks it has are kept.
     * @throws Fault not_found.video, conflict.video_unfinished, conflict.video_completed, unavailable.videos_full,
     * unavailable.queue
     */
    async retry(accountId: string, id: string): Promise<Video> {
      await queue.open();
      await sql.begin(async (tx) => {
        await createVideoStore(tx).lock(accountId);
        await createStateStore(tx).lock(id);
        const row = await createVideoStore(tx).find(accountId, id);
        if (!row) throw new Fault('not_found.video', { id });
        if (!isEnded(row)) throw new Fault('conflict.video_unfinished', { status: row.status });
        if (row.status === 'completed') throw new Fault('conflict.video_completed');
        if (!(await createStateStore(tx).retry(accountId, id, MOST))) throw full();
        await begin(tx, accountId, id);
      });
      return get(accountId, id);
    },

    /**
     * The video as it is, if that is news to one who has seen revision `after`, then every change, until it has ended, is
     * removed, or the signal aborts. Changes that follow each other faster than they are read become one.
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
          const row = await store.find(accountId, id);
          video = row && asVideo(row);
        }
      } finally {
        watch.close();
      }
    },
  };

  async function get(accountId: string, id: string): Promise<Video> {
    const row = await store.find(accountId, id);
    if (!row) throw new Fault('not_found.video', { id });
    return asVideo(row);
  }

  async function begin(tx: Tx, accountId: string, videoId: string): Promise<void> {
    await createStepStore(tx).insert(accountId, videoId, newId('vst'), 'prepare');
    await turns.nextVideos(tx, accountId);
  }
}

function posterFrameOf({ poster_at: at, duration, fps }: VideoRequest, { frames }: FilledPage): number {
  return Math.min(frames - 1, Math.floor((at ?? duration * POSTER_AT) * fps));
}

function full(): Fault {
  return new Fault('unavailable.videos_full', { limit: MOST }, { retryAfterSeconds: 60 });
}
