import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { createRateLimits } from '../../../src/rate-limits/rate-limits.ts';
import { openTestApp, type TestApp } from '../../support/app.ts';
import { withFakeVideos } from '../../support/fake-videos.ts';
import { newBareKey, startTestServer, type TestServer, useRest } from '../../support/server.ts';
import { readEvents, type SentEvent } from '../event-reader.ts';

let whole: TestApp;
let fakeVideos: Awaited<ReturnType<typeof withFakeVideos>>;
let server: TestServer;
let open: TestServer;
let key: string;
let rest: ReturnType<typeof useRest>;
/** A video that is completed, as get_video shows it. */
let video: Record<string, unknown>;

beforeAll(async () => {
  whole = await openTestApp();
  fakeVideos = await withFakeVideos(whole);
  server = await startTestServer(fakeVideos.app);
  open = await startTestServer(fakeVideos.app, { AUTH_MODE: 'open' });
  ({ key } = await newBareKey(whole));
  rest = useRest(server.url, key);
  video = await made({ captions: [{ start: 0, end: 0.5, text: 'Every morning.' }] });
});
afterAll(async () => {
  await Promise.all([server.close(), open.close()]);
  await fakeVideos.stop();
  await whole.close();
});

async function made(more: object): Promise<Record<string, unknown>> {
  const body = { title: 'Bread at seven', duration: 0.5, width: 64, height: 64, ...more };
  const { body: asked } = await rest('POST', '/videos', { body });
  return (await eventsOf(String(asked['id']))).at(-1)?.data ?? {};
}

function follow(path: string, headers: Record<string, string> = {}) {
  return fetch(`${server.url}${path}/events`, { headers: { authorization: `Bearer ${key}`, ...headers } });
}

async function eventsOf(id: string): Promise<SentEvent[]> {
  return Array.fromAsync(readEvents(await follow(`/videos/${id}`)));
}

const download = (url: unknown, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(String(url), { method, headers });

describe('the events of a video', () => {
  test('tell its progress, and end with its end: each is the video as it is answered', async () => {
    const { body } = await rest('POST', '/videos', {
      body: { title: 'Told', duration: 0.5, width: 64, height: 64 },
    });
    const events = await eventsOf(String(body['id']));
    expect(new Set(events.slice(0, -1).map(({ event }) => event))).toEqual(new Set(['progress']));
    const { event, data } = events.at(-1) ?? {};
    expect(event).toBe('completed');
    expect(data).toEqual((await rest('GET', `/videos/${body['id']}`)).body);
    expect(data).toMatchObject({ status: 'completed', progress: 100, frames: { done: 15, total: 15 } });
    const ids = events.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
  });

  test('whose end was seen are no more, and a HEAD waits for none', async () => {
    const last = (await eventsOf(String(video['id']))).at(-1);
    const seen = { 'last-event-id': String(last?.id) };
    expect((await follow(`/videos/${video['id']}`, seen)).status).toBe(204);
    const headers = { authorization: `Bearer ${key}` };
    const head = await download(`${server.url}/videos/${video['id']}/events`, headers, 'HEAD');
    expect([head.status, head.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
  });

  test('are those of a job too, whose result is the video', async () => {
    const [event] = await Array.fromAsync(readEvents(await follow(`/v1/jobs/${video['id']}`)));
    expect(event).toMatchObject({
      event: 'completed',
      data: { id: video['id'], tool: 'create_video', status: 'completed', result: video },
    });
  });

  test('of one that failed say why, in the language of who reads', async () => {
    const { body } = await rest('POST', '/videos', { body: { title: 'Broken', duration: 0.5 } });
    const path = `/videos/${body['id']}`;
    const [english] = await Array.fromAsync(readEvents(await follow(path))).then((all) => all.slice(-1));
    expect(english).toMatchObject({
      event: 'failed',
      data: {
        status: 'failed',
        url: null,
        error: {
          code: 'video_failed',
          message: 'The page has 20001 elements and texts; the limit is 20000. Remove what is not visible.',
        },
      },
    });
    const spanish = await rest('GET', path, { headers: { 'accept-language': 'es' } });
    expect(spanish.body['error']).toEqual({
      code: 'video_failed',
      message: expect.stringMatching(/^La página tiene 20001/),
    });
    expect((await rest('GET', `/v1/jobs/${body['id']}`)).body).toMatchObject({
      status: 'failed',
      error: { status: 422, code: 'video_failed' },
    });
  });

  test("of another account's video are not there", async () => {
    const stranger = { authorization: `Bearer ${(await newBareKey(whole)).key}` };
    expect((await follow(`/videos/${video['id']}`, stranger)).status).toBe(404);
    expect((await follow(`/v1/jobs/${video['id']}`, stranger)).status).toBe(404);
  });
});

describe('the file of a video', () => {
  test('has an absolute address that anybody with it may read, shown in place and kept for good', async () => {
    expect(video['url']).toMatch(
      new RegExp(`^${server.url}/videos/${video['id']}/file\\?token=[0-9a-f]{64}$`),
    );
    const answer = await download(video['url']);
    const bytes = await answer.bytes();
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(video['size_bytes']),
      'content-disposition': 'inline; filename=bread-at-seven.mp4',
      'cache-control': 'private, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    });
    expect([bytes.length, Buffer.from(bytes.subarray(4, 8)).toString()]).toEqual([
      video['size_bytes'],
      'ftyp',
    ]);
  });

  test('is read in parts, without its bytes, once, or to be saved', async () => {
    const part = await download(video['url'], { range: 'bytes=4-7' });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      `bytes 4-7/${video['size_bytes']}`,
      'ftyp',
    ]);
    const head = await download(video['url'], {}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(video['size_bytes'])]);
    const known = { 'if-none-match': head.headers.get('etag') ?? '' };
    expect((await download(video['url'], known)).status).toBe(304);
    const saved = await download(`${video['url']}&download=1`, {}, 'HEAD');
    expect(saved.headers.get('content-disposition')).toBe('attachment; filename=bread-at-seven.mp4');
  });

  test.each([
    ['a wrong token and no credential', (url: string) => download(`${url.slice(0, -1)}x`)],
    ['no token and no credential', (url: string) => download(url.split('?')[0])],
    ["another's token", async (url: string) => download(url.replace(/token=.*/, `token=${'0'.repeat(64)}`))],
    [
      "another account's credential",
      async (url: string) =>
        download(url.split('?')[0], { authorization: `Bearer ${(await newBareKey(whole)).key}` }),
    ],
  ])('is not there for %s', async (_whom, ask) => {
    const answer = await ask(String(video['url']));
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([404, 'not_found']);
  });

  test('is there for a credential of the account, also beside a wrong token', async () => {
    const [bare = ''] = String(video['url']).split('?');
    for (const url of [bare, `${bare}?token=wrong`]) {
      const answer = await download(url, { authorization: `Bearer ${key}` }, 'HEAD');
      expect(answer.status).toBe(200);
    }
  });

  test('is not there before the video is completed; in the open mode neither is one of another account', async () => {
    const { accountId } = await newBareKey(whole);
    const waiting = await whole.videos.create(
      { accountId },
      {
        ...{ title: 'x', duration: 0.5, template: 'default', data: {}, fps: 30, format: 'mp4' },
        ...{ quality: 'standard', transparent: false, audio: [] },
      },
    );
    await whole.videos.cancel(accountId, waiting.id);
    const token = await whole.videos.links.tokenOf(waiting.id);
    expect((await download(`${server.url}/videos/${waiting.id}/file?token=${token}`)).status).toBe(404);
    expect((await download(`${open.url}/videos/${video['id']}/file`)).status).toBe(404);
  });

  test('has its poster and its captions beside it', async () => {
    const poster = await download(video['poster_url']);
    expect([poster.status, poster.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const captions = await download(video['captions_url']);
    expect([captions.headers.get('content-type'), await captions.text()]).toEqual([
      'text/vtt; charset=utf-8',
      expect.stringMatching(/^WEBVTT\n[\s\S]*Every morning\./),
    ]);
    expect((await made({}))['captions_url']).toBe(null);
  });
});

describe('a frame of a video', () => {
  test('is painted as the picture that the client prefers', async () => {
    const at = (t: string, accept: string) =>
      download(`${server.url}/videos/${video['id']}/frame?t=${t}`, {
        authorization: `Bearer ${key}`,
        accept,
      });
    const png = await at('0.2', '*/*');
    expect([png.headers.get('content-type'), await png.text()]).toEqual(['image/png', 'png of frame 6']);
    const jpeg = await at('60', 'image/jpeg');
    expect([jpeg.headers.get('content-type'), await jpeg.text()]).toEqual(['image/jpeg', 'jpeg of frame 14']);
  });

  test.each([
    ['', 'is required'],
    ['?t=soon', 'must be a number'],
    ['?t=-1', 'must be at least 0'],
  ])('needs a moment, which %j is not', async (query, msg) => {
    const { status, body } = await rest('GET', `/videos/${video['id']}/frame${query}`);
    expect([status, body]).toMatchObject([422, { detail: [{ loc: ['query', 't'], msg }] }]);
  });

  test('may be asked for about five times a second', async () => {
    const app: App = { ...fakeVideos.app, rateLimits: createRateLimits({ sql: whole.database.sql }) };
    const limited = await startTestServer(app);
    const asked = useRest(limited.url, key);
    const path = `/videos/${video['id']}/frame?t=0`;
    const answers = await Promise.all(Array.from({ length: 30 }, () => asked('GET', path)));
    await limited.close();
    const painted = answers.filter(({ status }) => status === 200).length;
    expect([painted >= 5, painted <= 15]).toEqual([true, true]);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 429,
      body: { code: 'rate_limited' },
    });
  });
});
