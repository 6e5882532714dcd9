import { hash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Fault } from '../../src/errors.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { createFakeRenderer } from '../support/fake-renderer.ts';
import {
  ACCOUNT,
  aborted,
  ask,
  endOf,
  openAccount,
  openNode,
  statesOf,
  stopNodes,
  until,
} from './render/workshop.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  await database.reset();
  await openAccount(database);
});
afterEach(stopNodes);
afterAll(() => database.close());

const faultOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no fault',
    (error: unknown) => (error instanceof Fault ? { key: error.key, params: error.params } : error),
  );

const isRendering = ({ status }: { status: string }) => status === 'rendering';

/** A browser that paints until it is told to end. */
const endless = () => createFakeRenderer({ paint: ({ signal }) => aborted(signal) });

test('a video is pending, then rendering, then finalizing, then completed', async () => {
  const { videos } = await openNode(database);
  const created = await ask(videos);
  const states = await statesOf(videos, created.id);
  expect(created).toEqual({
    ...{ id: created.id, title: 'Summer sale', duration: 10, template: 'default', status: 'pending' },
    ...{ format: 'mp4', quality: 'standard', width: 64, height: 64, fps: 30 },
    ...{
      frames: { done: 0, total: 300 },
      etaSeconds: null,
      error: null,
      attempt: 1,
      revision: 1,
      engine: null,
    },
    ...{
      sizeBytes: null,
      hasPoster: false,
      hasCaptions: false,
      warnings: [],
      templateVersion: null,
      brand: null,
    },
    ...{ createdAt: expect.any(Date), startedAt: null, endedAt: null },
  });
  expect(states.map(({ status }) => status).filter((status, nth, all) => status !== all[nth - 1])).toEqual([
    ...['pending', 'rendering', 'finalizing', 'completed'],
  ]);
  const revisions = states.map(({ revision }) => revision);
  expect(revisions).toEqual([...new Set(revisions)].sort((one, other) => one - other));
  expect(states.at(-1)).toMatchObject({
    ...{ status: 'completed', frames: { done: 300, total: 300 }, error: null, hasPoster: true },
    ...{ engine: { path: 'canvas', browser: 'Fake/1', encoder: 'fake 1' }, sizeBytes: expect.any(Number) },
  });
});

const PAGE = {
  html: '<p id="stage">',
  scripts: false,
  captions: [],
  width: 64,
  height: 64,
  fps: 30,
  frames: 30,
};
const TRACK = { source: 'a', start: 0, volume: 1, fadeIn: 0, fadeOut: 0, loop: false, duck: false };
const UNKNOWN = { key: 'unknown_field', params: { field: 'data.x' }, field: 'data.x' } as const;
const TOO_LONG = { key: 'text_too_long', params: { text: 'Long' } } as const;

test('warnings of the data are there at once, those of the rendering when it is completed, also from the cache', async () => {
  const { videos } = await openNode(database, {
    fill: async () => ({
      page: { ...PAGE, tracks: [] },
      warnings: [UNKNOWN],
      templateVersion: 3,
      brand: null,
    }),
    stages: createFakeRenderer({ warnings: [TOO_LONG] }),
  });
  for (const title of ['rendered', 'from the cache']) {
    const created = await ask(videos, { title });
    expect(created).toMatchObject({ warnings: [UNKNOWN], templateVersion: 3 });
    expect((await endOf(videos, created.id)).warnings).toEqual([UNKNOWN, TOO_LONG]);
  }
  expect((await videos.list(ACCOUNT, { limit: 1 })).items[0]?.warnings).toEqual([UNKNOWN, TOO_LONG]);
});

test('without an encoder a GIF and a transparent video are refused when they are asked for, and a sound in an MP4 is a warning', async () => {
  const { videos } = await openNode(database, {
    working: false,
    encoders: async () => ({ aac: false, ffmpeg: false }),
    fill: async () => ({
      page: { ...PAGE, tracks: [TRACK] },
      warnings: [],
      templateVersion: null,
      brand: null,
    }),
  });
  await expect(ask(videos, { format: 'gif' })).rejects.toMatchObject({
    key: 'validation_failed.gif_encoder',
    errors: [{ loc: ['body', 'format'] }],
  });
  await expect(ask(videos, { format: 'webm', transparent: true })).rejects.toMatchObject({
    ...{ key: 'not_configured.transparent', status: 503 },
  });
  expect((await videos.list(ACCOUNT, { limit: 1 })).items).toEqual([]);
  expect((await ask(videos)).warnings).toEqual([{ key: 'sound_opus' }]);
  expect((await ask(videos, { format: 'webm' })).warnings).toEqual([]);
});

test('a completed video has its file, the poster of a moment before the middle, and captions where it was given some', async () => {
  const { videos } = await openNode(database);
  const { id } = await ask(videos, {
    title: '¡Rebajas de verano!',
    captions: [{ start: 0, end: 2, text: 'Hola' }],
  });
  const { sizeBytes } = await endOf(videos, id);
  const read = async (part: 'file' | 'poster' | 'captions') => {
    const opened = await videos.openFile(ACCOUNT, id, part);
    const bytes = Buffer.concat((await (await opened?.read())?.stream.toArray()) ?? []);
    expect(opened).toMatchObject({ bytes: bytes.length, sha256: hash('sha256', bytes) });
    return { mediaType: opened?.mediaType, filename: opened?.filename, bytes };
  };
  const file = await read('file');
  expect(file).toMatchObject({ mediaType: 'video/mp4', filename: 'rebajas-de-verano.mp4' });
  expect(file.bytes.length).toBe(sizeBytes);
  expect(file.bytes.toString('latin1', 4, 8)).toBe('ftyp');
  expect(await read('poster')).toEqual({
    mediaType: 'image/jpeg',
    filename: 'rebajas-de-verano.jpg',
    bytes: Buffer.from('jpeg of frame 135'),
  });
  expect(await read('captions')).toEqual({
    mediaType: 'text/vtt; charset=utf-8',
    filename: 'rebajas-de-verano.vtt',
    bytes: Buffer.from('WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nHola\n'),
  });
  const silent = await ask(videos);
  await endOf(videos, silent.id);
  expect(await videos.openFile(ACCOUNT, silent.id, 'captions')).toBeUndefined();
  expect(await videos.openFile('acc_other', id, 'file')).toBeUndefined();
});

test('a png is one still of the moment that was asked for', async () => {
  const stages = createFakeRenderer();
  const { videos } = await openNode(database, { stages });
  const { id } = await ask(videos, { format: 'png', poster_at: 2 });
  const video = await endOf(videos, id);
  const file = await videos.openFile(ACCOUNT, id, 'file');
  const bytes = Buffer.concat((await (await file?.read())?.stream.toArray()) ?? []);
  expect(video).toMatchObject({
    status: 'completed',
    frames: { done: 1, total: 1 },
    engine: null,
    hasPoster: false,
  });
  expect(bytes.toString()).toBe('png of frame 60');
  expect(stages.asked).toEqual([]);
});

test('an identical video is not rendered again: it shares its files until the last is removed', async () => {
  const stages = createFakeRenderer();
  const { videos, blobs } = await openNode(database, { stages });
  const first = await endOf(videos, (await ask(videos)).id);
  const second = await endOf(videos, (await ask(videos)).id);
  const other = await endOf(videos, (await ask(videos, { title: 'Winter sale' })).id);
  expect(stages.asked).toHaveLength(4);
  expect(second).toMatchObject({ status: 'completed', engine: first.engine, sizeBytes: first.sizeBytes });
  expect(second.frames).toEqual({ done: 300, total: 300 });
  const shared = await videos.openFile(ACCOUNT, second.id, 'file');
  await videos.remove(ACCOUNT, first.id);
  const opened = await shared?.read();
  opened?.stream.destroy();
  expect(opened?.size).toBe(first.sizeBytes);
  await videos.remove(ACCOUNT, second.id);
  expect(await shared?.read()).toBeUndefined();
  await videos.remove(ACCOUNT, other.id);
  expect(await Array.fromAsync(blobs.keys(new Date(Date.now() + 60_000)))).toEqual([]);
});

test('the same for another account is made for that account', async () => {
  const stages = createFakeRenderer();
  const { videos } = await openNode(database, { stages });
  const other = await openAccount(database, 'acc_other');
  await endOf(videos, (await ask(videos)).id);
  await endOf(videos, (await ask(videos, {}, other)).id, other);
  expect(stages.asked).toHaveLength(4);
});

describe('canceling', () => {
  test('a video that no worker has begun ends at once, and canceling twice is canceling once', async () => {
    const { videos } = await openNode(database, { working: false });
    const { id } = await ask(videos);
    const canceled = await videos.cancel(ACCOUNT, id);
    expect(canceled).toMatchObject({ status: 'canceled', endedAt: expect.any(Date) });
    expect(await videos.cancel(ACCOUNT, id)).toEqual(canceled);
  });

  test('works in a process that has made no video yet, and gives the turn to the next one', async () => {
    const { videos, blobs } = await openNode(database, { working: false });
    const made = [];
    for (let count = 0; count < 4; count++) made.push(await ask(videos, { duration: 1 }));
    const other = await openNode(database, { working: false, blobs });
    await other.videos.cancel(ACCOUNT, made[0]?.id ?? '');
    const waiting = await database.sql`select id from video_steps where status = 'waiting'`;
    expect(waiting).toHaveLength(0);
  });

  test('a running one ends its browser by the notice', async () => {
    const stages = endless();
    const { videos } = await openNode(database, { stages });
    const { id } = await ask(videos);
    await until(videos, id, isRendering);
    await expect.poll(() => stages.count.now).toBe(2);
    expect(await videos.cancel(ACCOUNT, id)).toMatchObject({ status: 'canceled' });
    await expect.poll(() => stages.count.now, { interval: 10 }).toBe(0);
  });

  test('a completed one is a conflict', async () => {
    const { videos } = await openNode(database);
    const { id } = await endOf(videos, (await ask(videos)).id);
    expect(await faultOf(videos.cancel(ACCOUNT, id))).toEqual({
      key: 'conflict.video_ended',
      params: { status: 'completed' },
    });
  });
});

describe('retrying', () => {
  test('keeps the chunks that are there, and counts the attempt', async () => {
    let painted = 0;
    const stages = createFakeRenderer({
      async paint() {
        painted += 1;
        if (painted === 2) throw new Fault('video_failed.nodes', { count: 30_000, limit: 20_000 });
      },
    });
    const { videos } = await openNode(database, { stages, workers: 1 });
    const { id } = await ask(videos);
    const failed = await endOf(videos, id);
    expect(failed).toMatchObject({
      ...{ status: 'failed', attempt: 1, frames: { done: 150, total: 300 } },
      error: { key: 'video_failed.nodes', params: { count: 30_000, limit: 20_000 } },
    });
    expect(await videos.retry(ACCOUNT, id)).toMatchObject({ status: 'pending', attempt: 2, error: null });
    expect(await endOf(videos, id)).toMatchObject({ status: 'completed', attempt: 2, error: null });
    // A fault of the template is not retried automatically. Either chunk may be the first.
    const [kept, failedFirst, ...others] = stages.asked;
    expect([kept, failedFirst].toSorted()).toEqual(['0-150', '150-300']);
    expect(others).toEqual([failedFirst]);
  });

  test('is refused while the video is worked at, and when it is completed', async () => {
    const { videos } = await openNode(database);
    const { id } = await ask(videos);
    expect(await faultOf(videos.retry(ACCOUNT, id))).toMatchObject({ key: 'conflict.video_unfinished' });
    await endOf(videos, id);
    expect(await faultOf(videos.retry(ACCOUNT, id))).toEqual({ key: 'conflict.video_completed', params: {} });
  });
});

describe('a completed video whose bytes are gone', () => {
  /** What a backup without files leaves. */
  async function lost() {
    const stages = createFakeRenderer();
    const node = await openNode(database, { stages });
    const { id } = await endOf(node.videos, (await ask(node.videos)).id);
    await Promise.all((await keysOf(node)).map((key) => node.blobs.delete(key)));
    const read = async (video: string) =>
      (await (await node.videos.openFile(ACCOUNT, video, 'file'))?.read())?.size;
    expect(await read(id)).toBeUndefined();
    return { ...node, stages, id, read };
  }
  const keysOf = ({ blobs }: Pick<Awaited<ReturnType<typeof openNode>>, 'blobs'>) =>
    Array.fromAsync(blobs.keys(new Date(Date.now() + 60_000)));

  test('is made again by the same request, and then serves the ones after it', async () => {
    const { videos, stages, read } = await lost();
    const again = await endOf(videos, (await ask(videos)).id);
    expect([again.status, await read(again.id)]).toEqual(['completed', again.sizeBytes]);
    const third = await endOf(videos, (await ask(videos)).id);
    expect([third.status, await read(third.id)]).toEqual(['completed', third.sizeBytes]);
    // Made twice; either chunk may be the first.
    const [first, second] = [stages.asked.slice(0, 2), stages.asked.slice(2)];
    expect([first.toSorted(), second.toSorted()]).toEqual([
      ['0-150', '150-300'],
      ['0-150', '150-300'],
    ]);
  });

  test('is made again by retry, once', async () => {
    const { videos, id, read } = await lost();
    expect(await videos.retry(ACCOUNT, id)).toMatchObject({ status: 'pending', attempt: 2, sizeBytes: null });
    const again = await endOf(videos, id);
    expect([again.status, await read(id)]).toEqual(['completed', again.sizeBytes]);
    expect(await faultOf(videos.retry(ACCOUNT, id))).toMatchObject({ key: 'conflict.video_completed' });
  });
});

test('a removed video is gone, its browser too, and its followers are no longer notified', async () => {
  const stages = endless();
  const { videos, blobs } = await openNode(database, { stages });
  const { id } = await ask(videos);
  await until(videos, id, isRendering);
  const followed = videos.follow(ACCOUNT, id, 0, AbortSignal.timeout(50_000));
  expect(await followed.next()).toMatchObject({ done: false, value: { id } });
  await videos.remove(ACCOUNT, id);
  expect((await Array.fromAsync(followed)).filter(({ status }) => status === 'completed')).toEqual([]);
  expect(await faultOf(videos.get(ACCOUNT, id))).toEqual({ key: 'not_found.video', params: { id } });
  expect(await faultOf(videos.remove(ACCOUNT, id))).toEqual({ key: 'not_found.video', params: { id } });
  await expect.poll(() => stages.count.now).toBe(0);
  expect(await Array.fromAsync(blobs.keys(new Date(Date.now() + 60_000)))).toEqual([]);
});

test('what an account has kept can be told, and removed after the account is', async () => {
  const { videos, blobs } = await openNode(database);
  const made = await endOf(videos, (await ask(videos)).id);
  const keys = await videos.blobsOf(ACCOUNT);
  await database.sql`delete from accounts where id = ${ACCOUNT}`;
  await videos.removeBlobs(keys);
  expect(made.status).toBe('completed');
  expect(await Array.fromAsync(blobs.keys(new Date(Date.now() + 60_000)))).toEqual([]);
});

test('lists come newest first, in pages, by status and by template', async () => {
  const { videos } = await openNode(database, { working: false });
  for (const title of ['one', 'two', 'three'])
    await ask(videos, { title, template: title === 'two' ? 'quote' : 'default' });
  const titles = async (filter: object, cursor?: string | null) => {
    const page = await videos.list(ACCOUNT, { limit: 2, ...filter, ...(cursor && { cursor }) });
    return { titles: page.items.map(({ title }) => title), next: page.next_cursor };
  };
  const first = await titles({});
  expect(first.titles).toEqual(['three', 'two']);
  expect(await titles({}, first.next)).toEqual({ titles: ['one'], next: null });
  expect((await titles({ template: 'quote' })).titles).toEqual(['two']);
  expect((await titles({ status: 'completed' })).titles).toEqual([]);
  expect((await videos.list('acc_other', { limit: 2 })).items).toEqual([]);
});

test('an account has at most a hundred unfinished videos', async () => {
  const { videos } = await openNode(database, { working: false });
  const made = await Promise.all(Array.from({ length: 100 }, () => ask(videos)));
  expect(await faultOf(ask(videos))).toEqual({ key: 'unavailable.videos_full', params: { limit: 100 } });
  await videos.cancel(ACCOUNT, made[0]?.id ?? '');
  expect(await ask(videos)).toMatchObject({ status: 'pending' });
  expect(await faultOf(videos.retry(ACCOUNT, made[0]?.id ?? ''))).toMatchObject({
    key: 'unavailable.videos_full',
  });
});

test('a frame of any moment can be seen before the video is made, and its browser stays for the next', async () => {
  const stages = createFakeRenderer();
  const { videos, stop } = await openNode(database, { stages, working: false });
  const { id } = await ask(videos);
  const frame = async (seconds: number, type: 'png' | 'jpeg') => {
    const bytes = await videos.frame(ACCOUNT, id, { seconds, type, signal: AbortSignal.timeout(50_000) });
    return Buffer.from(bytes).toString();
  };
  expect(await frame(1.5, 'png')).toBe('png of frame 45');
  expect(await frame(99, 'jpeg')).toBe('jpeg of frame 299');
  expect(stages.count).toEqual({ now: 1, ever: 1 });
  await stop();
  expect(stages.count).toEqual({ now: 0, ever: 1 });
});
