import { buffer } from 'node:stream/consumers';
import { withTimeout } from '../../platform/with-timeout.ts';
import { fractionOfRate } from '../frame-rate.ts';
import type { Quality } from '../frames/frames.ts';
import type { Ffmpeg, FfmpegProcess } from './ffmpeg.ts';
import type { EncoderOptions, EncoderStream, FrameEncoder, PixelFormat } from './frame-encoder.ts';
import { addHeldFrames, ENCODED_REPEATS } from './held-frames/held-frames.ts';
import { pictureHeader, streamHeader } from './matroska.ts';

/** Time limit for ffmpeg to accept one frame. */
const FRAME_TIMEOUT_MS = 60_000;
/** Time limit for ffmpeg to finish after the last frame. */
const END_TIMEOUT_MS = 5 * 60_000;

// Fixed, since the output bytes depend on it.
const THREADS = '2';
const KEY_FRAME_SECONDS = 2;
/** Length of a chunk: more than one key frame in it costs bits and only helps seeking. */
const MAX_KEY_FRAME_INTERVAL = 150;

/** Encodes with libx264 and libvpx-vp9. Equal frames and options make equal bytes with the same build of ffmpeg. */
export function createFfmpegEncoder(ffmpeg: Ffmpeg): FrameEncoder {
  return {
    name: `ffmpeg ${ffmpeg.version} libx264`,
    open(options) {
      const hasGaps = leavesOutHeldFrames(options, ffmpeg);
      const running = ffmpeg.start(argumentsFor(options, hasGaps), options.signal);
      return openStream(options, { running, hasGaps });
    },
  };
}

type Running = { readonly running: FfmpegProcess; readonly hasGaps: boolean };

function openStream(options: EncoderOptions, { running, hasGaps }: Running): EncoderStream {
  const { signal, width, height, pixels } = options;
  const bytesOfFrame = pixels === 'i420' ? (width * height * 3) / 2 : undefined;
  const file = buffer(running.stdout);
  // The output is awaited in `end`; when the process is killed earlier, its error does not matter.
  file.catch(() => {});
  /** Index of the next frame. */
  let next = 0;
  /** Index of the frame written last and of the one given last to ffmpeg, which may be the same frame once more. */
  let last = -1;
  let given = -1;
  /** A copy of the last frame, whose own bytes may change. */
  let kept = Buffer.alloc(0);

  /** A repeat is encoded after the first frame and after each key frame, else left out: see held-frames. */
  async function repeat(): Promise<void> {
    const place = next++;
    const keyFrame = place - (place % keyFrameInterval(options));
    if (hasGaps && place - Math.max(last, keyFrame) <= ENCODED_REPEATS) await writeBlock(kept, place);
  }

  return {
    async write(frame) {
      // A frame of another size would shift all that follow.
      if (bytesOfFrame !== undefined && frame.byteLength !== bytesOfFrame)
        throw new Error(`a frame of ${frame.byteLength} bytes where ${bytesOfFrame} were expected`);
      // So the bytes of the video depend on what is shown alone, and not on who noticed that nothing changed.
      if (last >= 0 && kept.equals(frame)) return repeat();
      if (kept.length !== frame.byteLength) kept = Buffer.allocUnsafe(frame.byteLength);
      kept.set(frame);
      last = next++;
      await writeBlock(frame, last);
    },
    repeat,
    async end() {
      // The last place is always given, so that what is held to the end is shown that long.
      if (given < next - 1) await writeBlock(kept, next - 1);
      running.stdin.end();
      const whole = Promise.all([file, running.ended]);
      const [bytes] = await orKill(
        withTimeout(whole, { signal, timeoutMs: END_TIMEOUT_MS, timeoutError: stalled }),
      );
      return hasGaps ? addHeldFrames(bytes, options.fps) : bytes;
    },
  };

  async function writeBlock(frame: Uint8Array, place: number): Promise<void> {
    given = place;
    const before = place === 0 ? streamHeader(options) : Buffer.alloc(0);
    running.stdin.write(Buffer.concat([before, pictureHeader(place, frame.byteLength)]));
    await orKill(
      withTimeout(writeFrame(running, frame), {
        signal,
        timeoutMs: FRAME_TIMEOUT_MS,
        timeoutError: stalled,
      }),
    );
  }

  async function orKill<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      running.kill();
      throw error;
    }
  }
}

/**
 * Whether frames of a held picture are left out, and added afterwards. A draft has another profile, and would gain little. ffmpeg
 * before 5.1 has no `-fps_mode`, and some builds do not say which version they are.
 */
function leavesOutHeldFrames({ format, quality }: EncoderOptions, { version }: Ffmpeg): boolean {
  const [, number] = /^n?(\d+\.\d+)/.exec(version) ?? [];
  return format === 'mp4' && quality !== 'draft' && Number(number) >= 5.1;
}

function writeFrame(running: FfmpegProcess, frame: Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  running.stdin.write(frame, (error) => {
    if (!error) return resolve();
    // The error of the ended process says more than the broken pipe.
    running.ended.then(() => reject(error), reject);
  });
  return promise;
}

function stalled(): Error {
  return new Error('ffmpeg does not take the frames any more');
}

function keyFrameInterval({ fps }: EncoderOptions): number {
  return Math.max(1, Math.min(Math.round(KEY_FRAME_SECONDS * fps), MAX_KEY_FRAME_INTERVAL));
}

function argumentsFor(options: EncoderOptions, hasGaps: boolean): string[] {
  const { format, frames, pixels } = options;
  const between = keyFrameInterval(options);
  return [
    ...inputArguments(options, hasGaps),
    ...['-frames:v', String(frames), '-an', '-map_metadata', '-1'],
    ...['-threads', THREADS, '-g', String(between)],
    ...(hasGaps ? gapArguments(options) : []),
    ...(format === 'mp4' ? x264(options.quality) : vp9(options.quality)),
    // Alpha is in a second stream beside the first: both must have the same frames.
    ...(pixels === 'png' ? ['-auto-alt-ref', '0'] : []),
    // Else pieces made of screenshots would say `center`, as JPEG has it, and not join with painted ones.
    ...[
      '-pix_fmt',
      layoutOf(pixels),
      ...BT709,
      '-chroma_sample_location',
      'left',
      '-fflags',
      '+bitexact',
      '-flags:v',
      '+bitexact',
      'pipe:1',
    ],
  ];
}

function layoutOf(pixels: PixelFormat): string {
  return pixels === 'png' ? 'yuva420p' : 'yuv420p';
}

const BT709 = [
  '-color_range',
  'tv',
  '-colorspace',
  'bt709',
  '-color_primaries',
  'bt709',
  '-color_trc',
  'bt709',
];

/**
 * Keeps gaps between frames. x264 counts the frames it gets to its next key frame; where frames were left out, the next multiple of
 * the interval is made one. The expression keeps the last place in variable 0, and in 1 whether this one is the next.
 */
function gapArguments(options: EncoderOptions): string[] {
  const rate = fractionOfRate(options.fps);
  const [frames, seconds = '1'] = rate.split('/');
  const place = `round(t*${rate})`;
  const isAfterGap = `st(1,gt(${place}-ld(0),1));st(0,${place});ld(1)`;
  const keyFrames = `expr:${isAfterGap}*not(mod(ld(0),${keyFrameInterval(options)}))`;
  return [
    '-fps_mode',
    'passthrough',
    '-enc_time_base',
    `${seconds}:${frames}`,
    '-force_key_frames',
    keyFrames,
  ];
}

function inputArguments({ pixels, width, height, fps }: EncoderOptions, hasGaps: boolean): string[] {
  // The header has everything that ffmpeg would probe the first frames for.
  const input = ['-f', 'matroska', '-analyzeduration', '0', '-fpsprobesize', '0'];
  // Fills gaps with the previous frame.
  const fill = hasGaps ? [] : [`fps=${fractionOfRate(fps)}`];
  const filters = (...before: string[]) => {
    const all = [...before, ...fill];
    return all.length > 0 ? ['-vf', all.join(',')] : [];
  };
  if (pixels === 'i420') return [...input, ...BT709, '-i', 'pipe:0', ...filters()];
  // JPEG is full-range BT.601; PNG is RGB.
  const from = pixels === 'jpeg' ? 'in_color_matrix=bt601:in_range=full:' : '';
  const matrices = `${from}out_color_matrix=bt709:out_range=limited`;
  const scale = `scale=${width}:${height}:${matrices}:flags=bicubic+accurate_rnd+full_chroma_int,format=${layoutOf(pixels)}`;
  // An opaque PNG has no alpha channel. New filters would lose the frame that the old ones still have.
  const anyLayout = pixels === 'png' ? ['-reinit_filter', '0'] : [];
  return [...input, ...anyLayout, '-i', 'pipe:0', ...filters(scale)];
}

// Lookahead frames are held in memory: five take 35 MiB less than ten. The crf is one lower to compensate.
// The lookahead must not have a thread of its own (`sync-lookahead=0`): on a busy machine it made other bytes of the same
// frames, in about one of ten encodings.
// Frames of held pictures are left out and added afterwards, so nothing may be computed from the distance of two pictures: no
// weights by distance (`weightb`), motion from neighbors (`direct`), and no better quality before a gap (`force-cfr`).
export const X264_PARAMS = 'open-gop=0:rc-lookahead=5:sync-lookahead=0:weightb=0:direct=spatial:force-cfr=1';

const X264 = {
  draft: ['-preset', 'ultrafast', '-crf', '23'],
  standard: ['-preset', 'veryfast', '-crf', '19'],
  high: ['-preset', 'medium', '-crf', '17'],
} as const satisfies Record<Quality, readonly string[]>;

function x264(quality: Quality): string[] {
  // Fragmented MP4 needs no seeking in the pipe; the final file is joined from it.
  const container = ['-f', 'mp4', '-movflags', '+frag_keyframe+empty_moov+default_base_moof'];
  return [
    '-c:v',
    'libx264',
    ...X264[quality],
    '-profile:v',
    'high',
    '-x264-params',
    X264_PARAMS,
    ...container,
  ];
}

const VP9 = {
  draft: ['-cpu-used', '8', '-crf', '38'],
  standard: ['-cpu-used', '6', '-crf', '31'],
  high: ['-cpu-used', '4', '-crf', '24'],
} as const satisfies Record<Quality, readonly string[]>;

function vp9(quality: Quality): string[] {
  const speed = ['-deadline', 'realtime', '-row-mt', '1', '-tile-columns', '1', '-lag-in-frames', '0'];
  return ['-c:v', 'libvpx-vp9', ...VP9[quality], '-b:v', '0', ...speed, '-f', 'webm'];
}

/**
 * Chooses the encoder outside the browser: ffmpeg, if it has H.264, VP9, AAC and Opus. Otherwise undefined, and the
 * browser encodes itself: see `in_page` in frames/frames.ts.
 */
export function chooseEncoder(ffmpeg: Ffmpeg | undefined): FrameEncoder | undefined {
  if (!ffmpeg || !REQUIRED_ENCODERS.every((name) => ffmpeg.encoders.has(name))) return undefined;
  return createFfmpegEncoder(ffmpeg);
}

const REQUIRED_ENCODERS = ['libx264', 'libvpx-vp9', 'aac', 'libopus'];
