import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unpackBrowser } from '../../src/platform/browser/unpack-browser.ts';
import {
  boxesOf,
  bytesAt,
  type Json,
  probe,
  startVideoServer,
  tone,
  type VideoServer,
} from '../support/video-server.ts';
import { measureTone } from '../videos/encode/sound/tones.ts';
import { bytesFrom } from '../videos/encode/support.ts';

// A machine with Node and the packages and nothing else: no ffmpeg, and the browser is the one inside the packages.
describe.runIf(process.platform === 'linux')('a machine on which nothing is installed', () => {
  let folder: string;
  let server: VideoServer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stallhand-bare-'));
    const { executable, environment } = await unpackBrowser();
    // An installed one is looked for in /usr/bin as well: the packaged one is named, as the shell that it is.
    const browser = join(folder, 'chrome-headless-shell');
    await symlink(executable, browser);
    server = await startVideoServer({ ...environment, PATH: folder, PUPPETEER_EXECUTABLE_PATH: browser });
  }, 120_000);
  afterAll(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Makes one and says how long that took. */
  async function made(body: Json): Promise<{ video: Json; bytes: Buffer; path: string }> {
    const began = performance.now();
    const asked = await server.rest('POST', '/videos', { body });
    expect(asked.status).toBe(200);
    const video = (await Array.fromAsync(server.follow(asked.body['id']))).at(-1) ?? {};
    process.stdout.write(`${body['title']}: ${Math.round(performance.now() - began)} ms\n`);
    expect(video).toMatchObject({ status: 'completed', error: null, progress: 100 });
    const bytes = await bytesAt(video['url']);
    const path = join(folder, `${video['id']}.mp4`);
    await writeFile(path, bytes);
    return { video, bytes, path };
  }

  const PICTURES = {
    ...{ codec_name: 'h264', pix_fmt: 'yuv420p', width: 1080, height: 1920, nb_read_frames: '60' },
    ...{ color_space: 'bt709', color_range: 'tv', color_primaries: 'bt709', color_transfer: 'bt709' },
  };

  test('a title and a duration become a video that plays everywhere', { timeout: 300_000 }, async () => {
    const { video, bytes, path } = await made({ title: 'Opening day', duration: 2 });
    expect(video).toMatchObject({
      ...{ frames: { done: 60, total: 60 }, width: 1080, height: 1920, fps: 30, format: 'mp4' },
      engine: { path: 'in_page', browser: expect.stringMatching(/Chrome\/153/) },
    });
    expect(boxesOf(bytes)).toEqual(expect.arrayContaining(['ftyp', 'moov', 'mdat']));
    expect(boxesOf(bytes).indexOf('moov')).toBeLessThan(boxesOf(bytes).indexOf('mdat'));
    await checkWith(path, { streams: [PICTURES], format: { duration: '2.000000' } });
  });

  test('and so does one with sound, in AAC and in time', { timeout: 300_000 }, async () => {
    const audio = [{ src: tone(1), start: 0.5 }];
    const { video, bytes, path } = await made({ title: 'Opening day, with a tone', duration: 2, audio });
    expect(boxesOf(bytes).indexOf('moov')).toBeLessThan(boxesOf(bytes).indexOf('mdat'));
    expect(video['warnings']).toEqual([]);
    await checkWith(path, { streams: [PICTURES, { codec_name: 'aac' }] });
    const decoded = await bytesFrom('-i', path, '-f', 'f32le', '-ac', '2', '-ar', '48000', '-');
    expect(measureTone(new Float32Array(new Uint8Array(decoded).buffer))).toMatchObject({
      from: expect.closeTo(0.5, 2.7),
      to: expect.closeTo(1.5, 2.7),
    });
  });

  test('a GIF is refused at once, in words that say what to do', async () => {
    const body = { title: 'Opening day', duration: 1, format: 'gif' };
    const refused = await server.rest('POST', '/videos', { body });
    expect(refused).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'format'], msg: expect.stringMatching(/^A GIF needs ffmpeg.*mp4/) }] },
    });
  });

  async function checkWith(path: string, expected: Json): Promise<void> {
    const probed = await probe(path);
    if (probed) expect(probed).toMatchObject(expected);
    else process.stdout.write(`NOT CHECKED, since there is no ffprobe here: ${path}\n`);
  }
});
