import { z } from 'zod';
import { VideoEngine } from '../video.ts';
import { KeptFile } from '../video-repo.ts';

/** A piece of a video: getting ready, some of its frames, or putting them together. */
export const Step = z.object({
  id: z.string(),
  account_id: z.string(),
  video_id: z.string(),
  kind: z.enum(['prepare', 'chunk', 'finish']),
  idx: z.number(),
  from_frame: z.number(),
  to_frame: z.number(),
  status: z.enum(['waiting', 'queued', 'running', 'done']),
  attempt: z.number(),
  fingerprint: z.string().nullable(),
  engine: VideoEngine.nullable(),
  blob_key: z.string().nullable(),
  poster: KeptFile.nullable(),
  done_at: z.date().nullable(),
  /** Never: what is canceled has no steps. */
  cancel_requested: z.literal(false).default(false),
});
export type Step = z.output<typeof Step>;
