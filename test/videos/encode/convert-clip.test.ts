import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClipReader } from '../../../src/videos/composition/clip-reader.ts';
import { createClipPreparer } from '../../../src/videos/composition/prepare-clip.ts';
import { createClipConverter } from '../../../src/videos/encode/convert-clip.ts';
import { faultOf } from '../composition/filler.ts';
import { openClipFiles, readClip } from '../frames/clip-files.ts';
import { realFfmpeg } from './support.ts';

const { signal } = new AbortController();
const order = { address: 'asset:clips/a.mp4', signal };
const HEVC = ['-c:v', 'libx265', '-x265-params', 'log-level=none', '-tag:v', 'hvc1', 'hevc.mp4'];
const TONE = ['-itsoffset', '0.5', '-f', 'lavfi', '-i', 'sine=440:sample_rate=48000:duration=1'];

const reader = createClipReader();
let files: Awaited<ReturnType<typeof openClipFiles>>;
beforeAll(async () => {
  files = await openClipFiles();
});
afterAll(() => Promise.all([files.close(), reader.close()]));

const without = createClipPreparer({ reader, convert: createClipConverter(undefined) });
const clipOf = async (path: string) => ({ bytes: await readClip(path), mediaType: 'video/mp4' });

test('a clip that the browser decodes is used as it is, with the place of its sound', async () => {
  const clip = await clipOf(await files.make(['-c:v', 'libx264', '-c:a', 'aac', 'sound.mp4'], TONE));
  const { asset, sound } = await without(clip, order);
  expect(asset).toBe(clip);
  // The first packet of AAC only warms up the decoder.
  expect(sound).toEqual({
    delay: expect.closeTo(0.5 - 1024 / 48_000, 2),
    duration: expect.closeTo(2, 3),
    zero: 0,
  });
  const silent = await clipOf(await files.make(['-c:v', 'libvpx', 'silent.webm']));
  expect(await without(silent, order)).toEqual({ asset: silent, sound: undefined });
});

test('HEVC becomes H.264 with ffmpeg, and the same bytes again; without it, the fault says what to do', async () => {
  const clip = await clipOf(await files.make(HEVC));
  expect(await faultOf(without(clip, order))).toMatchObject({
    code: 'video_failed',
    detail:
      "The clip at 'asset:clips/a.mp4' is HEVC (H.265), which this server can't decode. Convert it to an MP4 with H.264, or ask the operator to install ffmpeg.",
  });
  const prepare = createClipPreparer({ reader, convert: createClipConverter(await realFfmpeg()) });
  const { asset } = await prepare(clip, order);
  expect(await reader.read(asset.bytes, {})).toMatchObject({
    codec: expect.stringMatching(/^avc1/),
    duration: 2,
  });
  expect((await prepare(clip, order)).asset.bytes).toEqual(asset.bytes);
});

test('what is no clip, is cut off, or is larger than a camera makes it, is refused before it is decoded', async () => {
  const whole = await readClip(await files.make(['-c:v', 'libx264', 'whole.mp4']));
  const message = async (bytes: Buffer) => {
    const fault = await faultOf(without({ bytes, mediaType: 'video/mp4' }, order));
    return fault && typeof fault === 'object' && 'detail' in fault ? fault.detail : fault;
  };
  const unreadable =
    "The clip at 'asset:clips/a.mp4' can't be read: it has no video track, or it is damaged. Convert it to an MP4 with H.264.";
  expect(await message(Buffer.from('no clip'))).toBe(unreadable);
  expect(await message(whole.subarray(0, 300))).toBe(unreadable);
  expect(
    await message(await readClip(await files.make(['-map', '1:a', '-c:a', 'aac', 'only.mp4'], TONE))),
  ).toBe(unreadable);
  const huge = Buffer.from(whole);
  // The size in the sample description, after its name and 24 bytes.
  const at = huge.indexOf('avc1', huge.indexOf('stsd')) + 28;
  huge.writeUInt16BE(16_384, at);
  huge.writeUInt16BE(16_384, at + 2);
  expect(await message(huge)).toBe(
    "The clip at 'asset:clips/a.mp4' has 16384 × 16384 pixels; the limit is 4096 × 2304. Make it smaller.",
  );
});
