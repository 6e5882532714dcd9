import type { Ffmpeg } from './ffmpeg.ts';
import { createFfmpegEncoder } from './ffmpeg-encoder.ts';
import type { FrameEncoder } from './frame-encoder.ts';

/**
 * What encodes outside of the browser on this machine: ffmpeg, when it has H.264, VP9, AAC and Opus.
 * Undefined when it does not, or is not there: the browser then encodes by itself, see `in_page` in frames/stage.ts.
 */
export function chooseEncoder(ffmpeg: Ffmpeg | undefined): FrameEncoder | undefined {
  if (!ffmpeg || !NEEDED.every((name) => ffmpeg.encoders.has(name))) return undefined;
  return createFfmpegEncoder(ffmpeg);
}

const NEEDED = ['libx264', 'libvpx-vp9', 'aac', 'libopus'];
