import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFfmpeg } from '../../src/videos/encode/ffmpeg.ts';
import { readEvents } from '../http/event-reader.ts';
import { hasOpenssl, startTlsServer, type TlsServer } from '../platform/guarded-fetch/tls-server.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newBareKey, useRest } from '../support/server.ts';
import { bytesAt, type Json, SMALL, startVideoServer, type VideoServer } from '../support/video-server.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
// A browser that encodes does so a little otherwise each time.
const hasFfmpeg = (await findFfmpeg()) !== undefined;

describe('the same request again', () => {
  let app: ServedApp;
  beforeAll(async () => {
    app = await openServedApp({ VIDEO_WORKERS: '1' });
    await app.videos.start();
  });
  afterAll(() => app?.close());

  async function account() {
    const { key } = await newBareKey(app);
    const rest = useRest(app.url, key);
    return { rest, make };

    /** The video at its end, its file, and the milliseconds from its being asked for to its end, as the server has them. */
    async function make(body: Json) {
      const began = performance.now();
      const { body: asked } = await rest('POST', '/videos', { body });
      const headers = { authorization: `Bearer ${key}` };
      const events = readEvents(await fetch(`${app.url}/videos/${asked['id']}/events`, { headers }));
      const video = (await Array.fromAsync(events)).at(-1)?.data ?? {};
      const seen = Math.round(performance.now() - began);
      expect(video).toMatchObject({ status: 'completed', progress: 100 });
      const own = Date.parse(String(video['completed_at'])) - Date.parse(String(video['created_at']));
      return { video, own, seen, sum: sha256(await bytesAt(video['url'])) };
    }
  }

  const BODY = {
    title: 'Twice',
    duration: 2,
    width: 270,
    height: 480,
    captions: [{ start: 0, end: 1, text: 'One.' }],
  };

  test.runIf(hasFfmpeg)(
    'is given the file that is there; another account, and who has deleted it, the same bytes rendered again',
    async () => {
      const one = await account();
      const other = await account();
      const first = await one.make(BODY);
      const second = await one.make(BODY);
      expect(second.video['id']).not.toBe(first.video['id']);
      // What is lent is not rendered: nothing was ever begun of it.
      expect([first.video['started_at'], second.video['started_at']]).toEqual([expect.any(String), null]);
      expect(second.video).toMatchObject({ frames: { done: 60, total: 60 }, engine: first.video['engine'] });
      const renamed = await one.make({ ...BODY, title: 'Twice, otherwise' });
      const theirs = await other.make(BODY);
      expect([renamed.video['started_at'], theirs.video['started_at']]).toEqual([
        expect.any(String),
        expect.any(String),
      ]);
      // The file outlives the video that first made it; once no video refers to it, it is rendered again.
      await one.rest('DELETE', `/videos/${first.video['id']}`);
      expect(sha256(await bytesAt(second.video['url']))).toBe(first.sum);
      await one.rest('DELETE', `/videos/${second.video['id']}`);
      const rendered = await one.make(BODY);
      expect(rendered.video['started_at']).toEqual(expect.any(String));
      expect([second.sum, theirs.sum, rendered.sum]).toEqual([first.sum, first.sum, first.sum]);
      expect(renamed.sum).not.toBe(first.sum);
      process.stdout.write(
        `made in ${first.own} ms, from the cache in ${second.own} ms (seen after ${second.seen} ms), again in ${rendered.own} ms\n`,
      );
    },
  );
});

describe.runIf(hasOpenssl())('a video on the wire', () => {
  let peer: TlsServer;
  let server: VideoServer;
  const heard: { headers: IncomingHttpHeaders; body: string }[] = [];
  beforeAll(async () => {
    peer = await startTlsServer(async (req, res) => {
      heard.push({ headers: req.headers, body: await text(req) });
      res.writeHead(204).end();
    });
    server = await startVideoServer({}, peer);
  });
  afterAll(async () => {
    await server?.close();
    await peer?.close();
  });

  test('its end is told to a receiver that checks the signature, who then fetches all that there is', async () => {
    const body = {
      ...{
        ...SMALL,
        title: 'Told',
        width: 128,
        height: 96,
        webhook_url: 'https://hooks.example.test/videos',
      },
      captions: '1\n00:00:00,000 --> 00:00:00,400\nEvery morning.\n',
    };
    const { body: asked } = await server.rest('POST', '/videos', { body });
    const states = await Array.fromAsync(server.follow(asked['id']));
    await expect.poll(() => heard.length).toBe(1);
    const [message = { headers: {}, body: '' }] = heard;
    // The headers of a request are texts, but for those that come more than once.
    const signed = message.headers as Record<string, string>;
    const told = new Webhook(String(asked['webhook_secret'])).verify(message.body, signed);
    const video = states.at(-1) ?? {};
    expect(told).toEqual({ type: 'video.completed', timestamp: expect.any(String), data: video });
    expect(() =>
      new Webhook('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA').verify(message.body, signed),
    ).toThrow();

    const url = String(video['url']);
    const whole = await bytesAt(url);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(whole.length)]);
    expect(whole.length).toBe(video['size_bytes']);
    const etag = head.headers.get('etag') ?? '';
    expect(etag).toBe(`"${sha256(whole)}"`);
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
    // A file in three parts, as players ask for it: its beginning, what follows, and its end.
    const ranges = ['bytes=0-99', `bytes=100-${whole.length - 51}`, 'bytes=-50'];
    const parts = await Promise.all(ranges.map((range) => fetch(url, { headers: { range } })));
    expect(parts.map(({ status }) => status)).toEqual([206, 206, 206]);
    expect(Buffer.concat(await Promise.all(parts.map((part) => part.bytes()))).equals(whole)).toBe(true);
    const beyond = await fetch(url, { headers: { range: `bytes=${whole.length}-` } });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${whole.length}`]);
    const changed = await fetch(url, { headers: { range: 'bytes=0-1', 'if-range': '"other"' } });
    expect(changed.status).toBe(200);
    for (const part of ['file', 'poster', 'captions.vtt'])
      expect(
        (await fetch(`${server.url}/videos/${video['id']}/${part}?token=${'0'.repeat(64)}`)).status,
      ).toBe(404);

    expect(sizeOfJpeg(await bytesAt(video['poster_url']))).toEqual({ width: 128, height: 96 });
    expect(String(await bytesAt(video['captions_url']))).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:00.400\nEvery morning.\n',
    );
    const still = await fetch(`${server.url}/videos/${video['id']}/frame?t=0.3`);
    const png = Buffer.from(await still.bytes());
    expect([still.status, png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
      200,
      'PNG',
      128,
      96,
    ]);
    const jpeg = await fetch(`${server.url}/videos/${video['id']}/frame?t=99`, {
      headers: { accept: 'image/jpeg' },
    });
    expect(sizeOfJpeg(Buffer.from(await jpeg.bytes()))).toEqual({ width: 128, height: 96 });
  });
});

/** What the first frame header of a JPEG says: ITU-T T.81, B.2.2. */
function sizeOfJpeg(bytes: Buffer): { width: number; height: number } | undefined {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at);
    if (marker >= 0xffc0 && marker <= 0xffc2)
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return undefined;
}
