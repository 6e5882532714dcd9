import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join } from '../../../src/videos/encode/join.ts';
import { chunkOf, picturesOf, say, sha256Of } from './support.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(joinPath(tmpdir(), 'stallhand-join-'));
});
afterAll(() => rm(folder, { recursive: true }));

const { signal } = new AbortController();

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

/** Seconds of a tone as a file of sound. */
async function toneOf(seconds: number, format: 'mp4' | 'webm'): Promise<string> {
  const path = joinPath(folder, `tone-${seconds}-${format}.mp4`);
  const tone = `sine=440:sample_rate=48000:duration=${seconds}`;
  const codec = format === 'mp4' ? 'aac' : 'libopus';
  await say('ffmpeg', '-y', '-f', 'lavfi', '-i', tone, '-ac', '2', '-c:a', codec, '-f', 'mp4', path);
  return path;
}

/** Each line of what ffprobe tells of the entries. */
async function tell(path: string, entries: string, ...more: string[]): Promise<string[]> {
  const said = await say('ffprobe', ...more, '-show_entries', entries, '-of', 'csv=p=0', path);
  return said
    .trim()
    .split('\n')
    .map((line) => line.replace(/,+$/, ''))
    .filter((line) => line !== '');
}

const PIECES = [
  [[0, 20]],
  [
    [0, 20],
    [20, 40],
  ],
  [
    [0, 20],
    [20, 40],
    [40, 41],
    [41, 61],
    [61, 70],
  ],
] as const;

describe.each(['mp4', 'webm'] as const)('%s', (format) => {
  describe.each(PIECES.map((spans) => ({ spans, count: spans.length })))('of $count pieces', ({ spans }) => {
    const frames = spans.at(-1)?.[1] ?? 0;

    test('every frame is at its own moment and looks as in its piece; twice the same bytes', async () => {
      const chunks = await Promise.all(spans.map(([from, to]) => chunkOf({ from, to, format })));
      const alone: string[] = [];
      for (const chunk of chunks) {
        await writeFile(joinPath(folder, `piece.${format}`), chunk);
        alone.push(...(await picturesOf(joinPath(folder, `piece.${format}`))));
      }
      const path = joinPath(folder, `film.${format}`);
      const sound = await toneOf(4, format);
      const { bytes, ...joined } = await join({ chunks: each(chunks), sound, fps: 30, path, signal });
      expect(joined).toEqual({ frames, seconds: frames / 30 });
      expect(bytes).toBe((await readFile(path)).length);
      expect(await say('ffmpeg', '-i', path, '-f', 'null', '-')).toBe('');
      expect(await picturesOf(path)).toEqual(alone);

      const times = await tell(path, 'frame=pts_time', '-select_streams', 'v');
      // A WebM counts in milliseconds.
      const digits = format === 'mp4' ? 6 : 3;
      const moments = Array.from({ length: frames }, (_, i) => (i / 30).toFixed(digits));
      expect(times.map((time) => Number(time).toFixed(digits))).toEqual(moments);
      const decoding = (await tell(path, 'packet=dts', '-select_streams', 'v')).map(Number);
      expect(decoding).toEqual(decoding.toSorted((one, other) => one - other));

      const [start, duration] = (await tell(path, 'format=start_time,duration'))
        .join()
        .split(',')
        .map(Number);
      expect([start, Math.abs((duration ?? 0) - frames / 30) < 0.0015]).toEqual([0, true]);

      const again = joinPath(folder, `again.${format}`);
      await join({ chunks: each(chunks), sound, fps: 30, path: again, signal });
      expect(await sha256Of(again)).toBe(await sha256Of(path));
    });
  });
});

test.each(['mp4', 'webm'] as const)('29.97 frames a second stay exact over pieces: %s', async (format) => {
  const fps = 30_000 / 1001;
  const spans = [[0, 150] as const, [150, 300] as const, [300, 310] as const];
  const chunks = await Promise.all(
    spans.map(([from, to]) => chunkOf({ from, to, format, fps, quality: 'draft' })),
  );
  const path = joinPath(folder, `ntsc.${format}`);
  expect(await join({ chunks: each(chunks), fps, path, signal })).toMatchObject({ frames: 310 });
  const times = await tell(path, 'frame=pts_time', '-select_streams', 'v');
  const late = times.map((time, frame) => Math.abs(Number(time) - (frame * 1001) / 30_000));
  // A WebM counts in milliseconds.
  expect([late.length, Math.max(...late) < (format === 'mp4' ? 1e-6 : 0.00101)]).toEqual([310, true]);
  const shown = await tell(path, 'stream=r_frame_rate,avg_frame_rate');
  expect(shown).toEqual(
    format === 'mp4' ? ['30000/1001,30000/1001'] : [expect.stringMatching(/^30000\/1001,/)],
  );
});

test('an MP4 begins with its index, has no date, and names its colours', async () => {
  const path = joinPath(folder, 'index.mp4');
  const chunks = [await chunkOf({ from: 0, to: 20 })];
  await join({ chunks: each(chunks), sound: await toneOf(1, 'mp4'), fps: 30, path, signal });
  const bytes = await readFile(path);
  const at = (box: string) => bytes.indexOf(box, 0, 'latin1');
  expect(['ftyp', 'moov', 'colr', 'mdat'].map(at)).toEqual(
    ['ftyp', 'moov', 'colr', 'mdat'].map(at).toSorted((one, other) => one - other),
  );
  for (const box of ['mvhd', 'tkhd', 'mdhd'])
    expect(bytes.subarray(at(box) + 8, at(box) + 16), box).toEqual(Buffer.alloc(8));
  expect(bytes.toString('latin1', at('colr'), at('colr') + 8)).toBe('colrnclx');
  // Primaries, transfer and matrix 1 are BT.709; then the flag of the full range.
  expect([...bytes.subarray(at('colr') + 8, at('colr') + 15)]).toEqual([0, 1, 0, 1, 0, 1, 0]);
});

test('the sound is cut where the last frame ends, to the sample', async () => {
  const path = joinPath(folder, 'cut.mp4');
  const chunks = [await chunkOf({ from: 0, to: 20 }), await chunkOf({ from: 20, to: 31 })];
  await join({ chunks: each(chunks), sound: await toneOf(4, 'mp4'), fps: 30, path, signal });
  expect(await tell(path, 'stream=codec_name,start_time,duration')).toEqual([
    'h264,0.000000,1.033333',
    'aac,0.000000,1.033333',
  ]);
});

test('without a sound there is no track for it', async () => {
  const path = joinPath(folder, 'silent.mp4');
  await join({ chunks: each([await chunkOf({ from: 0, to: 5 })]), fps: 30, path, signal });
  expect(await tell(path, 'stream=codec_type')).toEqual(['video']);
});

test('pieces are let go: memory does not grow with their number', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const chunk = await chunkOf({ from: 0, to: 10 });
  const pieces: WeakRef<Uint8Array>[] = [];
  let most = 0;
  async function* many() {
    for (let i = 0; i < 30; i += 1) {
      const piece = new Uint8Array(chunk);
      pieces.push(new WeakRef(piece));
      yield piece;
      await setImmediate();
      collect();
      most = Math.max(most, pieces.filter((one) => one.deref()).length);
    }
  }
  const path = joinPath(folder, 'many.mp4');
  expect(await join({ chunks: many(), fps: 30, path, signal })).toMatchObject({ frames: 300 });
  expect(most).toBeLessThan(5);
});

describe('what is refused leaves no file behind:', () => {
  test.each([
    ['no pieces', async () => [], 'at least one piece'],
    ['what is no film', async () => [Buffer.from('hello')], 'unsupported or unrecognizable format'],
    [
      'pieces of two formats',
      async () => [await chunkOf({ from: 0, to: 5 }), await chunkOf({ from: 5, to: 10, format: 'webm' })],
      'not made by one encoder',
    ],
    [
      'pieces encoded in two ways',
      async () => [await chunkOf({ from: 0, to: 5 }), await chunkOf({ from: 5, to: 10, quality: 'draft' })],
      'not made by one encoder',
    ],
    ['a piece of another frame rate', async () => [await chunkOf({ from: 0, to: 5, fps: 15 })], 'gap in it'],
  ])('%s', async (_, make, message) => {
    const place = await mkdtemp(joinPath(folder, 'refused-'));
    const path = joinPath(place, 'film.mp4');
    await expect(join({ chunks: each(await make()), fps: 30, path, signal })).rejects.toThrow(message);
    expect(await readdir(place)).toEqual([]);
  });

  test('an aborted signal', async () => {
    const place = await mkdtemp(joinPath(folder, 'aborted-'));
    const abort = new AbortController();
    const chunk = await chunkOf({ from: 0, to: 5 });
    async function* aborting() {
      yield chunk;
      abort.abort(new Error('not wanted any more'));
      yield chunk;
    }
    const path = joinPath(place, 'film.mp4');
    const joining = join({ chunks: aborting(), fps: 30, path, signal: abort.signal });
    await expect(joining).rejects.toThrow('not wanted any more');
    expect(await readdir(place)).toEqual([]);
  });
});
