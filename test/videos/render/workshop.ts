import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Blobs } from '../../../src/platform/blobs/blobs.ts';
import { createFolderBlobs } from '../../../src/platform/blobs/folder-blobs.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { createQueue } from '../../../src/platform/queue/queue.ts';
import { stableJson } from '../../../src/platform/stable-json.ts';
import type { Composition, FilledPage } from '../../../src/videos/composition/composition.ts';
import { join as joinChunks } from '../../../src/videos/encode/join.ts';
import type { Compositions } from '../../../src/videos/render/render-context.ts';
import { VideoRequest } from '../../../src/videos/request.ts';
import { isEnded, type Video } from '../../../src/videos/video.ts';
import {
  createVideoService,
  type VideoService,
  type VideoServiceDeps,
} from '../../../src/videos/video-service.ts';
import { createFakeRenderer } from '../../support/fake-renderer.ts';

export const ACCOUNT = 'acc_test';

export type Node = { readonly videos: VideoService; readonly blobs: Blobs; stop(): Promise<void> };

const running = new Set<Node>();

/** After each test: one that failed must not leave workers to the next. */
export async function stopNodes(): Promise<void> {
  await Promise.all([...running].map((node) => node.stop()));
}

type More = Partial<VideoServiceDeps> & { readonly working?: boolean; readonly folder?: string };

/** The video service of one process, with a fake renderer and pages that show only the title. */
export async function openNode(database: Database, more: More = {}): Promise<Node> {
  const { sql } = database;
  const folder = more.folder ?? (await mkdtemp(join(tmpdir(), 'stallhand-videos-')));
  const blobs = more.blobs ?? createFolderBlobs(folder);
  const log = pino({ level: 'silent' });
  const queue = createQueue({ database, log });
  const videos = createVideoService({
    sql,
    queue,
    blobs,
    fill: async (_accountId, request) => ({
      page: pageOf(request),
      warnings: [],
      templateVersion: null,
      brand: null,
    }),
    encoders: async () => ({ aac: true, ffmpeg: true }),
    compositions: keptIn(blobs),
    stages: createFakeRenderer(),
    async assemble({ composition: { fps }, chunks, folder: own, signal }) {
      const path = join(own, 'video.mp4');
      await joinChunks({ chunks, fps, path, signal });
      return { path };
    },
    workers: 2,
    log,
    ...more,
  });
  const listener = await sql.listen('videos', videos.onNotify, videos.onReconnect);
  if (more.working !== false) await videos.start();
  const node = {
    videos,
    blobs,
    async stop() {
      running.delete(node);
      await videos.close();
      await queue.close();
      await listener.unlisten();
      await rm(folder, { recursive: true, force: true });
    },
  };
  running.add(node);
  return node;
}

export async function openAccount({ sql }: Pick<Database, 'sql'>, id: string = ACCOUNT): Promise<string> {
  await sql`insert into accounts (id, name) values (${id}, ${id}) on conflict do nothing`;
  return id;
}

/** What a caller asks: small, and of ten seconds, which are two chunks. */
export function asked(more: Record<string, unknown> = {}): VideoRequest {
  return VideoRequest.parse({ title: 'Summer sale', duration: 10, width: 64, height: 64, ...more });
}

export const ask = (videos: VideoService, more: Record<string, unknown> = {}, accountId = ACCOUNT) =>
  videos.create({ accountId }, asked(more));

function pageOf({ title, duration, fps, width = 64, height = 64, captions }: VideoRequest): FilledPage {
  const frames = Math.round(duration * fps);
  const html = `<div id="stage">${title}</div>`;
  const cues = Array.isArray(captions) ? captions : [];
  return { html, scripts: false, tracks: [], captions: cues, width, height, fps, frames };
}

/** Pages as they are, without assets. */
export function keptIn(blobs: Blobs): Compositions {
  const key = (prefix: string) => `${prefix}/page`;
  return {
    gather: async (page) => ({ ...page, assets: new Map() }),
    async keep(prefix, { assets: _, ...page }) {
      await blobs.put(key(prefix), Buffer.from(JSON.stringify(page)));
    },
    remove: (prefix) => blobs.delete(key(prefix)),
    async load(prefix) {
      const found = await blobs.open(key(prefix));
      if (!found) return undefined;
      const text = Buffer.concat(await found.stream.toArray()).toString();
      const page: Composition = { ...JSON.parse(text), assets: new Map() };
      return page;
    },
    hash: ({ assets: _, ...page }, how) => hash('sha256', stableJson([page, how])),
  };
}

/** Every state of the video that is seen from now on, the last one being its end. */
export async function statesOf(videos: VideoService, id: string, accountId = ACCOUNT): Promise<Video[]> {
  return Array.fromAsync(videos.follow(accountId, id, 0, AbortSignal.timeout(50_000)));
}

/** The video at its end. */
export async function endOf(videos: VideoService, id: string, accountId = ACCOUNT): Promise<Video> {
  const last = (await statesOf(videos, id, accountId)).at(-1);
  if (!last || !isEnded(last)) throw new Error(`${id} did not end: it is ${last?.status}`);
  return last;
}

/** Waits for a state of the video. */
export async function until(
  videos: VideoService,
  id: string,
  passes: (video: Video) => boolean,
): Promise<Video> {
  for await (const video of videos.follow(ACCOUNT, id, 0, AbortSignal.timeout(50_000)))
    if (passes(video)) return video;
  throw new Error(`${id} never came to that`);
}

/** Never resolves: work that ends only when it is told to. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
