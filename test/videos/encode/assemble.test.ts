import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Composition } from '../../../src/videos/composition/composition.ts';
import { createAssemble } from '../../../src/videos/encode/assemble.ts';
import { createFfmpegMixer } from '../../../src/videos/encode/sound/ffmpeg-mixer.ts';
import { toneWav } from './sound/tones.ts';
import { chunkOf, realFfmpeg, SIZE, say } from './support.ts';

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'stallhand-assemble-'));
});
afterAll(() => rm(root, { recursive: true }));

const { signal } = new AbortController();
const wav = toneWav({ seconds: 5, peaks: [0.5, 0.5] });
const source = `assets/${hash('sha256', wav)}`;
const COMPOSITION: Composition = {
  ...{ ...SIZE, fps: 30, frames: 30, html: '', scripts: false, captions: [] },
  tracks: [{ source, start: 0, volume: 1, fadeIn: 0, fadeOut: 0, loop: false, duck: false }],
  assets: new Map([[source, { bytes: wav, mediaType: 'audio/wav' }]]),
};

async function* twoChunks(format: 'mp4' | 'webm') {
  yield await chunkOf({ from: 0, to: 20, format });
  yield await chunkOf({ from: 20, to: 30, format });
}

async function assembled(format: 'mp4' | 'webm' | 'gif', composition = COMPOSITION): Promise<string[]> {
  const ffmpeg = await realFfmpeg();
  const assemble = createAssemble({ mixer: createFfmpegMixer(ffmpeg), ffmpeg });
  const chunks = twoChunks(format === 'webm' ? 'webm' : 'mp4');
  const folder = await mkdtemp(join(root, 'video-'));
  const { path } = await assemble({ composition, format, chunks, folder, signal });
  const entries = 'stream=codec_name,nb_read_frames:format=format_name,duration';
  return (await say('ffprobe', '-count_frames', '-show_entries', entries, '-of', 'csv=p=0', path))
    .trim()
    .split('\n');
}

test('an MP4 has frames and sound of the same length', async () => {
  expect(await assembled('mp4')).toEqual(['h264,30', 'aac,47', '"mov,mp4,m4a,3gp,3g2,mj2",1.000000']);
});

test('a WebM has them too', async () => {
  expect(await assembled('webm')).toEqual(['vp9,30', 'opus,51', '"matroska,webm",1.000000']);
});

test('a GIF has no sound', async () => {
  expect(await assembled('gif')).toEqual(['gif,15', 'gif,1.000000']);
});

test('without tracks a video has no sound', async () => {
  expect(await assembled('mp4', { ...COMPOSITION, tracks: [] })).toEqual([
    ...['h264,30', '"mov,mp4,m4a,3gp,3g2,mj2",1.000000'],
  ]);
});

test('chunks that are not all frames of the video are not made into one', async () => {
  await expect(assembled('mp4', { ...COMPOSITION, frames: 31 })).rejects.toThrow('30 frames where 31 belong');
});
