import { join } from 'node:path';
import { Fault } from '../../errors.ts';
import type { Timing } from '../composition/composition.ts';
import { GIF } from '../request.ts';
import type { Ffmpeg } from './ffmpeg.ts';

const MAX_GIF_FPS = 15;
const PASS_TIMEOUT_MS = 5 * 60_000;

/** Rejects a GIF that is too long or too large. @throws Fault validation_failed.gif */
export function requireGifLimits({ width, height, fps, frames }: Timing): void {
  if (frames / fps > GIF.seconds || Math.max(width, height) > GIF.most)
    throw new Fault('validation_failed.gif', { seconds: GIF.seconds, pixels: GIF.most });
}

type GifOptions = {
  /** Path of the video. */
  readonly from: string;
  readonly to: string;
  /** Folder for the temporary palette. */
  readonly folder: string;
  readonly timing: Timing;
  readonly signal: AbortSignal;
};

/**
 * Converts a video to a GIF with up to 15 frames a second.
 * @throws Fault not_configured.encoder, validation_failed.gif
 */
export async function gif(ffmpeg: Ffmpeg | undefined, making: GifOptions): Promise<void> {
  const { from, to, folder, timing, signal } = making;
  if (!ffmpeg) throw new Fault('not_configured.encoder');
  requireGifLimits(timing);
  const input = ['-y', '-protocol_whitelist', 'file', '-f', 'mov', '-i', `file:${from}`];
  const palette = join(folder, 'palette.png');
  const fps = Math.min(MAX_GIF_FPS, timing.fps);
  const frames = `fps=${fps},${RGB}`;
  // Two passes: in one pass, all frames would be held in memory until the palette is known.
  await ffmpeg.run([...input, '-vf', `${frames},palettegen=stats_mode=diff`, ...EXACT, `file:${palette}`], {
    signal,
    ms: PASS_TIMEOUT_MS,
  });
  const drawn = `[0:v]${frames}[x];[x][1:v]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle`;
  const paletteInput = ['-f', 'image2', '-i', `file:${palette}`];
  const whole = ['-loop', '0', '-final_delay', String(lastDelay(timing, fps))];
  await ffmpeg.run(
    [...input, ...paletteInput, '-lavfi', drawn, ...whole, ...EXACT, '-f', 'gif', `file:${to}`],
    { signal, ms: PASS_TIMEOUT_MS },
  );
}

/** Delay of the last frame in hundredths of a second, so that the GIF is as long as the video. */
function lastDelay({ frames, fps: all }: Timing, fps: number): number {
  const seconds = frames / all;
  const before = Math.max(0, Math.round(seconds * fps) - 1);
  return Math.max(MIN_DELAY, Math.round(seconds * 100) - Math.round((before * 100) / fps));
}

/** Browsers show shorter delays for a tenth of a second. */
const MIN_DELAY = 2;

const RGB =
  'scale=in_color_matrix=bt709:in_range=limited:flags=bicubic+accurate_rnd+full_chroma_int,format=bgra';
const EXACT = ['-threads', '2', '-map_metadata', '-1', '-fflags', '+bitexact'];
