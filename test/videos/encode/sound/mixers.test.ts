import { hash } from 'node:crypto';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Composition, Track } from '../../../../src/videos/composition/composition.ts';
import { createFfmpegMixer } from '../../../../src/videos/encode/sound/ffmpeg-mixer.ts';
import { createPageMixer, type SoundPage } from '../../../../src/videos/encode/sound/page-mixer.ts';
import type { SoundMixer } from '../../../../src/videos/encode/sound/sound.ts';
import { openTestPages } from '../../page/support.ts';
import { bytesFrom, realFfmpeg, say } from '../support.ts';
import { loudness, measureTone, type Tone, toneWav } from './tones.ts';

let folder: string;
let pages: Awaited<ReturnType<typeof openTestPages>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stallhand-mix-'));
  pages = await openTestPages();
});
afterAll(async () => {
  await pages.close();
  await rm(folder, { recursive: true });
});

const MIXERS: Readonly<Record<string, () => Promise<SoundMixer>>> = {
  ffmpeg: async () => createFfmpegMixer(await realFfmpeg()),
  'the browser': async () => createPageMixer(soundPage),
};

/** A page as it is opened for a video, but over HTTP. */
async function soundPage({ assets }: Composition, signal: AbortSignal): Promise<SoundPage> {
  signal.throwIfAborted();
  const page = await pages.open('<!doctype html><title>sound</title>');
  const path = new URL(page.url()).pathname;
  for (const [key, { bytes, mediaType }] of assets)
    pages.files.set(path + key, { type: mediaType, body: bytes });
  return {
    async call(module, name, args) {
      const given = args.map((arg) => JSON.stringify(arg)).join(',');
      // What the page answers is parsed by the mixer.
      return (await page.evaluate(`import('/engine/${module}').then((m) => m.${name}(${given}))`)) as never;
    },
    close: () => page.close(),
  };
}

type Sounded = Partial<Omit<Track, 'source'>> & { readonly file: Uint8Array };

const PLAIN = { start: 0, volume: 1, fadeIn: 0, fadeOut: 0, loop: false, duck: false };

function compositionOf(seconds: number, sounds: readonly Sounded[]): Composition {
  const keyed = sounds.map(({ file, ...use }) => ({
    source: `assets/${hash('sha256', file)}`,
    file,
    use,
  }));
  return {
    ...{ width: 64, height: 64, fps: 30, frames: Math.round(seconds * 30), scripts: false },
    html: '<!doctype html><title>not shown</title>',
    captions: [],
    tracks: keyed.map(({ source, use }) => ({ source, ...PLAIN, ...use })),
    assets: new Map(keyed.map(({ source, file }) => [source, { bytes: file, mediaType: 'audio/wav' }])),
  };
}

const { signal } = new AbortController();
const tone = (tone: Partial<Tone> = {}) => toneWav({ seconds: 1, peaks: [0.5, 0.5], ...tone });
/** A sine of peak 1. */
const SINE = Math.SQRT1_2;
const times = (count: number, level: number) => Array.from({ length: count }, () => level);

type Example = {
  readonly says: string;
  readonly seconds: number;
  readonly sounds: readonly Sounded[];
  /** The loudness of the left channel, in tenths of seconds. */
  readonly left: readonly number[];
};

const EXAMPLES: readonly Example[] = [
  {
    says: 'a track begins at its start, with its volume, and is silent when it is over',
    seconds: 2,
    sounds: [{ file: tone(), start: 0.5, volume: 0.5 }],
    left: [...times(5, 0), ...times(10, 0.25 * SINE), ...times(5, 0)],
  },
  {
    says: 'a track is cut where the video ends',
    seconds: 0.6,
    sounds: [{ file: tone({ seconds: 3 }) }],
    left: times(6, 0.5 * SINE),
  },
  {
    says: 'fades are at the beginning and the end of the track itself',
    seconds: 2,
    sounds: [{ file: tone({ seconds: 1.5 }), start: 0.2, fadeIn: 0.5, fadeOut: 0.4 }],
    left: [
      ...times(2, 0),
      ...[0.1, 0.3, 0.5, 0.7, 0.9].map((gain) => gain * 0.5 * SINE),
      ...times(6, 0.5 * SINE),
      ...[0.875, 0.625, 0.375, 0.125].map((gain) => gain * 0.5 * SINE),
      ...times(3, 0),
    ],
  },
  {
    says: 'a loop plays until the video ends, where its fade is',
    seconds: 1.6,
    // Its length is a whole number of waves.
    sounds: [{ file: tone({ seconds: 0.25 }), loop: true, fadeOut: 0.2 }],
    left: [...times(14, 0.5 * SINE), 0.75 * 0.5 * SINE, 0.25 * 0.5 * SINE],
  },
  {
    says: 'one channel sounds on both sides, at any rate',
    seconds: 1,
    sounds: [{ file: tone({ peaks: [0.5], rate: 22_050 }) }],
    left: times(10, 0.5 * SINE),
  },
  {
    says: 'more channels become two, quieter so that all fit in',
    seconds: 0.5,
    sounds: [{ file: tone({ peaks: [0.5, 0.5, 0, 0] }) }],
    left: times(5, 0.24 * SINE),
  },
  {
    says: 'music that ducks is quieter under a voice, from shortly before it until after its pause',
    seconds: 3.5,
    sounds: [
      { file: tone({ seconds: 0.5, peaks: [0.5, 0] }), loop: true, duck: true },
      { file: tone({ seconds: 1, peaks: [0, 0.5] }), start: 1 },
    ],
    left: [
      ...times(8, 0.5 * SINE),
      // Down in 150 ms, down for as long as the voice and 400 ms more, up again in 500 ms.
      ...[0.94, 0.5].map((gain) => gain * 0.5 * SINE),
      ...times(14, 0.125 * SINE),
      ...[0.325, 0.475, 0.625, 0.775, 0.925].map((gain) => gain * 0.5 * SINE),
      ...times(6, 0.5 * SINE),
    ],
  },
  {
    says: 'what would be louder than full scale is turned down, not cut off',
    seconds: 1,
    sounds: [{ file: tone({ peaks: [0.9, 0.9] }) }, { file: tone({ peaks: [0.9, 0.8] }) }],
    left: times(10, 0.95 * SINE),
  },
];

describe.each(Object.keys(MIXERS))('by %s', (name) => {
  const mixer = () => MIXERS[name]?.() ?? Promise.reject(new Error(`no mixer ${name}`));

  test.each(EXAMPLES)('$says', async ({ seconds, sounds, left }) => {
    const path = join(folder, 'mix.mp4');
    const composition = compositionOf(seconds, sounds);
    expect(await (await mixer()).mix({ composition, format: 'mp4', path, signal })).toBe(true);
    const heard = loudness(await samplesOf(path), 0).slice(0, left.length);
    expect(heard.map((level) => Number(level.toFixed(2)))).toEqual(
      left.map((level) => expect.closeTo(level, 1.4)),
    );
  });

  test('without tracks nothing is written', async () => {
    const path = join(folder, 'none.mp4');
    const composition = compositionOf(1, []);
    expect(await (await mixer()).mix({ composition, format: 'mp4', path, signal })).toBe(false);
    await expect(access(path)).rejects.toThrow('ENOENT');
  });

  test.each([
    ['damaged', Buffer.from('this is no sound')],
    ['without any samples', toneWav({ seconds: 0, peaks: [1] })],
    ['that names other files', Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/hostname\n')],
  ])('a file %s is a fault that names it', async (_, file) => {
    const composition = compositionOf(1, [{ file: tone() }, { file }]);
    const path = join(folder, 'fault.mp4');
    await expect((await mixer()).mix({ composition, format: 'mp4', path, signal })).rejects.toMatchObject({
      key: 'video_failed.sound',
      params: { number: 2, source: composition.tracks[1]?.source },
    });
  });

  test('for WebM it is Opus', async () => {
    const path = join(folder, 'opus.mp4');
    const composition = compositionOf(1, [{ file: tone(), start: 0.5 }]);
    await (await mixer()).mix({ composition, format: 'webm', path, signal });
    const stream = 'stream=codec_name,sample_rate,channels';
    expect((await say('ffprobe', '-show_entries', stream, '-of', 'csv=p=0', path)).trim()).toBe(
      'opus,48000,2',
    );
    const heard = loudness(await samplesOf(path), 0).slice(0, 10);
    const level = 0.5 * SINE;
    expect(heard).toEqual([...times(5, 0), ...times(5, level)].map((one) => expect.closeTo(one, 1.4)));
  });

  test('an aborted signal is the reason', async () => {
    const composition = compositionOf(1, [{ file: tone() }]);
    const path = join(folder, 'aborted.mp4');
    const aborted = AbortSignal.abort(new Error('not wanted any more'));
    const mixing = (await mixer()).mix({ composition, format: 'mp4', path, signal: aborted });
    await expect(mixing).rejects.toThrow('not wanted any more');
  });
});

test('by ffmpeg the same sound is the same bytes, as long as the video and in AAC', async () => {
  const mixer = createFfmpegMixer(await realFfmpeg());
  const composition = compositionOf(1.5, [{ file: tone(), loop: true }]);
  const paths = [join(folder, 'one.mp4'), join(folder, 'two.mp4')];
  for (const path of paths) await mixer.mix({ composition, format: 'mp4', path, signal });
  const told = paths.map((path) =>
    say('ffprobe', '-show_entries', 'stream=codec_name,profile,duration', '-of', 'csv=p=0', path),
  );
  expect((await Promise.all(told)).map((line) => line.trim())).toEqual([
    'aac,LC,1.500000',
    'aac,LC,1.500000',
  ]);
  const sums = paths.map((path) => bytesFrom('-i', path, '-c', 'copy', '-f', 'md5', '-'));
  const [one, two] = await Promise.all(sums);
  expect(String(one)).toBe(String(two));
});

test('by the browser it is AAC too: in time within a millisecond, as loud as the tone and of its pitch', async () => {
  const mixer = createPageMixer(soundPage);
  const path = join(folder, 'aac.mp4');
  // Longer than what the page gives at a time, and no whole number of seconds.
  const composition = compositionOf(7.4, [{ file: tone({ seconds: 6, hertz: 1_000 }), start: 0.5 }]);
  expect(await mixer.mix({ composition, format: 'mp4', path, signal })).toBe(true);
  const stream = 'stream=codec_name,profile,sample_rate,channels';
  expect((await say('ffprobe', '-show_entries', stream, '-of', 'csv=p=0', path)).trim()).toBe(
    'aac,LC,48000,2',
  );
  const samples = await samplesOf(path);
  expect(samples.length / 2 / 48_000).toBeGreaterThanOrEqual(7.4);
  expect(samples.length / 2 / 48_000).toBeLessThan(7.4 + 2 * (1_024 / 48_000));
  expect(measureTone(samples)).toEqual({
    from: expect.closeTo(0.5, 2.7),
    to: expect.closeTo(6.5, 2.7),
    hertz: expect.closeTo(1_000, -0.5),
    level: expect.closeTo(0.5 * SINE, 1.6),
  });
});

describe.each(Object.entries(MIXERS))('the sound of a clip, by %s', (name, open) => {
  test.each([
    ['an MP4', 'a.mp4', ['-c:v', 'libx264', '-c:a', 'aac']],
    ['a WebM', 'a.webm', ['-c:v', 'libvpx', '-c:a', 'libopus']],
  ])('of %s is within a millisecond of its picture, also from a moment of it', async (_, file, codecs) => {
    const path = join(folder, file);
    const [picture, tone] = ['color=gray:size=64x48:rate=30:duration=3', TONE_FROM_1_TO_2];
    await say('ffmpeg', '-y', '-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', tone, ...codecs, path);
    const clip = { delay: 0, duration: 3, zero: 0 };
    const composition = compositionOf(4, [{ file: await readFile(path), start: 1, from: 0.25, clip }]);
    const out = join(folder, `clip-${name}.mp4`);
    await (await open()).mix({ composition, format: 'mp4', path: out, signal });
    expect(measureTone(await samplesOf(out))).toMatchObject({
      // The clip begins after a second, with its fourth part of a second.
      from: expect.closeTo(1.75, 2.7),
      to: expect.closeTo(2.75, 2.7),
    });
  });
});

const TONE_FROM_1_TO_2 = "aevalsrc='if(between(t,1,2),0.5*sin(2*PI*1000*t),0)':s=48000:d=3";

async function samplesOf(path: string): Promise<Float32Array> {
  const bytes = await bytesFrom('-i', path, '-f', 'f32le', '-ac', '2', '-ar', '48000', '-');
  return new Float32Array(new Uint8Array(bytes).buffer);
}
