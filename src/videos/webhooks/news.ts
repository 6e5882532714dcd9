import { z } from 'zod';
import { StoredFault } from '../../platform/stored-fault.ts';
import { type Video, VideoEngine, VideoFormat, VideoStatus } from '../video.ts';

export const NEWS = ['video.completed', 'video.failed', 'video.canceled'] as const;

const moment = z.coerce.date();

/** A Video that was kept as JSON. */
export const StoredVideo = z.object({
  id: z.string(),
  title: z.string(),
  duration: z.number(),
  template: z.string(),
  status: VideoStatus,
  format: VideoFormat,
  quality: z.enum(['draft', 'standard', 'high']),
  width: z.number(),
  height: z.number(),
  fps: z.number(),
  frames: z.object({ done: z.number(), total: z.number() }),
  etaSeconds: z.number().nullable(),
  error: StoredFault.nullable(),
  attempt: z.number(),
  revision: z.number(),
  engine: VideoEngine.nullable(),
  sizeBytes: z.number().nullable(),
  hasPoster: z.boolean(),
  hasCaptions: z.boolean(),
  createdAt: moment,
  startedAt: moment.nullable(),
  endedAt: moment.nullable(),
}) satisfies z.ZodType<Video>;

/** What is told of an end; undefined for one that has not come. */
export function newsOf({ status }: Pick<Video, 'status'>): (typeof NEWS)[number] | undefined {
  return NEWS.find((type) => type === `video.${status}`);
}
