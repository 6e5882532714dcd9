import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../src/identity/caller.ts';
import { VideoRequest } from '../../src/videos/request.ts';
import type { Video } from '../../src/videos/video.ts';
import { newBareCaller, openTestApp, type TestApp, useTools } from '../support/app.ts';
import { childProcesses } from '../support/child-processes.ts';

/** No test here measures time, and the browser and encoder share the machine with other tests. */
const PATIENCE_MS = 120_000;

// The whole way, with a real browser and a real encoder.
let app: TestApp;
let caller: Caller;
beforeAll(async () => {
  app = await openTestApp({ VIDEO_WORKERS: '1' });
  caller = await newBareCaller(app);
  await app.videos.start();
});
afterAll(() => app.close());

function ask(more: Record<string, unknown>): Promise<Video> {
  const request = VideoRequest.parse({ title: 'Summer sale', duration: 1, width: 90, height: 160, ...more });
  return app.videos.create(caller, request);
}

async function until({ id }: Video, passes: (video: Video) => boolean): Promise<Video> {
  for await (const video of app.videos.follow(caller.accountId, id, 0, AbortSignal.timeout(PATIENCE_MS)))
    if (passes(video)) return video;
  throw new Error(`${id} never came to that`);
}

const hasEnded = ({ endedAt }: Video) => endedAt !== null;

/** What ffprobe says of a file: its streams with how many frames each has, and its seconds. */
async function probe({ id }: Video, part: 'file' | 'poster') {
  const opened = await app.videos.openFile(caller.accountId, id, part);
  const bytes = Buffer.concat((await (await opened?.read())?.stream.toArray()) ?? []);
  const folder = await mkdtemp(join(tmpdir(), 'stallhand-probe-'));
  const path = join(folder, 'file');
  await writeFile(path, bytes);
  const entries = 'stream=codec_name,width,height,r_frame_rate,avg_frame_rate,nb_read_frames:format=duration';
  const said = execFileSync('ffprobe', [
    '-v',
    'error',
    '-count_frames',
    '-show_entries',
    entries,
    '-of',
    'json',
    path,
  ]);
  await rm(folder, { recursive: true });
  return JSON.parse(said.toString());
}

test.each([
  ['3840 × 2160', { width: 3840, height: 2160 }],
  ['2160 × 3840, a draft', { width: 2160, height: 3840, quality: 'draft' }],
])('%s is encoded in that size, in pieces that join', { timeout: 2 * PATIENCE_MS }, async (_what, size) => {
  const video = await until(await ask({ duration: 2.1, ...size }), hasEnded);
  // The page paints itself: two of 63 frames are compared with screenshots of that size.
  expect(video).toMatchObject({
    status: 'completed',
    error: null,
    engine: { path: expect.not.stringMatching('screenshot') },
  });
  const { streams } = await probe(video, 'file');
  expect(streams).toMatchObject([
    { codec_name: 'h264', width: size.width, height: size.height, nb_read_frames: '63' },
  ]);
});

/** A second of a tone, as the request carries it. */
function tone(): string {
  const wav = ['-f', 'lavfi', '-i', 'sine=duration=1:sample_rate=8000', '-f', 'wav', 'pipe:1'];
  return `data:audio/wav;base64,${execFileSync('ffmpeg', ['-v', 'error', ...wav]).toString('base64')}`;
}

test('29.97 frames a second are 30,000 in 1,001 seconds, over more than one piece', {
  timeout: 2 * PATIENCE_MS,
}, async () => {
  const video = await until(await ask({ duration: 6, fps: 29.97, quality: 'draft' }), hasEnded);
  expect(video).toMatchObject({ status: 'completed', fps: 29.97, frames: { total: 180 } });
  const { streams, format } = await probe(video, 'file');
  expect(streams).toMatchObject([
    { r_frame_rate: '30000/1001', avg_frame_rate: '30000/1001', nb_read_frames: '180' },
  ]);
  expect(Number(format.duration)).toBeCloseTo((180 * 1001) / 30_000, 3);
  await expect(ask({ fps: 29.98 })).rejects.toMatchObject({ key: 'validation_failed.video_fps' });
});

test('a title and a sound make a video of the requested size and length', {
  timeout: 2 * PATIENCE_MS,
}, async () => {
  const video = await until(await ask({ audio: [{ src: tone() }] }), hasEnded);
  expect(video).toMatchObject({
    ...{ status: 'completed', error: null, frames: { done: 30, total: 30 }, hasPoster: true },
    engine: { browser: expect.stringMatching(/Chrome/), encoder: expect.stringMatching(/./) },
  });
  const { streams, format } = await probe(video, 'file');
  expect(streams).toMatchObject([
    { codec_name: 'h264', width: 90, height: 160, nb_read_frames: '30' },
    { codec_name: expect.stringMatching(/^(aac|opus)$/) },
  ]);
  expect(Number(format.duration)).toBeCloseTo(1, 2);
  expect((await probe(video, 'poster')).streams).toMatchObject([
    { codec_name: 'mjpeg', width: 90, height: 160 },
  ]);
});

// How soon is measured where nothing else runs: test/faults/video-cancel.test.ts.
test('a canceled video leaves no process behind that it had started', {
  timeout: 2 * PATIENCE_MS,
}, async () => {
  const others = new Set(await childProcesses());
  const started = async () => (await childProcesses()).filter((one) => !others.has(one));
  const video = await ask({ duration: 60, width: 540, height: 960 });
  await until(video, ({ frames }) => frames.done > 0);
  expect(await started()).not.toEqual([]);
  await app.videos.cancel(caller.accountId, video.id);
  await expect.poll(started, { interval: 20 }).toEqual([]);
});

test('a video retried shows its partials as they were; a new video and a new preview show what they are now', {
  timeout: 2 * PATIENCE_MS,
}, async () => {
  const call = useTools(app, caller);
  const { accountId } = caller;
  const box = (color: string) => `<b style="position:absolute;inset:0;background:${color}"></b>`;
  await call('create_template', { name: 'box', kind: 'partial', html: box('#f00') });
  const html = '<main id="stage">{{> box}}</main>';
  await call('save_video_template', { template: 'boxed', html, manifest: { title: 'Boxed' } });
  const still = { template: 'boxed', format: 'png', height: 90 };
  const old = await ask(still);
  await app.videos.cancel(accountId, old.id);
  await call('update_template', { template: 'box', html: box('#00f') });
  for (const to of ['staging', 'production']) await call('promote_template', { template: 'box', to });

  await app.videos.retry(accountId, old.id);
  expect(await colorOf(await until(old, hasEnded))).toEqual([255, 0, 0]);
  expect(await colorOf(await until(await ask(still), hasEnded))).toEqual([0, 0, 255]);
  const preview = await app.videos.preview(
    accountId,
    { name: 'boxed' },
    {
      addresses: { engineUrl: '/engine', fontsUrl: '/fonts' },
      say: String,
      signal: AbortSignal.timeout(60_000),
    },
  );
  expect(preview.html).toContain('background:#00f');
});

/** The first pixel of a still. */
async function colorOf({ id }: Video): Promise<number[]> {
  const opened = await app.videos.openFile(caller.accountId, id, 'file');
  const bytes = Buffer.concat((await (await opened?.read())?.stream.toArray()) ?? []);
  return [...PNG.sync.read(bytes).data.subarray(0, 3)];
}
