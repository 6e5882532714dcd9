import { z } from 'zod';
import { Fault, type FaultKey, type FaultParams } from '../errors.ts';
import { VideoFormat } from './video.ts';

export const LIMITS = {
  seconds: { min: 0.5, max: 600 },
  /** Pixels per side. */
  side: { least: 64, most: 3_840 },
  pixels: {
    /** Of a frame: 4K. */
    ofFrame: 3_840 * 2_160,
    /** Of all frames together: 10 minutes of 1920 × 1920 at 60 fps. */
    ofVideo: 1_920 * 1_920 * 60 * 600,
  },
  fps: { least: 1, most: 60 },
  titleChars: 500,
  dataBytes: 1024 * 1024,
  htmlBytes: 1024 * 1024,
  nodes: 20_000,
  asset: { bytes: 25 * 1024 * 1024, allBytes: 100 * 1024 * 1024, count: 200 },
  tracks: 16,
  clips: 16,
  /** Of one clip. */
  clip: { bytes: 100 * 1024 * 1024, pixels: 4_096 * 2_304, speed: { least: 0.25, most: 4 } },
  cues: 2_000,
} as const;

export const Aspect = z.enum(['9:16', '4:5', '1:1', '16:9']);
export type Aspect = z.output<typeof Aspect>;

/** The shorter side is 1080 pixels. */
export const SIZES: Readonly<Record<Aspect, { readonly width: number; readonly height: number }>> = {
  '9:16': { width: 1080, height: 1920 },
  '4:5': { width: 1080, height: 1350 },
  '1:1': { width: 1080, height: 1080 },
  '16:9': { width: 1920, height: 1080 },
};

/** A full-size GIF would be too large. `max` limits its sides, in pixels. */
export const GIF = {
  most: 720,
  seconds: 30,
  sizes: {
    '9:16': { width: 360, height: 640 },
    '4:5': { width: 512, height: 640 },
    '1:1': { width: 640, height: 640 },
    '16:9': { width: 640, height: 360 },
  } satisfies typeof SIZES,
} as const;

/** What social networks play sounds at, in LUFS. */
export const LOUDNESS = -14;

const seconds = z.number().min(0).max(LIMITS.seconds.max);
// Encoders halve both sides for chroma.
const side = z.int().min(LIMITS.side.least).max(LIMITS.side.most).multipleOf(2);

const { least: slowest, most: fastest } = LIMITS.clip.speed;

/** A sound; `src` is an https address or a data: URI. Times are seconds, the volume is a factor. */
export const AudioTrack = z
  .object({
    src: z.string().min(1).max(2_000_000),
    start: seconds.default(0),
    from: seconds.optional(),
    to: seconds.optional(),
    speed: z.number().min(slowest).max(fastest).optional(),
    volume: z.number().min(0).max(4).default(1),
    fade_in: seconds.default(0),
    fade_out: seconds.default(0),
    loop: z.boolean().default(false),
    duck: z.boolean().default(false),
  })
  .refine(({ from = 0, to }) => to === undefined || to > from, { path: ['to'] });
export type AudioTrack = z.output<typeof AudioTrack>;

const CueInput = z.object({
  start: seconds,
  end: seconds,
  text: z.string().min(1).max(1_000),
  /** When each word is spoken. Without them, a word gets the share of the time that it has of the letters. */
  words: z
    .array(z.object({ start: seconds, end: seconds, text: z.string().min(1).max(100) }))
    .max(200)
    .optional(),
});

/** A request for a video: the three documented fields, then the others. */
export const VideoRequest = z.object({
  title: z.string().max(LIMITS.titleChars),
  duration: z.number().min(LIMITS.seconds.min).max(LIMITS.seconds.max),
  template: z.string().max(100).default('default'),
  data: z.record(z.string(), z.json()).default({}),
  /** A brand of the account; the default one when absent. */
  brand: z.string().max(40).optional(),
  aspect: Aspect.optional(),
  width: side.optional(),
  height: side.optional(),
  /** An integer, or 23.976, 29.97 or 59.94. */
  fps: z.number().min(LIMITS.fps.least).max(LIMITS.fps.most).default(30),
  format: VideoFormat.default('mp4'),
  quality: z.enum(['draft', 'standard', 'high']).default('standard'),
  /** Keeps what the page leaves transparent, in a WebM with alpha. */
  transparent: z.boolean().default(false),
  audio: z.array(AudioTrack).max(LIMITS.tracks).default([]),
  /** Loudness of the mixed sound in LUFS; null leaves it unchanged mixed. */
  loudness: z.number().min(-40).max(-8).nullable().optional(),
  /** A list, or the text of an SRT or WebVTT file. */
  captions: z.union([z.array(CueInput).max(LIMITS.cues), z.string().max(500_000)]).optional(),
  /** Second shown by the poster, or by the still of format png. */
  poster_at: seconds.optional(),
  webhook_url: z
    .url({ protocol: /^https$/ })
    .max(2_000)
    .optional(),
});
export type VideoRequest = z.output<typeof VideoRequest>;

/** The fault of one request field. The video routes return only details, so it is one too. */
export function badField(key: FaultKey, path: readonly (string | number)[], params: FaultParams = {}): Fault {
  return new Fault(key, params, { errors: [{ loc: ['body', ...path], key, params }] });
}
