import { z } from 'zod';
import { Fault } from '../../src/errors.ts';
import { localizeWarning, plainReader, type Reader } from '../../src/language.ts';
import { restoreFault, type StoredFault } from '../../src/platform/stored-fault.ts';
import { BrandTaken, type Video, VideoEngine, VideoFormat, VideoStatus } from '../../src/videos/video.ts';
import type { VideoLinks } from '../../src/videos/video-files.ts';
import { problem } from '../contract/problem.ts';

const moment = z.iso.datetime().nullable();

/** Something doubtful about a video. */
export const VideoWarning = z.object({
  code: z.string(),
  message: z.string(),
  field: z.string().optional(),
  line: z.number().optional(),
  col: z.number().optional(),
});

/** A video as its owner sees it: the six documented fields, then ours. */
export const VideoAnswer = z.object({
  id: z.string(),
  title: z.string(),
  duration: z.number().meta({ description: 'Seconds' }),
  template: z.string(),
  template_version: z
    .number()
    .nullable()
    .meta({ description: 'Version of your template it was made with; null for a built-in one' }),
  brand: BrandTaken.nullable().meta({ description: 'What the video took from the brand; null if nothing' }),
  status: VideoStatus,
  url: z.string().nullable().meta({ description: 'File URL once completed; works for anyone with the link' }),
  progress: z.number().meta({ description: 'Percent, 0 to 100' }),
  frames: z.object({ done: z.number(), total: z.number() }),
  eta_s: z.number().nullable().meta({ description: 'Estimated seconds until completion' }),
  poster_url: z.string().nullable(),
  captions_url: z.string().nullable().meta({ description: 'URL of the captions as WebVTT' }),
  error: z.object({ code: z.string(), message: z.string(), line: z.number().optional() }).nullable(),
  warnings: z.array(VideoWarning).meta({ description: 'Problems to fix; the video renders anyway' }),
  attempt: z.number(),
  width: z.number(),
  height: z.number(),
  fps: z.number(),
  format: VideoFormat,
  quality: z.enum(['draft', 'standard', 'high']),
  size_bytes: z.number().nullable(),
  created_at: z.iso.datetime(),
  started_at: moment,
  completed_at: moment,
  engine: VideoEngine.nullable().meta({ description: 'How its frames were rendered' }),
});
export type VideoAnswer = z.output<typeof VideoAnswer>;

/** States after which another comes. */
export const UNFINISHED: ReadonlySet<VideoAnswer['status']> = new Set(['pending', 'rendering', 'finalizing']);

type VideoReader = Reader & {
  readonly links: Pick<VideoLinks, 'tokenOf'>;
  /** Address of the server as the reader reaches it, without a slash at the end. */
  readonly baseUrl: string;
};

type Call = Omit<VideoReader, 'links'> & {
  readonly app: { readonly videos: { readonly links: VideoReader['links'] } };
};

/** The reader who makes a call. */
export function readerOf({ app, locale, voice, baseUrl }: Call): VideoReader {
  return { links: app.videos.links, locale, voice, baseUrl };
}

/** Presents videos for a reader who receives them later, such as a webhook. */
export function createVideoPresenter(links: VideoReader['links']) {
  return (video: Video, { locale, baseUrl }: Pick<VideoReader, 'locale' | 'baseUrl'>) =>
    presentVideo(video, { ...plainReader(locale), links, baseUrl });
}

/** Puts a video into the words of the reader. */
export async function presentVideo(video: Video, reader: VideoReader): Promise<VideoAnswer> {
  const { id, title, duration, template, status, width, height, fps, format, quality, frames, attempt } =
    video;
  return {
    id,
    title,
    duration,
    template,
    template_version: video.templateVersion,
    brand: video.brand,
    status,
    ...(await addressesOf(video, reader)),
    progress: progressOf(video),
    frames: { done: frames.done, total: frames.total },
    eta_s: video.etaSeconds,
    error: errorOf(video, reader),
    warnings: video.warnings.map((warning) => localizeWarning(warning, reader)),
    attempt,
    width,
    height,
    fps,
    format,
    quality,
    size_bytes: video.sizeBytes,
    created_at: video.createdAt.toISOString(),
    started_at: video.startedAt?.toISOString() ?? null,
    completed_at: (status === 'completed' && video.endedAt?.toISOString()) || null,
    engine: video.engine,
  };
}

async function addressesOf({ id, status, hasPoster, hasCaptions }: Video, { links, baseUrl }: VideoReader) {
  if (status !== 'completed') return { url: null, poster_url: null, captions_url: null };
  const token = await links.tokenOf(id);
  const address = (part: string) => `${baseUrl}/videos/${id}/${part}?token=${token}`;
  return {
    url: address('file'),
    poster_url: hasPoster ? address('poster') : null,
    captions_url: hasCaptions ? address('captions.vtt') : null,
  };
}

/** Whole percents; 100 only for what is completed, since joining comes after the last frame. */
function progressOf({ status, frames: { done, total } }: Video): number {
  if (status === 'completed') return 100;
  return total === 0 ? 0 : Math.min(99, Math.floor((100 * done) / total));
}

/** The error of a video, with the ID that the call which tries again needs. */
export function videoFault({ id, error }: { readonly id: string; readonly error: StoredFault }): Fault {
  const { key, params, errors, data } = restoreFault(error);
  return new Fault(key, { ...params, video_id: id }, { errors, data });
}

function errorOf({ id, error }: Video, reader: Reader): VideoAnswer['error'] {
  if (!error) return null;
  const { code, detail } = problem(videoFault({ id, error }), reader, id);
  const { line } = error.params;
  return { code, message: detail, ...(typeof line === 'number' && { line }) };
}
