import { buffer } from 'node:stream/consumers';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { Quality } from '../frames/stage.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import type { Running } from './ffmpeg-process.ts';
import type { EncoderOptions, EncoderStream, FrameEncoder } from './frame-encoder.ts';
import { pictureHeader, streamHeader } from './matroska.ts';

/** How long ffmpeg may take to make room for one frame. */
const FRAME_MS = 60_000;
/** How long it may take for what it still holds back when the last frame was given. */
const END_MS = 5 * 60_000;

// A fixed count, since the bytes depend on it.
const THREADS = '2';
const KEY_FRAME_SECONDS = 2;
/** The length of a piece: more than one key frame in it costs bits and helps only seeking. */
const MOST_BETWEEN_KEY_FRAMES = 150;

/** Encodes with libx264 and libvpx-vp9. Equal frames and options make equal bytes on every run of one build of ffmpeg. */
export function createFfmpegEncoder(ffmpeg: Ffmpeg): FrameEncoder {
  return {
    name: `ffmpeg ${ffmpeg.version} libx264`,
    open: (options) => openStream(options, ffmpeg.start(argumentsFor(options), options.signal)),
  };
}

function openStream(options: EncoderOptions, running: Running): EncoderStream {
  const { signal, width, height, pixels } = options;
  const bytesOfFrame = pixels === 'i420' ? (width * height * 3) / 2 : undefined;
  const file = buffer(running.stdout);
  // It is asked for at the end; when the process is killed before, there is nothing to say.
  file.catch(() => {});
  /** The place of the next frame. */
  let next = 0;
  let last: { readonly frame: Uint8Array; readonly place: number } | undefined;

  return {
    async write(frame) {
      // A frame of another size would shift all that follow.
      if (bytesOfFrame !== undefined && frame.byteLength !== bytesOfFrame)
        throw new Error(`a frame of ${frame.byteLength} bytes where ${bytesOfFrame} were expected`);
      await orKill(give(frame, next++));
    },
    hold() {
      next++;
    },
    async end() {
      // The last picture is shown up to where it is given once more.
      if (last && last.place < next - 1) await orKill(give(last.frame, next - 1));
      running.stdin.end();
      const whole = Promise.all([file, running.ended]);
      const [bytes] = await orKill(withTimeout(whole, { signal, timeoutMs: END_MS, timeoutError: tooLate }));
      return bytes;
    },
  };

  async function give(frame: Uint8Array, place: number): Promise<void> {
    last = { frame, place };
    const before = place === 0 ? streamHeader(options) : Buffer.alloc(0);
    running.stdin.write(Buffer.concat([before, pictureHeader(place, frame.byteLength)]));
    await withTimeout(taken(running, frame), { signal, timeoutMs: FRAME_MS, timeoutError: tooLate });
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

function taken(running: Running, frame: Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  running.stdin.write(frame, (error) => {
    if (!error) return resolve();
    // What it said at its end tells more than that the pipe is broken.
    running.ended.then(() => reject(error), reject);
  });
  return promise;
}

function tooLate(): Error {
  return new Error('ffmpeg does not take the frames any more');
}

function argumentsFor(options: EncoderOptions): string[] {
  const { format, fps, frames } = options;
  const between = Math.max(1, Math.min(KEY_FRAME_SECONDS * fps, MOST_BETWEEN_KEY_FRAMES));
  return [
    ...inputArguments(options),
    ...['-frames:v', String(frames), '-an', '-map_metadata', '-1'],
    ...['-threads', THREADS, '-g', String(between)],
    ...(format === 'mp4' ? x264(options.quality) : vp9(options.quality)),
    ...['-pix_fmt', 'yuv420p', ...BT709, '-fflags', '+bitexact', '-flags:v', '+bitexact', 'pipe:1'],
  ];
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

function inputArguments({ pixels, width, height, fps }: EncoderOptions): string[] {
  // Its header says all that ffmpeg would look for in the first pictures.
  const input = ['-f', 'matroska', '-analyzeduration', '0', '-fpsprobesize', '0'];
  // Fills the gaps with the picture before.
  const everyFrame = `fps=${fps}`;
  if (pixels === 'i420') return [...input, ...BT709, '-i', 'pipe:0', '-vf', everyFrame];
  // A JPEG is full range BT.601.
  const matrices = 'in_color_matrix=bt601:in_range=full:out_color_matrix=bt709:out_range=limited';
  const scale = `scale=${width}:${height}:${matrices}:flags=bicubic+accurate_rnd+full_chroma_int,format=yuv420p`;
  return [...input, '-i', 'pipe:0', '-vf', `${scale},${everyFrame}`];
}

// What is looked ahead at is held in memory: five frames take 35 MiB less than ten. The crf is one less for it.
const X264_PARAMS = 'open-gop=0:rc-lookahead=5';

const X264 = {
  draft: ['-preset', 'ultrafast', '-crf', '23'],
  standard: ['-preset', 'veryfast', '-crf', '19'],
  high: ['-preset', 'medium', '-crf', '17'],
} as const satisfies Record<Quality, readonly string[]>;

function x264(quality: Quality): string[] {
  // Fragments need no seeking back in the pipe; what is played is joined from them.
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
