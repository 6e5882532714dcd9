import type { Timing } from '../composition/composition.ts';
import type { VideoConfig } from '../page/capture/messages.ts';
import type { ChunkRequest, Quality } from './frames.ts';

type VideoSize = Pick<Timing, 'width' | 'height' | 'fps'>;

/** Encoder configurations to request from a browser, best first. */
export function inPageCodecs(
  picture: VideoSize,
  format: ChunkRequest['format'],
  quality: Quality,
): VideoConfig[] {
  const { width, height, fps } = picture;
  const common: Omit<VideoConfig, 'codec'> = {
    ...{ width, height, framerate: fps, bitrate: bitrate(picture, quality) },
    ...({
      latencyMode: 'quality',
      bitrateMode: 'variable',
      hardwareAcceleration: 'prefer-software',
    } as const),
  };
  if (format === 'webm') return VP_CODECS.map((codec) => ({ ...common, codec }));
  const level = h264Level(picture);
  return H264_PROFILES.map((profile) => ({
    ...common,
    codec: `avc1.${profile}${level.toString(16)}`,
    // Without this option the units would have start codes, which MP4 does not use.
    avc: { format: 'avc' },
  }));
}

const VP_CODECS = ['vp09.00.40.08', 'vp8'];
/** High, Main, Constrained Baseline. */
const H264_PROFILES = ['6400', '4d00', '42e0'];

// Bits per pixel and frame. Drawn content needs few; these are twice what x264 takes for the same.
const BITS_PER_PIXEL: Readonly<Record<Quality, number>> = { draft: 0.07, standard: 0.13, high: 0.22 };
// Small videos have more edges per pixel, and low frame rates more change per frame.
const MIN_BITRATE = 400_000;

function bitrate({ width, height, fps }: VideoSize, quality: Quality): number {
  return Math.max(MIN_BITRATE, Math.round(width * height * fps * BITS_PER_PIXEL[quality]));
}

/** ITU-T H.264, table A-1: ten times the level, macroblocks per frame, macroblocks per second. */
const H264_LEVELS = [
  [30, 1_620, 40_500],
  [31, 3_600, 108_000],
  [32, 5_120, 216_000],
  [40, 8_192, 245_760],
  [42, 8_704, 522_240],
  [50, 22_080, 589_824],
  [51, 36_864, 983_040],
] as const;
const MAX_H264_LEVEL = 52;

/**
 * The lowest level that fits the video. A side may not exceed the square root of eight times the level's macroblocks
 * per frame.
 */
function h264Level({ width, height, fps }: VideoSize): number {
  const across = Math.ceil(width / 16);
  const down = Math.ceil(height / 16);
  const blocks = across * down;
  const fits = ([, ofFrame, ofSecond]: (typeof H264_LEVELS)[number]) =>
    blocks <= ofFrame && blocks * fps <= ofSecond && Math.max(across, down) ** 2 <= 8 * ofFrame;
  return H264_LEVELS.find(fits)?.[0] ?? MAX_H264_LEVEL;
}
