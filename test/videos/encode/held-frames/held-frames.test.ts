import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { X264_PARAMS } from '../../../../src/videos/encode/ffmpeg-encoder.ts';
import { addHeldFrames, ENCODED_REPEATS } from '../../../../src/videos/encode/held-frames/held-frames.ts';
import { pictureHeader, streamHeader } from '../../../../src/videos/encode/matroska.ts';
import { isCompatible, readChunk } from '../../../../src/videos/encode/read-chunk.ts';
import { bytesFrom, picturesOf, say } from '../support.ts';

const FPS = 30;
/** Neither is a multiple of 16. */
const SIZE = { width: 132, height: 74 };

let folder: string;
/** Pictures with movement in all of them. */
let pictures: readonly Buffer[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stallhand-held-'));
  const source = `testsrc2=size=${SIZE.width}x${SIZE.height}:rate=${FPS}:duration=10,format=yuv420p`;
  const bytes = await bytesFrom('-f', 'lavfi', '-i', source, '-f', 'rawvideo', '-');
  const size = (SIZE.width * SIZE.height * 3) / 2;
  pictures = Array.from({ length: bytes.length / size }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
});
afterAll(() => rm(folder, { recursive: true }));

/** So many pictures that differ; the last one is then held, and for so many frames it is not encoded. */
type Scene = { readonly moving: number; readonly more: number };

/** A picture that the encoder gets, and the frame from which it is shown. */
type Given = { readonly picture: number; readonly place: number };

function givenOf(scenes: readonly Scene[]): Given[] {
  const given: Given[] = [];
  let picture = -1;
  let place = 0;
  for (const { moving, more } of scenes) {
    for (let i = 0; i < moving; i++) given.push({ picture: ++picture, place: place++ });
    if (more === 0) continue;
    for (let i = 0; i < ENCODED_REPEATS; i++) given.push({ picture, place: place++ });
    place += more;
  }
  return given;
}

/** An MP4 with gaps where the places have them. */
async function encode(given: readonly Given[], options: readonly string[]): Promise<Buffer> {
  const input = join(folder, 'pictures.mkv');
  const blocks = given.flatMap(({ picture, place }) => {
    const bytes = pictures[picture] ?? Buffer.alloc(0);
    return [pictureHeader(place, bytes.length), bytes];
  });
  await writeFile(input, Buffer.concat([streamHeader({ ...SIZE, fps: FPS, pixels: 'i420' }), ...blocks]));
  const output = ['-movflags', '+frag_keyframe+empty_moov+default_base_moof', '-f', 'mp4', '-'];
  const x264 = ['-c:v', 'libx264', '-profile:v', 'high', '-threads', '2', '-x264-params', X264_PARAMS];
  const timing = ['-fps_mode', 'passthrough', '-enc_time_base', `1:${FPS}`];
  return bytesFrom('-i', input, ...timing, ...x264, ...options, ...output);
}

async function decode(mp4: Uint8Array): Promise<string[]> {
  const path = join(folder, 'shown.mp4');
  await writeFile(path, mp4);
  expect(await say('ffmpeg', '-i', path, '-f', 'null', '-')).toBe('');
  return picturesOf(path);
}

/** Every encoded picture is decoded as without the added ones, which are copies of those before them. */
async function expectExact(scenes: readonly Scene[], options: readonly string[]): Promise<void> {
  const given = givenOf(scenes);
  const gapped = await encode(given, options);
  const before = await decode(gapped);
  const whole = await addHeldFrames(gapped, FPS);
  const after = await decode(whole);
  expect(before).toHaveLength(given.length);
  const { frames } = await readChunk(whole, FPS);
  expect(after).toHaveLength((given.at(-1)?.place ?? 0) + 1);
  expect(frames).toHaveLength(after.length);
  // The added copies come among the repeats.
  let encoded = 0;
  for (const [at, picture] of after.entries()) {
    if (picture === before[encoded]) encoded++;
    else expect(picture, `frame ${at}`).toBe(after[at - 1]);
  }
  expect(encoded).toBe(before.length);
}

const PRESETS = [
  ['-preset', 'veryfast', '-crf', '19', '-g', '60'],
  ['-preset', 'medium', '-crf', '17', '-g', '60'],
  ['-preset', 'veryfast', '-crf', '30', '-g', '5'],
] as const;

test.each(PRESETS.map((options) => [options.join(' '), options] as const))(
  'with held pictures added, all others are decoded as without them, and held ones are exact copies: %s',
  async (_name, options) => {
    const scene = fc.record({
      moving: fc.integer({ min: 1, max: 12 }),
      more: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 150 })),
    });
    const scenes = fc.array(scene, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(scenes, (all) => expectExact(all, options)),
      { numRuns: 12 },
    );
  },
);

test('an added picture takes less than a hundred bytes', async () => {
  const given = givenOf([
    { moving: 5, more: 100 },
    { moving: 1, more: 0 },
  ]);
  const { frames } = await readChunk(await addHeldFrames(await encode(given, PRESETS[0]), FPS), FPS);
  const sizes = frames.map(({ packet }) => packet.data.length).toSorted((one, other) => one - other);
  expect(sizes).toHaveLength(5 + ENCODED_REPEATS + 100 + 1);
  expect(sizes[99]).toBeLessThan(100);
});

test('without gaps every picture is decoded as before, and the decoder is set up as for chunks that had some', async () => {
  const moving = await encode(givenOf([{ moving: 6, more: 0 }]), PRESETS[0]);
  const without = await addHeldFrames(moving, FPS);
  expect(await decode(without)).toEqual(await decode(moving));
  const holding = givenOf([
    { moving: 3, more: 4 },
    { moving: 1, more: 0 },
  ]);
  const held = await addHeldFrames(await encode(holding, PRESETS[0]), FPS);
  const [one, other] = [await readChunk(without, FPS), await readChunk(held, FPS)];
  expect(isCompatible(one, other)).toBe(true);
});

test.each([
  ['profile High', ['-profile:v', 'main', '-preset', 'veryfast']],
  ['a picture order count of its own', ['-preset', 'veryfast', '-bf', '0']],
  ['CABAC', ['-preset', 'veryfast', '-coder', 'vlc']],
])('a stream without %s is refused', async (what, options) => {
  const moving = await encode(givenOf([{ moving: 3, more: 0 }]), options);
  await expect(addHeldFrames(moving, FPS)).rejects.toThrow(
    `the encoder's stream is of an unexpected kind: it lacks ${what}`,
  );
});
